// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace kakeya {

/// The published round trip (quantise and reconstruct, no bytes) as its authors composed it of
/// tensor operations, on the CPU in float32: what our own codecs are timed against. Each step is a
/// pass over all vectors with its own temporaries; the rotation is a product with the dense [dim,
/// dim] Hadamard matrix, which is built once.
class ReferenceCodec {
 public:
  virtual ~ReferenceCodec() = default;

  /// Reads `vectors` vectors at `in` and writes as many to `out`, both dense. A zero vector gives
  /// zeros; as published, nothing guards against NaN, infinity or norms above 65504.
  virtual void roundtrip(const float* in, std::size_t vectors, float* out) const = 0;
};

/// `name` is e8, d4 or tq; `dim` a power of two from the lattice's block up; `levels`, at least 1, is
/// the q of e8 and d4, and 2^(b-1) - 1 for tq. Throws SpecError or InputError when they are not, and
/// InputError in a build without LibTorch.
std::unique_ptr<ReferenceCodec> make_reference_codec(std::string_view name, std::size_t dim,
                                                     int levels);

}  // namespace kakeya
