// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_vectors.h"

#include <cstdint>

#include "kakeya/core/error.h"
#include "kakeya/device/kernel_view.h"
#include "kernels/kernels.h"

namespace kakeya {
namespace {

std::string shape_of(const DeviceVectors& x) {
  return std::to_string(x.tokens) + " x " + std::to_string(x.heads) + " x " + std::to_string(x.dim);
}

void require_view(const DeviceVectors& x) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(x.data) % 16 == 0;
  if (aligned && x.dim % 8 == 0 && x.token_stride % 8 == 0 && x.head_stride % 8 == 0) return;
  throw InputError("vectors in device memory: dim " + std::to_string(x.dim) + ", strides " +
                   std::to_string(x.token_stride) + " and " + std::to_string(x.head_stride) +
                   " given, expected multiples of 8, from a multiple of 16 bytes on");
}

void require_views(const DeviceVectors& x, const DeviceVectors& y) {
  require_view(x);
  require_view(y);
  if (x.tokens == y.tokens && x.heads == y.heads && x.dim == y.dim) return;
  throw InputError("vectors in device memory: " + shape_of(x) + " and " + shape_of(y) +
                   " given, expected the same shape");
}

}  // namespace

DeviceVectors DeviceVectors::slice(TokenRange range) const {
  DeviceVectors part = *this;
  part.data = static_cast<std::byte*>(data) + range.first * token_stride * scalar_bytes();
  part.tokens = range.count;
  return part;
}

DeviceVectors dense_device_vectors(void* data, DeviceScalar type, std::size_t tokens,
                                   std::size_t heads, std::size_t dim) {
  return {data, type, tokens, heads, dim, heads * dim, dim};
}

kernels::Vectors kernel_view(const DeviceVectors& x) {
  return {x.data,
          static_cast<kernels::Scalar>(x.type),
          static_cast<std::int64_t>(x.tokens),
          static_cast<std::int64_t>(x.heads),
          static_cast<int>(x.dim),
          static_cast<std::int64_t>(x.token_stride),
          static_cast<std::int64_t>(x.head_stride)};
}

void convert_vectors(const DeviceVectors& x, const DeviceVectors& y, DeviceStream stream) {
  require_views(x, y);
  kernels::convert(kernel_view(x), kernel_view(y), false, stream);
}

void round_vectors_to_bf16(const DeviceVectors& x, DeviceStream stream) {
  require_view(x);
  if (x.type == DeviceScalar::bf16) return;
  kernels::convert(kernel_view(x), kernel_view(x), true, stream);
}

void scatter_vectors(const DeviceVectors& x, const DeviceVectors& y, const std::int32_t* places,
                     std::uint32_t* flag, DeviceStream stream) {
  require_view(x);
  require_view(y);
  if (x.heads != y.heads || x.dim != y.dim || y.type != DeviceScalar::bf16) {
    throw InputError("vectors in device memory: rows of " + shape_of(x) + " to those of " +
                     shape_of(y) + ", expected the same heads and dim, and bf16");
  }
  kernels::scatter(kernel_view(x), kernel_view(y), places, flag, stream);
}

void require_finite(std::uint32_t flag) {
  if ((flag & kernels::kNotFinite) == 0) return;
  throw InputError("keys or values that are not finite, expected finite numbers");
}

void compare_and_replace(const DeviceVectors& x, const DeviceVectors& decoded, VectorSums* sums,
                         DeviceStream stream) {
  require_views(x, decoded);
  kernels::compare_and_replace(kernel_view(x), kernel_view(decoded), sums, stream);
}

DeviceKvCache::DeviceKvCache(int layers, std::size_t tokens, std::size_t heads, std::size_t dim)
    : tokens_(tokens),
      heads_(heads),
      dim_(dim),
      parts_(2 * static_cast<std::size_t>(layers > 0 ? layers : 0)) {}

std::size_t DeviceKvCache::place_of(KvSite site, const DeviceVectors& shown) const {
  const auto layers = static_cast<int>(parts_.size() / 2);
  if (site.part == Part::query || site.layer < 0 || site.layer >= layers) {
    throw InputError(site_name(site) + ": expected keys or values of layers 0 to " +
                     std::to_string(layers - 1));
  }
  if (shown.tokens > tokens_ || shown.heads != heads_ || shown.dim != dim_) {
    throw InputError(site_name(site) + ": " + shape_of(shown) + " values, expected at most " +
                     shape_of({.tokens = tokens_, .heads = heads_, .dim = dim_}));
  }
  return site.index();
}

void DeviceKvCache::store(KvSite site, const DeviceVectors& values, DeviceStream stream) {
  std::unique_ptr<DeviceBuffer>& part = parts_[place_of(site, values)];
  if (values.tokens != tokens_) {
    throw InputError(site_name(site) + ": " + std::to_string(values.tokens) +
                     " tokens, expected all " + std::to_string(tokens_));
  }
  if (!part) part = std::make_unique<DeviceBuffer>(2 * tokens_ * heads_ * dim_);
  convert_vectors(values,
                  dense_device_vectors(part->data(), DeviceScalar::bf16, tokens_, heads_, dim_),
                  stream);
}

DeviceVectors DeviceKvCache::part(KvSite site) const {
  const std::unique_ptr<DeviceBuffer>& part =
      parts_[place_of(site, {.tokens = tokens_, .heads = heads_, .dim = dim_})];
  if (!part) throw InputError(site_name(site) + ": not stored");
  return dense_device_vectors(part->data(), DeviceScalar::bf16, tokens_, heads_, dim_);
}

void DeviceKvCache::load(KvSite site, const DeviceVectors& out, DeviceStream stream) const {
  place_of(site, out);
  convert_vectors(part(site).slice({0, out.tokens}), out, stream);
}

}  // namespace kakeya
