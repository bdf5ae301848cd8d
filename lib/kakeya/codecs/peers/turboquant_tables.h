// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kakeya {

// What turboquant computes once for a dim: additions, multiplications, divisions and square roots in
// double and in a fixed order, so that every machine has the same tables.

/// The Lloyd-Max quantiser of 2^bits levels for one coordinate of a random unit vector, whose density
/// is (1 - t^2)^((dim - 3) / 2) up to a factor. It is even: what is above zero is kept.
struct TurboCodebook {
  std::vector<double> levels;      ///< 2^(bits - 1), ascending: the means of the cells
  std::vector<double> thresholds;  ///< one fewer: halfway between neighbours, within 1e-13

  std::size_t count() const { return 2 * levels.size(); }

  /// The place of the level nearest to `t` among all, negative ones first.
  std::uint8_t code_of(float t) const;
  float value_of(std::uint8_t code) const;
};

/// `dim` in [8, 1024], `bits` in [1, 8]. Throws Error where it does not converge.
TurboCodebook make_turbo_codebook(std::size_t dim, int bits);

/// A square matrix of floats, row after row.
struct SquareMatrix {
  std::size_t dim = 0;
  std::vector<float> values;

  std::span<const float> row(std::size_t i) const {
    return std::span(values).subspan(i * dim, dim);
  }
};

/// y = A x, and y = A^T x: sums in double, in a fixed order. `dim` is a multiple of 8.
void multiply(const SquareMatrix& a, std::span<const float> x, std::span<float> y);
void multiply_transposed(const SquareMatrix& a, std::span<const float> x, std::span<float> y);

/// Independent standard normal entries.
SquareMatrix normal_matrix(std::uint64_t seed, std::uint64_t stream, std::size_t dim);

/// A rotation that is uniform over all (Haar): the orthonormal factor of a normal matrix, by
/// Gram-Schmidt, whose triangular factor has a positive diagonal.
SquareMatrix random_rotation(std::uint64_t seed, std::size_t dim);

/// The tables of a codec. A process keeps those used last, at most four; making them takes d^3
/// multiplications.
struct TurboTables {
  TurboCodebook codebook;
  SquareMatrix rotation, projection;
};

/// `levels_bits` 0: no codebook. The projection is empty where it is not wanted.
std::shared_ptr<const TurboTables> turbo_tables(std::uint64_t seed, std::size_t dim,
                                                int levels_bits, bool projection);

}  // namespace kakeya
