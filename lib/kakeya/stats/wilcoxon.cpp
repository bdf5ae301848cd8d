// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kMostPairs = 500;  // 2^-n and sums of ranks stay far from a double's ends

/// Ranks from 1 of the absolute values, times 2, so that shared ones are whole.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& differences) {
  std::vector<double> sizes(differences.size());
  std::transform(differences.begin(), differences.end(), sizes.begin(),
                 [](double x) { return std::abs(x); });
  std::vector<double> rising = sizes;
  std::sort(rising.begin(), rising.end());
  std::vector<std::size_t> ranks;
  for (double size : sizes) {
    const auto [first, last] = std::equal_range(rising.begin(), rising.end(), size);
    ranks.push_back(
        static_cast<std::size_t>((first - rising.begin()) + (last - rising.begin()) + 1));
  }
  return ranks;
}

}  // namespace

double wilcoxon_p(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || a.empty()) {
    throw InputError("wilcoxon: " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                     " numbers, expected as many of both and at least one");
  }
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = a[i] - b[i];
    if (!std::isfinite(difference)) throw InputError("wilcoxon: expected finite numbers");
    if (difference != 0) differences.push_back(difference);
  }
  if (differences.empty()) return 1;
  if (differences.size() > kMostPairs) {
    throw InputError("wilcoxon: " + std::to_string(differences.size()) +
                     " pairs, expected at most " + std::to_string(kMostPairs));
  }
  const std::vector<std::size_t> ranks = doubled_ranks(differences);
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::size_t above = 0;
  // chance[s]: that the ranks of the positive differences sum to s.
  std::vector<double> chance(total + 1);
  chance[0] = 1;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (differences[i] > 0) above += ranks[i];
    for (std::size_t sum = total + 1; sum-- > 0;) {
      chance[sum] = (chance[sum] + (sum >= ranks[i] ? chance[sum - ranks[i]] : 0)) / 2;
    }
  }
  const auto end = chance.begin() + static_cast<std::ptrdiff_t>(std::min(above, total - above)) + 1;
  return std::min(1.0, 2 * std::accumulate(chance.begin(), end, 0.0));
}

}  // namespace kakeya
