// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "kakeya/codec/codec.h"
#include "kakeya/core/rows.h"

namespace kakeya {

/// Reads a frame segment after segment, where what is coded of each was decided by those before it. What a
/// reader has learnt so far is its state; a copy is a checkpoint, which reads on from the same segment. The
/// frame and its codec outlive all copies. Copies are independent of one another; one reader is for one thread.
/// One that has read may hold threads; a copy holds none until it reads.
class SegmentReader {
 public:
  virtual ~SegmentReader() = default;

  /// Where the next segment begins; at the end, how many vectors the frame has.
  virtual std::size_t first() const = 0;

  /// Vectors of the next segment; 0 at the end.
  virtual std::size_t vectors() const = 0;

  /// Reads the next segment: what decode() of the frame gives there, to the last bit. Throws InputError
  /// unless `out` is [vectors(), dim], and CorruptStream, after which nothing more is read.
  virtual void next(Rows<float> out) = 0;

  /// A checkpoint: reads on from the same segment, apart from this one.
  virtual std::unique_ptr<SegmentReader> copy() const = 0;

  /// Bytes of matrices and sums that a copy holds beside the frame and the codec.
  virtual std::size_t state_bytes() const = 0;
};

/// A codec whose frames are read so.
class HasSegments {
 public:
  virtual ~HasSegments() = default;

  /// At the first segment. Throws CorruptStream when it is no frame of this codec.
  virtual std::unique_ptr<SegmentReader> segments(std::span<const std::byte> frame) const = 0;
};

/// That of `codec`. Throws InputError naming a codec whose frames have no segments, and CorruptStream as segments() does.
std::unique_ptr<SegmentReader> segments_of_frame(const Codec& codec,
                                                 std::span<const std::byte> frame);

}  // namespace kakeya
