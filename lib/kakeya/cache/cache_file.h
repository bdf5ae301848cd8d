// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/cache/block_table.h"
#include "kakeya/core/origin.h"

namespace kakeya {

/// A whole cache in one file (.kkv). Little-endian; offsets in bytes:
///
///      0                 4                 8                 12                16
///      +-----------------+--------+--------+-----------------+-----------------+
///      | "KKVC"          | version| tap    | head bytes      | blocks          |
///      |                 | u16    | u16    | u32             | u32             |
///      +-----------------+--------+--------+-----------------+-----------------+
///   16 | file bytes u64: all of this       | layers u32      | KV heads u32    |
///      +-----------------+-----------------+-----------------+-----------------+
///   32 | head_dim u32    | tokens u32      | skipped u32     | sinks u32       |
///      +-----------------+-----------------+-----------------+-----------------+
///   48 | window u32      | query heads u32 | RoPE base f64                     |
///      +-----------------+-----------------+-----------------------------------+
///   64 | seed u64                          | texts: bytes u16, UTF-8; each     |
///      +-----------------------------------+-----------------------------------+
///      | token ids, i32 each                                                   |
///      +-----------------------------------------------------------------------+
///      | table of the blocks, 32 bytes each (block_table.h)                    |
///      +-----------------------------------------------------------------------+
///      | CRC-32C u32 of every byte before it                                   |
///      +-----------------------------------------------------------------------+
///      | the blocks, in the order of the table, from `head bytes` on           |
///      +-----------------------------------------------------------------------+
///
/// tap: 0 pre-rope, 1 post-rope. skipped: the first and last layers that are bf16. window: tokens
/// of the residual window. The texts: model name and SHA-256, architecture, tokenizer and SHA-256,
/// text name and SHA-256, origin of the passage, RoPE layout, codec of the keys, codec of the
/// values. Nothing else: lengths add up exactly, no gaps. The blocks hold every value once, so one
/// head, one page or one run of layers is found in the table and read alone.
inline constexpr std::uint16_t kCacheFileVersion = 1;

/// Where a cache came from and how it is coded.
struct CacheFacts {
  Origin origin;
  std::string passage;  ///< where it is within the text
  std::string rope_layout;
  double rope_base = 0;
  std::uint64_t seed = 0;
  TapPoint tap = TapPoint::pre_rope;
  CacheExtent extent;
  CodecPair codecs;  ///< canonical
};

/// What a file begins with.
struct CacheHead {
  CacheFacts facts;
  std::vector<std::int32_t> token_ids;  ///< one a token
  std::vector<CacheBlock> blocks;
};

/// The file's beginning, everything before the first block. The blocks, whose bytes are known, get
/// their offsets. Throws InputError on numbers that do not fit their fields, or token ids that are
/// not as many as tokens.
std::vector<std::byte> write_cache_head(CacheHead& head);

/// Reads it back from the whole file. Throws CorruptStream unless lengths, checksum, facts and
/// blocks (check_blocks()) are those of a cache file. The blocks themselves are not looked at.
/// Memory is at most 8 bytes for a byte of the file and 4 KiB.
CacheHead read_cache_head(std::span<const std::byte> file);

/// Whether bytes begin as a cache file does.
bool is_cache_file(std::span<const std::byte> file);

}  // namespace kakeya
