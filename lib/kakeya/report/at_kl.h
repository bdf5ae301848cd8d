// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/profile_cost.h"
#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"
#include "kakeya/stats/bootstrap.h"
#include "kakeya/stats/iso_quality.h"

namespace kakeya {

/// What a family needs for a KL divergence, in bits of one kind.
struct BitsAtKl {
  RateAtLoss bits;  ///< measured bits a value; inside the measured range the answer, else its end
  std::optional<Range> interval;        ///< 95 %, of bits.rate; an end out of range is infinite
  std::optional<double> ratio;          ///< bits over those of the first family of the answer
  std::optional<Range> ratio_interval;  ///< the same draws of the passages for both
};

/// What one family needs for a KL divergence, in one folder and mode. Its own BitsAtKl is of
/// `bits_of`.
struct FamilyAtKl : BitsAtKl {
  std::string source, model, mode;
  std::string split;   ///< SweepPlan::split
  std::string family;  ///< as split_spec()
  std::string legend;  ///< as charts call it
  double kl = 0;       ///< asked for, nats

  BitsOf bits_of = BitsOf::coded_values;  ///< the group's
  BitsAtKl coded, whole_cache;            ///< by the one and by the other
  bool open_page_known = false;           ///< of all settings: else the whole cache is too small
  /// bits_with_profile() there, of kSharedTokens and kSharingCaches; nothing out of the measured
  /// range, or where the profile's bytes are not known.
  std::array<std::array<std::optional<double>, kSharingCaches.size()>, kSharedTokens.size()>
      with_profile = {};

  std::string nearest;  ///< the setting whose measured KL divergence is nearest, by its logarithm
  double nearest_kl = 0, nearest_bits = 0;
  Range measured_kl, measured_bits;  ///< of the family's settings

  /// What a reader of the profile needs once a model: 0 without a profile, nothing where the
  /// folder does not say.
  std::optional<std::size_t> profile_bytes;
  std::array<double, 3> profile_bits = {};  ///< those bytes a value at kProfileTokens

  /// Whether a measured setting loses no more than `kl`.
  bool reached() const {
    return bits.where == RateAtLoss::Where::inside || bits.where == RateAtLoss::Where::too_fine;
  }
};

/// Every family of the group that loses something, at a mean KL divergence of `kl` nats: its
/// measured bits log-linear between neighbouring measured points of its isotonic fit
/// (rate_at_loss()), of the coded values and of the whole cache, never extrapolated. Intervals are of 1,000 resamples of the passages, from 8
/// passages on, the same ones for all families. First the families that reach `kl`, by rising bits
/// (those whose cheapest setting already loses less count with its bits); then the others. Empty
/// without likelihoods. Throws SpecError unless kl > 0. Cost: 1,000 fits a family.
std::vector<FamilyAtKl> families_at_kl(const ResultGroup& group, double kl);

/// A row a family, of one answer of families_at_kl(), which is not empty.
Table at_kl_table(std::span<const FamilyAtKl> answer);

/// Where no family of the answer reaches its KL divergence: what was asked for, and the lowest and
/// the highest measured one. "" where one does.
std::string not_reached(std::span<const FamilyAtKl> answer);

}  // namespace kakeya
