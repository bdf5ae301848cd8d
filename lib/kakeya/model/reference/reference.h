// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace kakeya {

/// The published round trip (quantise and reconstruct, no bytes) as its authors composed it of
/// tensor operations, on the CPU in float32: what our own codecs are timed against. Each step is a
/// pass over all vectors with its own temporaries; the rotation is a product with the dense [dim,
/// dim] Hadamard matrix, which is built once, here.
class ReferenceCodec {
 public:
  /// `name` is e8, d4 or tq; `dim` a power of two from the lattice's block up; `levels`, at least
  /// 1, is the q of e8 and d4, and 2^(b-1) - 1 for tq. Throws SpecError or InputError when they are
  /// not, and InputError in a build without LibTorch.
  ReferenceCodec(std::string_view name, std::size_t dim, int levels);
  ~ReferenceCodec();
  ReferenceCodec(const ReferenceCodec&) = delete;
  ReferenceCodec& operator=(const ReferenceCodec&) = delete;

  /// Reads `vectors` vectors at `in` and writes as many to `out`, both dense. A zero vector gives
  /// zeros; as published, nothing guards against NaN, infinity or norms above 65504.
  void roundtrip(const float* in, std::size_t vectors, float* out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// LibTorch's and the BLAS's threads for roundtrip() calls of this thread from now on; at least 1.
void set_reference_threads(int threads);

/// "LibTorch 1.13.0, OpenBLAS 0.3.21 ...": what ReferenceCodec runs on. Empty in a build without
/// LibTorch.
std::string reference_library();

}  // namespace kakeya
