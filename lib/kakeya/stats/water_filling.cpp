// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/water_filling.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

WaterFilling::WaterFilling(std::vector<double> variances) : variances_(std::move(variances)) {
  if (variances_.empty()) throw InputError("water-filling: no component: expected at least one");
  for (const double variance : variances_) {
    if (!(variance >= 0) || !std::isfinite(variance)) {
      throw InputError("water-filling: variance " + std::to_string(variance) +
                       ": expected a finite number >= 0");
    }
  }
  std::sort(variances_.begin(), variances_.end(), std::greater<>());
  // Components of variance 0 are never coded: their logarithms are not asked for.
  active_ = static_cast<std::size_t>(std::find(variances_.begin(), variances_.end(), 0.0) -
                                     variances_.begin());
  log_sums_.assign(1, 0.0);
  for (std::size_t m = 0; m < active_; ++m)
    log_sums_.push_back(log_sums_.back() + std::log2(variances_[m]));
  tails_.assign(active_ + 1, 0.0);
  for (std::size_t m = active_; m > 0; --m) tails_[m - 1] = tails_[m] + variances_[m - 1];
}

double WaterFilling::distortion(double bits_per_component) const {
  if (!std::isfinite(bits_per_component) || bits_per_component < 0) {
    throw InputError("water-filling: " + std::to_string(bits_per_component) +
                     " bits per component: expected a finite number >= 0");
  }
  if (active_ == 0) return 0;
  const double components = static_cast<double>(variances_.size());
  const double bits = bits_per_component * components;
  // The first m components are coded when the level that spends all bits on them is below the m-th
  // variance: true up to some m and false from there on.
  const auto log_level = [&](std::size_t m) {
    return (log_sums_[m] - 2 * bits) / static_cast<double>(m);
  };
  std::size_t coded = 1, beyond = active_ + 1;
  while (beyond - coded > 1) {
    const std::size_t middle = (coded + beyond) / 2;
    (log_level(middle) < std::log2(variances_[middle - 1]) ? coded : beyond) = middle;
  }
  return (static_cast<double>(coded) * std::exp2(log_level(coded)) + tails_[coded]) / components;
}

}  // namespace kakeya
