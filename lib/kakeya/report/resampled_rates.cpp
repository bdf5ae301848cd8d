// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/resampled_rates.h"

#include <cmath>
#include <limits>
#include <utility>

#include "kakeya/stats/iso_quality.h"

namespace kakeya {

std::vector<double> resampled_rates(std::span<const Weighed> settings, std::size_t passages,
                                    double loss) {
  using Where = RateAtLoss::Where;
  constexpr double kBeyond = std::numeric_limits<double>::infinity();
  std::vector<double> rates;
  if (passages < kFewestPassages) return rates;
  for (std::uint64_t number = 0; number < kRateResamples; ++number) {
    const std::vector<std::size_t> drawn = resample(passages, kRateSeed, number);
    const RateAtLoss answer = rate_at_loss(points_over(settings, drawn), loss);
    if (answer.where == Where::unmeasured) return {};
    rates.push_back(answer.where == Where::too_lossy  ? kBeyond
                    : answer.where == Where::too_fine ? -kBeyond
                                                      : answer.rate);
  }
  return rates;
}

std::optional<Range> interval_of(std::vector<double> rates) {
  if (rates.empty()) return std::nullopt;
  return percentile_interval(std::move(rates));
}

std::optional<Range> interval_of_ratio(std::vector<double> rates, std::span<const double> others) {
  if (rates.size() != others.size()) return std::nullopt;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (std::isinf(others[i])) return std::nullopt;
    rates[i] /= others[i];
  }
  return interval_of(std::move(rates));
}

}  // namespace kakeya
