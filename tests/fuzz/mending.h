// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/codec/cache_codecs.h"

namespace kakeya::fuzz {

/// Sets version, length and checksum of a frame (kakeya/bitstream/frame.h) of at least 36 bytes.
void mend_frame(std::span<std::byte> frame);

/// Mends a changed cache file (kakeya/cache/cache_file.h), as much as its first byte says:
///   'K'    magic, version, lengths, offsets and checksums, so that texts, table and blocks may
///          change their length: the head is as long as what it says it holds, the blocks follow
///          it and each other, the last one has what is left. The upper byte of the version, which
///          a file has as 0, chooses the codecs that the file names: k > 0 gives pair k - 1 of
///          `pairs`, modulo their number.
///   'k'    magic, version, lengths of head and file, checksums; the table stays as it is
///   other  the magic
/// Checksums are those of the head and of every block that is where the table says it is: bf16
/// values, or a frame, which also gets its magic, version and length. A file that is whole stays as
/// it is.
void mend_cache_file(std::vector<std::byte>& file, std::span<const CodecPair> pairs);

}  // namespace kakeya::fuzz
