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

void add_panel(Rows<const float> factors, const float* rows, std::size_t stride, Rows<float> sums) {
  for (std::size_t i = 0; i < sums.count; ++i) {
    add_combination(factors[i].data(), {rows, factors.dim, kPanelWidth, stride}, sums[i].data());
  }
}

void add_pair_panel(Rows<const std::int32_t> factors, const std::int32_t* rows, std::size_t stride,
                    Rows<std::int32_t> sums) {
  const auto low = [](std::int32_t pair) { return static_cast<std::int16_t>(pair); };
  const auto high = [](std::int32_t pair) { return pair >> 16; };
  for (std::size_t i = 0; i < sums.count; ++i) {
    for (std::size_t k = 0; k < factors.dim; ++k) {
      const std::int32_t factor = factors[i][k];
      for (std::size_t j = 0; j < kPanelWidth; ++j) {
        const std::int32_t other = rows[k * stride + j];
        sums[i][j] += low(factor) * low(other) + high(factor) * high(other);
      }
    }
  }
}

void turn_rows(const Turn* turns, std::size_t count, std::size_t sweeps, std::size_t last,
               float* rows) {
  for (std::size_t k = 0; k < count * sweeps; ++k) {
    float *low = rows + (last - k % count) * kTurnColumns, *high = low + kTurnColumns;
    const auto [c, s] = turns[k];
    for (std::size_t j = 0; j < kTurnColumns; ++j) {
      const float own = low[j], other = high[j];
      high[j] = s * own + c * other;
      low[j] = c * own - s * other;
    }
  }
}

}  // namespace
}  // namespace plain

MatrixKernels plain_matrix_kernels() {
  return {plain::add_combination, plain::add_panel, plain::add_pair_panel, plain::turn_rows};
}

}  // namespace kakeya
