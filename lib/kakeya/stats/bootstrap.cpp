// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1), whole = std::floor(at);
  const auto below = static_cast<std::size_t>(whole);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  if (at == whole || std::isinf(sorted[below])) return sorted[below];
  return sorted[below] + (at - whole) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<std::size_t> resample(std::size_t subjects, std::uint64_t seed, std::uint64_t number) {
  const Random random(seed, number);
  std::vector<std::size_t> drawn(subjects);
  for (std::size_t i = 0; i < subjects; ++i) {
    // The top 32 bits as a fraction of the subjects, whole numbers only: never `subjects` itself.
    drawn[i] = ((random.bits(i) >> 32) * subjects) >> 32;
  }
  return drawn;
}

Range percentile_interval(std::vector<double> statistics, double confidence) {
  if (statistics.empty()) throw InputError("bootstrap: expected at least one statistic");
  if (!(confidence > 0 && confidence < 1)) {
    throw InputError("bootstrap: confidence " + std::to_string(confidence) +
                     ": expected a number between 0 and 1");
  }
  for (const double statistic : statistics) {
    if (std::isnan(statistic)) throw InputError("bootstrap: a statistic is not a number");
  }
  std::sort(statistics.begin(), statistics.end());
  const double tail = (1 - confidence) / 2;
  return {quantile(statistics, tail), quantile(statistics, 1 - tail)};
}

}  // namespace kakeya
