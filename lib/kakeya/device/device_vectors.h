// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/vector_sums.h"
#include "kakeya/device/device_memory.h"

namespace kakeya {

/// Scalars of vectors in device memory.
enum class DeviceScalar { bf16, fp16, fp32 };

/// A view of vectors in device memory, [tokens, heads, dim]: vector (t, h) begins at data + t *
/// token_stride + h * head_stride, in scalars, and its scalars lie side by side. `data` is a
/// multiple of 16 bytes, the strides are multiples of 8. What is read is not changed.
struct DeviceVectors {
  void* data = nullptr;
  DeviceScalar type = DeviceScalar::bf16;
  std::size_t tokens = 0, heads = 0, dim = 0;
  std::size_t token_stride = 0, head_stride = 0;

  std::size_t scalar_bytes() const { return type == DeviceScalar::fp32 ? 4 : 2; }

  /// The view of `range` of its tokens. The caller keeps them within `tokens`.
  DeviceVectors slice(TokenRange range) const;
};

/// A view of a dense array.
DeviceVectors dense_device_vectors(void* data, DeviceScalar type, std::size_t tokens,
                                   std::size_t heads, std::size_t dim);

// Each puts one kernel on the stream, and throws InputError on views of different shapes, a dim that
// is no multiple of 8, or places and strides that are not as above.

/// x in the scalars of y, to nearest, ties to even; infinity beyond the end of a 16-bit type. What y
/// had is lost; they are the same view or have nothing in common.
void convert_vectors(const DeviceVectors& x, const DeviceVectors& y, DeviceStream stream);

/// Rounds x to bf16, ties to even, in place: round_to_bf16() on the device.
void round_vectors_to_bf16(const DeviceVectors& x, DeviceStream stream);

/// Puts row t of x, rounded to finite bf16, at row places[t] of y, bf16 [rows, heads, dim]; `places`, in device
/// memory, x.tokens words, null: row t; rows that y lacks (-1) are left out. What is not finite becomes zeros and sets the word
/// `flag` (require_finite()).
void scatter_vectors(const DeviceVectors& x, const DeviceVectors& y, const std::int32_t* places,
                     std::uint32_t* flag, DeviceStream stream);
/// Throws InputError where scatter_vectors() found what is not finite; `flag` is a copy in host memory.
void require_finite(std::uint32_t flag);

/// Writes to sums[head * x.tokens + token] how far `decoded`, fp32, is from `x`, in the order of
/// Distortion. What is decoded then takes the place of `x`, as by round_to_finite_bf16().
void compare_and_replace(const DeviceVectors& x, const DeviceVectors& decoded, VectorSums* sums,
                         DeviceStream stream);

/// Keys and values of a passage in device memory, as a bf16 cache holds them: KvCache there.
class DeviceKvCache {
 public:
  DeviceKvCache(int layers, std::size_t tokens, std::size_t heads, std::size_t dim);

  /// Keeps one part, rounded to bf16. Throws InputError on another shape or a site that it lacks.
  void store(KvSite site, const DeviceVectors& values, DeviceStream stream);

  /// Writes the first tokens of one part to `out`, as many as that has. Throws InputError as store()
  /// does, and where the part was never stored.
  void load(KvSite site, const DeviceVectors& out, DeviceStream stream) const;

  /// One part in its place. Throws InputError where it was never stored or is lacking.
  DeviceVectors part(KvSite site) const;

 private:
  std::size_t place_of(KvSite site, const DeviceVectors& shown) const;

  std::size_t tokens_, heads_, dim_;
  std::vector<std::unique_ptr<DeviceBuffer>> parts_;  // [layer][keys, values]
};

}  // namespace kakeya
