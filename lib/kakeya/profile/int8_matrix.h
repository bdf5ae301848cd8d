// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kakeya {

/// How a profile stores its matrices: as binary16, or a byte a value and a scale a column.
enum class MatrixFormat { fp16, int8 };

/// A matrix of a byte a value: in row i and column j stands scale[j] * steps[i, j].
struct Int8Matrix {
  std::vector<float> scale;        ///< [columns]
  std::vector<std::int8_t> steps;  ///< [rows, columns], row-major
  bool operator==(const Int8Matrix&) const = default;

  bool empty() const { return steps.empty(); }
  std::size_t bytes() const { return 4 * scale.size() + steps.size(); }
};

/// The values, [rows, columns]: one product in float each.
std::vector<float> values_of(const Int8Matrix& matrix);

/// The nearest binary16 of each.
std::vector<std::uint16_t> to_halves(std::span<const float> values);

/// The columns of [n, n] made orthonormal, one after another from the last to the first: each loses
/// its components along those behind it and is scaled to length 1 (Gram and Schmidt, modified). In
/// float and in one fixed order: the same bits everywhere. A rotation to principal components has
/// the strongest first, so that what rounding left of a strong one in a weak one, which costs bits,
/// stays as it was rounded, and the strong ones take what has to change. Throws InputError when a
/// column is, but for 1/16 of its length, a sum of others, as no rounded rotation's is.
std::vector<float> orthonormal_columns(std::vector<float> matrix, std::size_t n);

}  // namespace kakeya
