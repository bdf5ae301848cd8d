// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/time_updates.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/core/clock.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr double kOctaves = 6;  // from the strongest direction to the weakest

std::vector<float> normals(std::size_t count, std::uint64_t seed) {
  const Random random(seed, 8);
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(random.normal(i));
  return numbers;
}

// G diag(w) G^T, G [n, n] normal.
std::vector<float> second_moments(std::size_t width, std::uint64_t seed) {
  std::vector<float> weights(width);
  for (std::size_t i = 0; i < width; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(width);
    weights[i] =
        static_cast<float>(std::exp2(2 * kOctaves * (0.5 - place)) / static_cast<double>(width));
  }
  return weighted_square(normals(width * width, seed), weights);
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

double UpdateTime::operations() const {
  const auto n = static_cast<double>(width);
  return 12 * n * n * n;
}

UpdateTime time_update(std::size_t width, std::size_t rounds, const std::function<void()>& told) {
  const std::vector<float> own = second_moments(width, 1), before = second_moments(width, 2),
                           cross = normals(width * width, 3), lost(width, 1.0F);
  std::vector<double> eigenvectors, rest;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<float> square = before, predictor = cross, left = own;
    Clock::time_point start = Clock::now();
    solve_in_place(square, predictor, width);
    const std::vector<float> said = symmetric_product(transposed(cross, width), predictor, width);
    const std::vector<float> rounding = weighted_square(cross, lost);
    rest.push_back(seconds_since(start));
    start = Clock::now();
    const OrderedEigen eigen = ordered_eigen(std::move(left), width);
    eigenvectors.push_back(seconds_since(start));
    told();
  }
  return {width, median(std::move(eigenvectors)), median(std::move(rest)), rounds};
}

}  // namespace kakeya
