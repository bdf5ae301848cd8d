// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/stats/bootstrap.h"

namespace kakeya {

/// One setting of a family: its compression, and what it loses on every passage.
struct RatedSetting {
  double ratio = 0;
  std::vector<double> losses;
};

/// The highest ratio among settings whose mean loss over the `drawn` passages is at most
/// `threshold`: the rule by which published tables pick winners. Nothing where no setting reaches
/// it. It takes a maximum over a noisy curve, and so favours lucky settings.
std::optional<double> best_ratio_within(std::span<const RatedSetting> family, double threshold,
                                        std::span<const std::size_t> drawn);

/// What one family's best ratio is ahead of another's, and what other passages would have said.
struct WinnerAdvantage {
  double advantage = 0;  ///< ratio / the other's ratio - 1, of all passages once
  Range interval;        ///< percentile interval over the draws in which both reach the threshold
  double share_reached = 0;  ///< of the draws
  double share_ahead = 0;    ///< of the draws in which both reach it: those with an advantage > 0
};

/// Both families' winners chosen anew from every of `resamples` draws of the passages, the same for
/// both. The selection is part of the statistic, so that the interval shows its luck, which an
/// interval of the selected setting's loss would not. Nothing where a family does not reach the
/// threshold. Throws InputError when the settings have different numbers of passages, or none, and
/// as percentile_interval().
std::optional<WinnerAdvantage> winner_advantage(std::span<const RatedSetting> family,
                                                std::span<const RatedSetting> other,
                                                double threshold, std::uint64_t resamples,
                                                std::uint64_t seed, double confidence = 0.95);

}  // namespace kakeya
