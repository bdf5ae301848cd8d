// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kakeya/cache/partition.h"
#include "kakeya/core/kv.h"

namespace kakeya {

class FieldReader;
class FieldWriter;

/// How large a cache is, and what of it is coded.
struct CacheExtent {
  KvShape shape;
  std::size_t tokens = 0;
  CachePolicy policy;  ///< its `layers` are those of the shape

  bool operator==(const CacheExtent&) const = default;
};

/// One block of a cache file. An entry of its table (little-endian; offsets in bytes):
///
///      0        2        4   5   6        8                 12                16
///      +--------+--------+---+---+--------+-----------------+-----------------+
///      | first  | layers | k | p | head   | first token     | tokens          |
///      | layer  | u16    | u8| u8| u16    | u32             | u32             |
///      | u16    |        |   |   |        |                 |                 |
///      +--------+--------+---+---+--------+-----------------+-----------------+
///   16 | offset u64, from the file's      | bytes u64                         |
///      | beginning                        |                                   |
///      +----------------------------------+-----------------------------------+
///
/// Kind k 0: bf16 [tokens, heads, dim] of the keys (part p 0) or values (1) of one layer, and the
/// CRC-32C u32 of these bytes: skipped layers, sinks, residual window. Kind 1: a frame
/// (bitstream/frame.h) of one head of the keys or values of one layer. Kind 2: a frame of whole
/// tokens. Fields that a kind has no use for are 0.
struct CacheBlock {
  /// What bf16 values are of; no value: the block is a frame.
  std::optional<KvSite> exact;
  FramePlace place;  ///< of bf16 values, one layer and some tokens without a site
  std::uint64_t offset = 0, bytes = 0;
};
inline constexpr std::size_t kEntryBytes = 32, kBlockChecksumBytes = 4;

/// "layer 0 keys, tokens from 0" or describe_place(): a block in a message.
std::string describe_block(const CacheBlock& block);

/// Scalars that a block of this cache holds.
std::uint64_t values_of(const CacheBlock& block, const CacheExtent& extent);

/// The blocks of a cache: bf16 values layer by layer, then the frames as frames_of_cache() has
/// them. Those of bf16 values have their bytes; offsets are 0. Throws InputError where the policy
/// leaves no token to code.
std::vector<CacheBlock> plan_blocks(const CacheCodecs& codecs, const CacheExtent& extent);

void write_entry(FieldWriter& writer, const CacheBlock& block);

/// Throws CorruptStream on an entry that means nothing in a cache of this extent.
CacheBlock read_entry(FieldReader& reader, const CacheExtent& extent);

/// Throws CorruptStream unless the blocks lie one after another in [begin, end) of a file, fill
/// it, are as long as what they hold needs, and together hold every value of the cache once. Before
/// it takes memory for that it makes sure that the file is not too short for so many values.
void check_blocks(const std::vector<CacheBlock>& blocks, const CacheExtent& extent,
                  std::uint64_t begin, std::uint64_t end);

}  // namespace kakeya
