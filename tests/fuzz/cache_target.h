// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "fuzz/targets.h"

namespace kakeya::fuzz {

/// Target "cache": the input is a file of a whole cache (.kkv), mended as its first byte says
/// (mend_cache_file()).
bool run_cache(Input input);

/// Reads `file` and restores every block of it. Returns false when the file or one of its blocks
/// was refused. Throws Finding when
///   - anything but CorruptStream is thrown, or InputError that names no profile,
///   - reading the head, making the codecs, making the cache or restoring a block asks for more
///     memory than a small multiple of the bytes read,
///   - the head that was read is written to other bytes than it was read from,
///   - a restored value is not finite,
///   - all blocks together are restored to other values,
///   - a cache that was restored cannot be packed again, or comes back from that with other facts,
///     tokens or values that are kept exactly.
bool read_checked(std::span<const std::byte> file);

}  // namespace kakeya::fuzz
