// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "kakeya/codec/codec.h"

namespace kakeya {

/// A codec that reads the entropy of its indices from a frame: those who have the bytes, but not the
/// vectors, ask it.
class FrameEntropy {
 public:
  virtual ~FrameEntropy() = default;

  /// RateAccount::index_entropy_bits_per_value() of the vectors that `frame` was written for, to the
  /// last bit. Throws CorruptStream when it is no frame of this codec.
  virtual std::optional<double> index_entropy_of_frame(std::span<const std::byte> frame) const = 0;
};

/// What `codec`, which wrote the frame, says of it. Throws InputError naming a codec that reads no
/// entropy from frames.
std::optional<double> index_entropy_of_frame(const Codec& codec, std::span<const std::byte> frame);

}  // namespace kakeya
