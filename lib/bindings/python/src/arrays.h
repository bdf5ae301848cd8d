// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya::python {

namespace nb = nanobind;

/// An array that came from Python, by DLPack or the buffer protocol, on the host. It is not copied;
/// whoever owns it stays alive with this. Made and destroyed with the GIL held.
class InputArray {
 public:
  /// Throws TypeError naming `what` and what was given, unless it is an array of float32, float16 or
  /// bfloat16 on the host.
  InputArray(nb::handle array, const char* what);

  std::size_t axes() const { return shape_.size(); }
  std::size_t length(std::size_t axis) const { return shape_[axis]; }
  std::span<const std::size_t> shape() const { return shape_; }

 private:
  friend class InputRows;
  enum class Type { float32, float16, bfloat16 };

  nb::ndarray<nb::ro> holder_;
  Type type_ = Type::float32;
  const std::byte* data_ = nullptr;
  std::vector<std::size_t> shape_;
  std::vector<std::int64_t> strides_;  // in items
};

/// The rows of an array: its last `row_axes` axes are one row, those before them are rows in order.
/// Of float32 a view, where rows are dense and evenly spaced; else a copy, converted exactly. Does not
/// touch Python: made with the GIL released.
class InputRows {
 public:
  InputRows(const InputArray& array, std::size_t row_axes);

  Rows<const float> rows() const { return rows_; }

 private:
  Rows<const float> rows_;
  std::unique_ptr<float[]> copy_;
};

/// A new numpy array of float32, C-contiguous, and its rows: the last `row_axes` axes are one.
struct OutputArray {
  nb::object array;
  Rows<float> rows;
};
OutputArray new_array(std::span<const std::size_t> shape, std::size_t row_axes);

/// `out` of the caller, which stays alive while `holder` does. Throws TypeError unless it is a
/// writable array of float32 on the host, InputError unless its shape is `shape` and its rows are
/// dense and evenly spaced.
class CallersArray {
 public:
  CallersArray(nb::handle out, std::span<const std::size_t> shape, std::size_t row_axes);
  Rows<float> rows() const { return rows_; }

 private:
  nb::ndarray<> holder_;
  Rows<float> rows_;
};

/// The token ids of an argument: a sequence or array of whole numbers that fit int32.
std::vector<std::int32_t> token_ids_of(nb::handle ids);

/// A numpy array of int32.
nb::object new_ids(const std::vector<std::int32_t>& ids);

}  // namespace kakeya::python
