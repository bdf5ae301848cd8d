// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/int8_matrix.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

// The sum of squares of a column, added from the first row on.
double square_of_column(const std::vector<float>& matrix, std::size_t n, std::size_t column) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = matrix[i * n + column];
    sum += value * value;
  }
  return sum;
}

}  // namespace

std::vector<float> values_of(const Int8Matrix& matrix) {
  const std::size_t columns = matrix.scale.size();
  std::vector<float> values(matrix.steps.size());
  for (std::size_t at = 0; at < values.size(); ++at) {
    values[at] = matrix.scale[at % columns] * static_cast<float>(matrix.steps[at]);
  }
  return values;
}

std::vector<std::uint16_t> to_halves(std::span<const float> values) {
  std::vector<std::uint16_t> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), float_to_half);
  return halves;
}

std::vector<float> orthonormal_columns(std::vector<float> matrix, std::size_t n) {
  constexpr double kLeast = 1.0 / 256;  // of the square of a length
  std::vector<double> before(n);
  for (std::size_t j = 0; j < n; ++j) before[j] = square_of_column(matrix, n, j);
  std::vector<float> dots(n);
  for (std::size_t j = n; j-- > 0;) {
    const double square = square_of_column(matrix, n, j);
    if (!(square >= kLeast * before[j] && square > 0) || !std::isfinite(square)) {
      throw InputError("column " + std::to_string(j) + ": expected one that no others add up to");
    }
    const auto inverse = static_cast<float>(1.0 / std::sqrt(square));
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + j] *= inverse;
    // Sums over rows for all the other columns at once: neighbours in memory, and no sum is split.
    std::fill_n(dots.begin(), j, 0.0f);
    for (std::size_t i = 0; i < n; ++i) {
      const float here = matrix[i * n + j];
      const float* row = &matrix[i * n];
      for (std::size_t k = 0; k < j; ++k) dots[k] += here * row[k];
    }
    for (std::size_t i = 0; i < n; ++i) {
      const float here = matrix[i * n + j];
      float* row = &matrix[i * n];
      for (std::size_t k = 0; k < j; ++k) row[k] -= here * dots[k];
    }
  }
  return matrix;
}

}  // namespace kakeya
