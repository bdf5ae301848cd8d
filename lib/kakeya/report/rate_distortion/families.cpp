// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/families.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kakeya/report/result_group.h"

namespace kakeya {

std::vector<Family> families_of(const SourceResult& result) {
  std::vector<Family> families;
  for (const RatePoint& point : result.points) {
    const double rel_mse = point.distortion.rel_mse();
    if (!(rel_mse > 0) || !std::isfinite(rel_mse)) continue;
    const SpecParts parts = split_spec(point.spec);
    auto at = std::find_if(families.begin(), families.end(),
                           [&](const Family& family) { return family.name == parts.family; });
    if (at == families.end()) {
      families.push_back({parts.family, parts.rate_key, {}, {}});
      at = std::prev(families.end());
    }
    const auto place = std::upper_bound(
        at->points.begin(), at->points.end(), &point, [](const RatePoint* a, const RatePoint* b) {
          return a->measured_bits_per_value() < b->measured_bits_per_value();
        });
    at->rates.insert(at->rates.begin() + (place - at->points.begin()), parts.rate);
    at->points.insert(place, &point);
  }
  return families;
}

std::optional<double> gap_at(const Family& family, double bits_per_value) {
  for (std::size_t i = 1; i < family.points.size(); ++i) {
    const RatePoint &below = *family.points[i - 1], &above = *family.points[i];
    const double low = below.measured_bits_per_value(), high = above.measured_bits_per_value();
    if (bits_per_value < low || bits_per_value > high || low == high) continue;
    const double share = (bits_per_value - low) / (high - low);
    return below.gap_db() + share * (above.gap_db() - below.gap_db());
  }
  return std::nullopt;
}

}  // namespace kakeya
