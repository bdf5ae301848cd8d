// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/core/rows.h"
#include "kakeya/core/vector_sums.h"

namespace kakeya {

/// How far decoded vectors are from the originals: fp64 sums over any number of vectors, added one
/// at a time, in a fixed order. An exact copy gives rel_mse 0, sqnr_db +infinity, mean_cosine 1 and
/// max_abs_error 0, also when every vector is zero.
class Distortion {
 public:
  /// One vector and what came back. Throws InputError when the lengths differ or a scalar of either
  /// is not finite; the accumulator is then unchanged.
  void add(std::span<const float> original, std::span<const float> decoded);

  /// A vector of `values` scalars by its sums, wherever they were taken. Throws InputError where one
  /// of them is not finite.
  void add(const VectorSums& sums, std::size_t values);

  /// As many vectors and what came back of them, row by row.
  void add(Rows<const float> original, Rows<const float> decoded);

  /// As if the vectors of `other` had been added here.
  void merge(const Distortion& other);

  std::uint64_t vectors() const { return vectors_; }
  std::uint64_t values() const { return values_; }  ///< scalars

  /// sum ||x - x'||^2 / sum ||x||^2, uncentred. 0 when nothing differs; +infinity when the
  /// originals are all zero and the copies are not. This and the three below throw InputError when
  /// no vector was added.
  double rel_mse() const;

  /// Signal to quantisation noise: -10 log10(rel_mse), dB.
  double sqnr_db() const;

  /// Mean over vectors of <x, x'> / (||x|| ||x'||). A pair of zero vectors counts as 1, a pair with
  /// one zero vector as 0.
  double mean_cosine() const;

  /// max |x_i - x'_i| over all scalars.
  double max_abs_error() const;

 private:
  void require_vectors() const;

  std::uint64_t vectors_ = 0, values_ = 0;
  double error_ = 0, energy_ = 0, cosine_ = 0, max_abs_error_ = 0;
};

}  // namespace kakeya
