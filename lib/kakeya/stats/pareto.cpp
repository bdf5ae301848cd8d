// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/pareto.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

void require_numbers(std::span<const OperatingPoint> points) {
  for (const OperatingPoint& point : points) {
    if (std::isnan(point.rate) || std::isnan(point.loss))
      throw InputError("pareto: a point is NaN");
  }
}

bool better(const OperatingPoint& a, const OperatingPoint& b) {
  return a.rate <= b.rate && a.loss <= b.loss && (a.rate < b.rate || a.loss < b.loss);
}

}  // namespace

std::vector<std::size_t> pareto_front(std::span<const OperatingPoint> points) {
  require_numbers(points);
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::none_of(points.begin(), points.end(),
                     [&](const OperatingPoint& other) { return better(other, points[i]); })) {
      front.push_back(i);
    }
  }
  std::stable_sort(front.begin(), front.end(),
                   [&](std::size_t a, std::size_t b) { return points[a].rate < points[b].rate; });
  return front;
}

std::vector<Standing> pareto_standing(
    std::span<const OperatingPoint> points,
    const std::function<bool(std::size_t, std::size_t)>& surely_less) {
  require_numbers(points);
  std::vector<Standing> standing(points.size(), Standing::front);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t other = 0; other < points.size() && standing[i] != Standing::dominated;
         ++other) {
      if (!better(points[other], points[i])) continue;
      const bool less = points[other].loss < points[i].loss;
      standing[i] = less && surely_less(other, i) ? Standing::dominated : Standing::unresolved;
    }
  }
  return standing;
}

}  // namespace kakeya
