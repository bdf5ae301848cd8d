// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/segment_reader.h"

#include "kakeya/core/error.h"

namespace kakeya {

std::unique_ptr<SegmentReader> segments_of_frame(const Codec& codec,
                                                 std::span<const std::byte> frame) {
  const auto* reader = dynamic_cast<const HasSegments*>(&codec);
  if (reader == nullptr) {
    throw InputError(codec.spec() + ": its frames have no segments: expected a codec that learns");
  }
  return reader->segments(frame);
}

}  // namespace kakeya
