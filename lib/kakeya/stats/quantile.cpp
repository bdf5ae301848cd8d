// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

double quantile(std::span<const double> sorted, double share) {
  if (sorted.empty()) throw InputError("quantile: no numbers, expected at least one");
  if (!(share >= 0 && share <= 1)) {
    throw InputError("quantile: share " + std::to_string(share) + ": expected 0 to 1");
  }
  const double at = share * static_cast<double>(sorted.size() - 1), whole = std::floor(at);
  const auto below = static_cast<std::size_t>(whole);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  if (at == whole || std::isinf(sorted[below])) return sorted[below];
  return sorted[below] + (at - whole) * (sorted[above] - sorted[below]);
}

}  // namespace kakeya
