// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/plain_inverse.h"

#include <algorithm>
#include <cmath>

namespace kakeya {
namespace {

// Rows of the matrix and of what becomes its inverse, side by side.
struct Pair {
  std::size_t dim;
  std::vector<double> left, right;

  void exchange(std::size_t a, std::size_t b) {
    const auto row = [&](std::vector<double>& all, std::size_t i) {
      return all.begin() + static_cast<std::ptrdiff_t>(i * dim);
    };
    std::swap_ranges(row(left, a), row(left, a + 1), row(left, b));
    std::swap_ranges(row(right, a), row(right, a + 1), row(right, b));
  }

  // Takes `factor` times row `from` away from row `to`; of the left side the columns from `first`.
  void subtract(std::size_t to, std::size_t from, double factor, std::size_t first) {
    for (std::size_t j = first; j < dim; ++j) left[to * dim + j] -= factor * left[from * dim + j];
    for (std::size_t j = 0; j < dim; ++j) right[to * dim + j] -= factor * right[from * dim + j];
  }
};

}  // namespace

std::vector<float> plain_inverse(std::span<const float> matrix, std::size_t dim) {
  Pair rows{dim, {matrix.begin(), matrix.end()}, std::vector<double>(dim * dim, 0.0)};
  for (std::size_t i = 0; i < dim; ++i) rows.right[i * dim + i] = 1;
  for (std::size_t k = 0; k < dim; ++k) {  // to an upper triangle
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < dim; ++i) {
      if (std::fabs(rows.left[i * dim + k]) > std::fabs(rows.left[pivot * dim + k])) pivot = i;
    }
    if (pivot != k) rows.exchange(pivot, k);
    const double inverse = 1 / rows.left[k * dim + k];
    for (std::size_t i = k + 1; i < dim; ++i) {
      rows.subtract(i, k, rows.left[i * dim + k] * inverse, k);
    }
  }
  for (std::size_t k = dim; k-- > 0;) {  // to the identity, from the last row up
    for (std::size_t i = k + 1; i < dim; ++i) rows.subtract(k, i, rows.left[k * dim + i], dim);
    const double diagonal = rows.left[k * dim + k];
    for (std::size_t j = 0; j < dim; ++j) rows.right[k * dim + j] /= diagonal;
  }
  return {rows.right.begin(), rows.right.end()};
}

}  // namespace kakeya
