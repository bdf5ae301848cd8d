// SPDX-License-Identifier: Apache-2.0
// Every kernel as a plain loop: the portable target, and the oracle of the others' tests.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/lattice/quantise.h"
#include "kakeya/simd/kernels.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace plain {  // their names are those of tile.h without the suffix
namespace {

void load(Rows<const float> x, float* tile, std::uint32_t* largest) {
  std::fill_n(largest, kTileRows, 0u);
  std::fill_n(tile, x.dim * kTileRows, 0.0f);
  for (std::size_t row = 0; row < x.count; ++row) {
    for (std::size_t i = 0; i < x.dim; ++i) {
      const float value = x[row][i];
      tile[i * kTileRows + row] = value;
      largest[row] = std::max(largest[row], std::bit_cast<std::uint32_t>(value) & 0x7fffffffu);
    }
  }
}

void store(const float* tile, Rows<float> x) {
  for (std::size_t row = 0; row < x.count; ++row) {
    for (std::size_t i = 0; i < x.dim; ++i) x[row][i] = tile[i * kTileRows + row];
  }
}

void scale_and_store(const float* tile, const float* factor, const float* signs, Rows<float> x) {
  for (std::size_t row = 0; row < x.count; ++row) {
    for (std::size_t i = 0; i < x.dim; ++i) {
      float value = tile[i * kTileRows + row];
      value = value == 0.0f || factor[row] == 0.0f ? 0.0f : value * factor[row];
      x[row][i] = signs == nullptr ? value : value * signs[i];
    }
  }
}

void points_to_lanes(const float* tile, std::size_t dim, std::int32_t* twice) {
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; ++row) {
      twice[2 * kTileRows * i + row] = static_cast<std::int32_t>(2.0f * tile[i * kTileRows + row]);
    }
  }
}

void lanes_to_points(const std::int32_t* twice, std::size_t dim, float* tile) {
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; ++row) {
      tile[i * kTileRows + row] = 0.5f * static_cast<float>(twice[2 * kTileRows * i + row]);
    }
  }
}

void scale_vectors(float* tile, std::size_t dim, const float* factor) {
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; ++row) tile[i * kTileRows + row] *= factor[row];
  }
}

void scale_coordinates(float* tile, std::size_t dim, const float* factor) {
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; ++row) tile[i * kTileRows + row] *= factor[i];
  }
}

void shift_coordinates(float* tile, std::size_t dim, const float* offset) {
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; ++row) tile[i * kTileRows + row] += offset[i];
  }
}

// The sums of hadamard() of lattice/hadamard.h with a tile's row of sixteen in the place of a
// number.
void butterflies(float* tile, std::size_t dim, std::size_t first, std::size_t end) {
  for (std::size_t half = first; half < end; half *= 2) {
    for (std::size_t start = 0; start < dim; start += 2 * half) {
      float* low = tile + start * kTileRows;
      float* high = low + half * kTileRows;
      for (std::size_t i = 0; i < half * kTileRows; ++i) {
        const float a = low[i], b = high[i];
        low[i] = a + b;
        high[i] = a - b;
      }
    }
  }
}

void sum(float* tile, std::size_t dim, std::size_t first) { butterflies(tile, dim, first, dim); }

void load_first_stages(Rows<const float> x, const float* signs, float* tile,
                       std::uint32_t* largest) {
  load(x, tile, largest);
  if (signs != nullptr) scale_coordinates(tile, x.dim, signs);
  butterflies(tile, x.dim, 1, 8);
}

// Nothing is turned: only these two know of it.
void first_stages_to_rows(float* tile, std::size_t dim) { butterflies(tile, dim, 1, 8); }

void store_row_sums(const float* tile, std::size_t first, const float* factor, const float* signs,
                    Rows<float> x) {
  std::vector<float> sums(tile, tile + x.dim * kTileRows);
  butterflies(sums.data(), x.dim, first, x.dim);
  scale_and_store(sums.data(), factor, signs, x);
}

void measure(const float* tile, std::size_t dim, float* sum_of_squares, float* largest) {
  float part[4][kTileRows] = {}, most[kTileRows] = {};
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t row = 0; row < kTileRows; ++row) {
      const float value = tile[i * kTileRows + row];
      part[i % 4][row] += value * value;
      most[row] = std::max(most[row], std::fabs(value));
    }
  }
  for (std::size_t row = 0; row < kTileRows; ++row) {
    const float sum = (part[0][row] + part[2][row]) + (part[1][row] + part[3][row]);
    if (sum_of_squares != nullptr) sum_of_squares[row] = sum;
    largest[row] = most[row];
  }
}

void quantise(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
              float bound) {
  const auto block = static_cast<std::size_t>(block_length(lattice));
  for (std::size_t first = 0; first < dim; first += block) {
    for (std::size_t row = 0; row < kTileRows; ++row) {
      float* column = tile + first * kTileRows + row;
      float t[8] = {}, point[8] = {};
      for (std::size_t i = 0; i < block; ++i) t[i] = column[i * kTileRows] * inverse_step[row];
      quantise_block(lattice, t, bound, point);
      for (std::size_t i = 0; i < block; ++i) {
        column[i * kTileRows] = point[i];
      }
    }
  }
}

void quantise_to_rows(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                      float bound) {
  quantise(lattice, tile, dim, inverse_step, bound);
  first_stages_to_rows(tile, dim);
}

void two_scales(const float* sum_of_squares, const float* largest, double unit, int levels,
                const TwoScales& out) {
  for (std::size_t row = 0; row < kTileRows; ++row) {
    out.norm[row] = out.maximum[row] = 0;
    out.step[row] = out.inverse_step[row] = 0.0f;
    if (largest[row] == 0.0f) continue;
    const double norm = std::sqrt(double{sum_of_squares[row]});
    out.norm[row] = float_to_half(static_cast<float>(norm));
    out.maximum[row] = float_to_half(static_cast<float>(double{largest[row]} / norm));
    const float maximum = half_to_float(out.maximum[row]);
    out.step[row] = half_to_float(out.norm[row]) * (maximum / static_cast<float>(levels));
    out.inverse_step[row] = static_cast<float>(levels * unit / (maximum * norm));
  }
}

}  // namespace
}  // namespace plain

MoveKernels plain_move_kernels() {
  return {plain::load,
          plain::load_first_stages,
          plain::store,
          plain::scale_and_store,
          plain::first_stages_to_rows,
          plain::store_row_sums,
          plain::points_to_lanes,
          plain::lanes_to_points};
}

TransformKernels plain_transform_kernels() {
  return {plain::scale_vectors, plain::scale_coordinates, plain::shift_coordinates, plain::sum,
          plain::measure};
}

QuantiseKernels plain_quantise_kernels() { return {plain::quantise, plain::quantise_to_rows}; }

ScaleKernels plain_scale_kernels() { return {plain::two_scales}; }

}  // namespace kakeya
