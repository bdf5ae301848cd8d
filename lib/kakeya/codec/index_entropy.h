// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "kakeya/codec/codec.h"

namespace kakeya {

/// What is known of a frame whose indices were counted as it was decoded.
struct CountedFrame {
  std::optional<double> bits_per_value;  ///< index_entropy_of_frame()
  double seconds = 0;                    ///< that counting took
};

/// A codec that reads the entropy of its indices from a frame: those who have the bytes, but not the
/// vectors, ask it.
class FrameEntropy {
 public:
  virtual ~FrameEntropy() = default;

  /// RateAccount::index_entropy_bits_per_value() of the vectors that `frame` was written for, to the
  /// last bit. Throws CorruptStream when it is no frame of this codec.
  virtual std::optional<double> index_entropy_of_frame(std::span<const std::byte> frame) const = 0;

  /// Codec::decode(), and counts on the way: for codecs to which counting alone would be all the work of
  /// decoding once more. Nothing, and `out` as it was, where a codec is none of these.
  virtual std::optional<CountedFrame> decode_and_count(std::span<const std::byte> frame,
                                                       Rows<float> out) const {
    (void)frame, (void)out;
    return std::nullopt;
  }
};

/// What `codec`, which wrote the frame, says of it. Throws InputError naming a codec that reads no
/// entropy from frames.
std::optional<double> index_entropy_of_frame(const Codec& codec, std::span<const std::byte> frame);

}  // namespace kakeya
