// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace kakeya {

/// A view of `count` vectors of `dim` scalars whose starts are `stride` scalars apart. Owns nothing.
template <typename T>
struct Rows {
  T* data = nullptr;
  std::size_t count = 0;
  std::size_t dim = 0;
  std::size_t stride = 0;

  std::span<T> operator[](std::size_t row) const { return {data + row * stride, dim}; }
  std::size_t values() const { return count * dim; }
  bool contiguous() const { return stride == dim; }
  /// Rows [first, first + rows) of this view. The caller keeps first + rows <= count.
  Rows slice(std::size_t first, std::size_t rows) const {
    return {data + first * stride, rows, dim, stride};
  }
  operator Rows<const T>() const requires(!std::is_const_v<T>) {
    return {data, count, dim, stride};
  }
};

/// A view of a dense array of `count` vectors of `dim` scalars.
template <typename T>
Rows<T> dense_rows(T* data, std::size_t count, std::size_t dim) {
  return {data, count, dim, dim};
}

}  // namespace kakeya
