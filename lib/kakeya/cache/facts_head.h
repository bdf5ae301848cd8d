// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/fields.h"

namespace kakeya {

// What the files of caches begin with, drawn in cache_file.h: all up to the texts. What follows
// them to the end of the head is each file's own.

struct HeadKind {
  const char* name;   ///< of such a file, in messages
  const char* is;     ///< what it is
  const char* items;  ///< what it is cut into
  char magic[4];      ///< it begins with these
  std::uint16_t version;
  int least_tokens;
};
inline constexpr HeadKind kCacheKind{"cache file",         "a packed cache",  "blocks",
                                     {'K', 'K', 'V', 'C'}, kCacheFileVersion, 1};
inline constexpr HeadKind kSequenceKind{"saved sequence",
                                        "a sequence of a live cache, which such a cache restores",
                                        "lanes",
                                        {'K', 'K', 'V', 'S'},
                                        kSequenceFileVersion,
                                        0};
inline constexpr std::size_t kHeadChecksumBytes = 4;  // CRC-32C: a head ends with it

/// Begins a head of `items` blocks or lanes. Throws InputError on numbers that do not fit their
/// fields, and on those of a policy that have none.
void put_facts(FieldWriter& writer, const HeadKind& kind, const CacheFacts& facts,
               std::size_t items);

/// Fills in the lengths, of a head with its checksum. Throws InputError on a head of 2^32 bytes.
void put_lengths(FieldWriter& writer, const HeadKind& kind, std::size_t head_bytes,
                 std::uint64_t file_bytes);

/// Whether `file` begins as files of this kind do.
bool begins_as(std::span<const std::byte> file, const HeadKind& kind);

/// The head of a file without its checksum, which fits. Throws CorruptStream unless magic, version
/// and lengths are those of such a file.
std::span<const std::byte> checked_head(std::span<const std::byte> file, const HeadKind& kind);

/// Takes the facts off a checked head. Throws CorruptStream.
struct FactsHead {
  CacheFacts facts;
  std::uint32_t items = 0, head_bytes = 0;
};
FactsHead take_facts(FieldReader& reader, const HeadKind& kind);

}  // namespace kakeya
