// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace kakeya {

/// The rate-distortion function of independent Gaussian components under one mean squared error
/// (reverse water-filling; Kolmogorov 1956; Cover and Thomas, theorem 10.3.3): at water level w,
/// component i of variance v_i is left with the distortion min(v_i, w) and costs max(0, log2(v_i /
/// w) / 2) bits. Of all sources with these variances the Gaussian is the hardest, so that data of
/// another shape may be coded below this.
class WaterFilling {
 public:
  /// Throws InputError when there is no component or a variance is negative or not finite.
  explicit WaterFilling(std::vector<double> variances);

  /// The least mean distortion a component at a mean rate of `bits_per_component`; between the mean
  /// variance (0 bits) and 0. Throws InputError unless bits_per_component is finite and >= 0. Cost:
  /// logarithmic.
  double distortion(double bits_per_component) const;

 private:
  std::vector<double> variances_;  // falling
  std::size_t active_ = 0;         // how many are above 0
  std::vector<double> log_sums_;   // log_sums_[m]: log2 of the first m, summed
  std::vector<double> tails_;      // tails_[m]: the sum of all from m on
};

}  // namespace kakeya
