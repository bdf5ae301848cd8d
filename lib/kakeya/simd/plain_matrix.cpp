// SPDX-License-Identifier: Apache-2.0
// Sums of rows as plain loops: the portable target, and the oracle of matrix.cpp.
#include "kakeya/simd/kernels.h"
#include "kakeya/simd/matrix.h"

namespace kakeya {
namespace plain {
namespace {

void add_combination(const float* factor, Rows<const float> rows, float* y) {
  for (std::size_t k = 0; k < rows.count; ++k) {
    const float* row = rows.data + k * rows.stride;
    for (std::size_t j = 0; j < rows.dim; ++j) y[j] += factor[k] * row[j];
  }
}

void subtract_symmetric(const float* x, const float* y, Rows<float> rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* row = rows.data + i * rows.stride;
    for (std::size_t j = 0; j < rows.dim; ++j) row[j] -= x[i] * y[j] + y[i] * x[j];
  }
}

void add_outer(const float* x, const float* y, Rows<float> rows) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* row = rows.data + i * rows.stride;
    for (std::size_t j = 0; j < rows.dim; ++j) row[j] += x[i] * y[j];
  }
}

void turn_rows(const Turn* turns, std::size_t count, std::size_t last, Rows<float> rows) {
  for (std::size_t k = 0; k < count; ++k) {
    float *low = rows.data + (last - k) * rows.stride, *high = low + rows.stride;
    const auto [c, s] = turns[k];
    for (std::size_t j = 0; j < rows.dim; ++j) {
      const float own = low[j], other = high[j];
      high[j] = s * own + c * other;
      low[j] = c * own - s * other;
    }
  }
}

}  // namespace
}  // namespace plain

MatrixKernels plain_matrix_kernels() {
  return {plain::add_combination, plain::subtract_symmetric, plain::add_outer, plain::turn_rows};
}

}  // namespace kakeya
