// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/codec/spec_args.h"

namespace kakeya {

/// What llama.cpp does to the vectors of a quantised cache since its pull request 21038: the key
/// `rotate`. Neighbouring coordinates, `length` at a time, are multiplied by the orthonormal
/// Hadamard matrix (lattice/hadamard.h) before they are coded in blocks, and after they are
/// decoded. Immutable.
class BlockRotation {
 public:
  /// No rotation.
  BlockRotation() = default;

  /// The key `rotate` of a spec: none at 0, else a power of two from 32 on. Throws SpecError where
  /// it is neither, InputError where it does not divide `dim`.
  BlockRotation(SpecArgs& args, std::size_t dim);
  BlockRotation(const Spec& spec);

  /// Coordinates that are mixed; 0: there is no rotation.
  std::size_t length() const { return length_; }

  /// y = H x / 2^(16 window), where the window (window_of() of the largest magnitude) keeps the sums
  /// within float; returns it. Both have length() coordinates; `x` is finite.
  int forward(std::span<const float> x, std::span<float> y) const;

  /// y becomes H y times 2^(16 window), saturating at the largest float.
  void backward(std::span<float> y, int window) const;

 private:
  std::size_t length_ = 0;
};

inline constexpr std::size_t kLeastRotation = 32, kMostRotation = 1024;

inline constexpr CodecKey kRotateKey =
    whole_key("rotate", 0, static_cast<int>(kMostRotation), "0",
              "neighbouring coordinates that a Hadamard matrix mixes first, a power of two from 32 "
              "on that divides dim; 0: none. llama.cpp since April 2026, where 64 divides dim: of "
              "keys the largest, of values 64");
inline constexpr CodecKey kRotationKeys[] = {kRotateKey};

/// The largest error of a coordinate (ErrorBound) where one of a block of `block` is at most
/// `part` of the block's largest magnitude off: as it is, or as the rotation of `spec` spreads it.
double rotated_blocks_bound(const Spec& spec, std::span<const float> x, std::size_t block,
                            double part);

}  // namespace kakeya
