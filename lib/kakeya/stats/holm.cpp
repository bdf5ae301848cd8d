// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/holm.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  for (const double p : p_values) {
    if (!(p >= 0 && p <= 1)) {
      throw InputError("holm: p-value " + std::to_string(p) + ": expected a number in [0, 1]");
    }
  }
  std::vector<std::size_t> rising(p_values.size());
  std::iota(rising.begin(), rising.end(), std::size_t{0});
  std::stable_sort(rising.begin(), rising.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < rising.size(); ++i) {
    const auto left = static_cast<double>(rising.size() - i);
    largest = std::min(1.0, std::max(largest, left * p_values[rising[i]]));
    adjusted[rising[i]] = largest;
  }
  return adjusted;
}

}  // namespace kakeya
