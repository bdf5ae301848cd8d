// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/winner.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// The number of passages that all settings of both families have.
std::size_t passages_of(std::span<const RatedSetting> family, std::span<const RatedSetting> other) {
  if (family.empty() || other.empty()) return 0;
  const std::size_t passages = family[0].losses.size();
  for (const auto& settings : {family, other}) {
    for (const RatedSetting& setting : settings) {
      if (setting.losses.size() != passages || passages == 0) {
        throw InputError("winner: settings of " + std::to_string(passages) + " and " +
                         std::to_string(setting.losses.size()) +
                         " passages: expected the same passages, at least one");
      }
    }
  }
  return passages;
}

}  // namespace

std::optional<double> best_ratio_within(std::span<const RatedSetting> family, double threshold,
                                        std::span<const std::size_t> drawn) {
  std::optional<double> best;
  for (const RatedSetting& setting : family) {
    if (best && setting.ratio <= *best) continue;
    double sum = 0;
    for (const std::size_t passage : drawn) sum += setting.losses.at(passage);
    if (sum / static_cast<double>(drawn.size()) <= threshold) best = setting.ratio;
  }
  return best;
}

std::optional<WinnerAdvantage> winner_advantage(std::span<const RatedSetting> family,
                                                std::span<const RatedSetting> other,
                                                double threshold, std::uint64_t resamples,
                                                std::uint64_t seed, double confidence) {
  const std::size_t passages = passages_of(family, other);
  if (passages == 0) return std::nullopt;
  const auto advantage = [&](std::span<const std::size_t> drawn) -> std::optional<double> {
    const auto own = best_ratio_within(family, threshold, drawn),
               others = best_ratio_within(other, threshold, drawn);
    if (!own || !others) return std::nullopt;
    return *own / *others - 1;
  };
  std::vector<std::size_t> all(passages);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::optional<double> here = advantage(all);
  if (!here) return std::nullopt;
  std::vector<double> advantages;
  for (std::uint64_t number = 0; number < resamples; ++number) {
    if (const auto each = advantage(resample(passages, seed, number))) advantages.push_back(*each);
  }
  WinnerAdvantage result;
  result.advantage = *here;
  result.share_reached = static_cast<double>(advantages.size()) / static_cast<double>(resamples);
  const auto ahead =
      std::count_if(advantages.begin(), advantages.end(), [](double each) { return each > 0; });
  if (!advantages.empty())
    result.share_ahead = static_cast<double>(ahead) / static_cast<double>(advantages.size());
  result.interval = percentile_interval(std::move(advantages), confidence);
  return result;
}

}  // namespace kakeya
