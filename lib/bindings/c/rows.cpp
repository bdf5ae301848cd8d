// SPDX-License-Identifier: Apache-2.0
// Vectors of the caller, of three types.
#include <cstdint>

#include "bindings/c/handles.h"

namespace kakeya::c {
namespace {

constexpr std::size_t kMostScalars = std::size_t{1} << 48;

std::size_t bytes_of_type(kakeya_dtype dtype) {
  switch (dtype) {
    case KAKEYA_FLOAT32:
      return 4;
    case KAKEYA_FLOAT16:
    case KAKEYA_BFLOAT16:
      return 2;
    default:
      throw SpecError("dtype " + std::to_string(dtype) +
                      ": expected KAKEYA_FLOAT32, KAKEYA_FLOAT16 or KAKEYA_BFLOAT16");
  }
}

// The stride in scalars; throws on what cannot be such an array.
std::size_t checked_stride(const void* data, kakeya_dtype dtype, std::size_t count, std::size_t dim,
                           std::size_t stride, const char* argument) {
  const std::size_t bytes = bytes_of_type(dtype);
  if (stride == 0) stride = dim;
  if (stride < dim) {
    throw InputError(std::string(argument) + ": stride " + std::to_string(stride) +
                     " given, expected 0 or at least the " + std::to_string(dim) +
                     " scalars of a row");
  }
  require_fewer(count, stride, argument);
  if (count != 0) require(data, argument);
  if (reinterpret_cast<std::uintptr_t>(data) % bytes != 0) {
    throw InputError(std::string(argument) + ": an address that is no multiple of " +
                     std::to_string(bytes) + " given");
  }
  return stride;
}

}  // namespace

void require_fewer(std::size_t count, std::size_t dim, const char* argument) {
  if (dim != 0 && count > kMostScalars / dim) {
    throw InputError(std::string(argument) + ": " + std::to_string(count) + " rows of " +
                     std::to_string(dim) + " scalars given, expected at most 2^48 scalars");
  }
}

GivenRows::GivenRows(const void* data, kakeya_dtype dtype, std::size_t count, std::size_t dim,
                     std::size_t stride, const char* argument) {
  stride = checked_stride(data, dtype, count, dim, stride, argument);
  if (dtype == KAKEYA_FLOAT32) {
    rows_ = {static_cast<const float*>(data), count, dim, stride};
    return;
  }
  copy_.resize(count * dim);
  const auto to_float = dtype == KAKEYA_FLOAT16 ? half_to_float : bfloat16_to_float;
  for (std::size_t row = 0; row < count; ++row) {
    const auto* from = static_cast<const std::uint16_t*>(data) + row * stride;
    std::transform(from, from + dim, copy_.data() + row * dim, to_float);
  }
  rows_ = dense_rows<const float>(copy_.data(), count, dim);
}

WantedRows::WantedRows(void* data, kakeya_dtype dtype, std::size_t count, std::size_t dim,
                       std::size_t stride)
    : data_(data),
      dtype_(dtype),
      count_(count),
      dim_(dim),
      stride_(checked_stride(data, dtype, count, dim, stride, "rows")) {}

void WantedRows::convert(const std::vector<float>& values, std::size_t count) {
  const auto from_float =
      dtype_ == KAKEYA_FLOAT16 ? float_to_finite_half : float_to_finite_bfloat16;
  for (std::size_t row = 0; row < count; ++row) {
    const float* from = values.data() + row * dim_;
    std::transform(from, from + dim_, static_cast<std::uint16_t*>(data_) + row * stride_,
                   from_float);
  }
}

}  // namespace kakeya::c
