// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/index_entropy.h"

#include "kakeya/core/error.h"

namespace kakeya {

std::optional<double> index_entropy_of_frame(const Codec& codec, std::span<const std::byte> frame) {
  const auto* reader = dynamic_cast<const FrameEntropy*>(&codec);
  if (reader == nullptr) {
    throw InputError(codec.spec() + ": the entropy of its indices is not to be read from a frame");
  }
  return reader->index_entropy_of_frame(frame);
}

}  // namespace kakeya
