// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/codec/codec.h"

namespace kakeya::fuzz {

/// Decodes `frame`, which names `codec`, and each of its pages alone. Returns false when it was
/// refused. Throws Finding when
///   - anything but CorruptStream is thrown,
///   - the frame is taken for more than 128 bytes of values a byte of it,
///   - decoding asks for more memory than allocation_limit(),
///   - a decoded value is not finite, or was not written,
///   - the decoded vectors cannot be encoded (tried for one frame in 64, chosen by its checksum),
///   - a page decodes to other values alone.
bool decode_checked(const Codec& codec, std::span<const std::byte> frame);

}  // namespace kakeya::fuzz
