// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/cache_file.h"

#include <cstring>
#include <utility>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/cache/facts_head.h"
#include "kakeya/core/error.h"
#include "kakeya/core/fields.h"

namespace kakeya {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

}  // namespace

std::vector<std::byte> write_cache_head(CacheHead& head) {
  if (head.token_ids.size() != head.facts.extent.tokens) {
    throw InputError("cache file: " + number(head.token_ids.size()) + " token ids for " +
                     number(head.facts.extent.tokens) + " tokens");
  }
  FieldWriter writer(kCacheKind.name);
  put_facts(writer, kCacheKind, head.facts, head.blocks.size());
  for (const std::int32_t id : head.token_ids) writer.put(id);
  const std::size_t begin = writer.size() + head.blocks.size() * kEntryBytes + kHeadChecksumBytes;
  std::uint64_t offset = begin;
  for (CacheBlock& block : head.blocks) {
    block.offset = offset;
    offset += block.bytes;
    write_entry(writer, block);
  }
  put_lengths(writer, kCacheKind, begin, offset);
  writer.put(crc32c(writer.bytes()));
  return writer.take();
}

CacheHead read_cache_head(std::span<const std::byte> file) {
  FieldReader reader(checked_head(file, kCacheKind), kCacheKind.name);
  FactsHead facts = take_facts(reader, kCacheKind);
  CacheHead head;
  head.facts = std::move(facts.facts);
  const std::uint64_t blocks = facts.items;
  const std::size_t tokens = head.facts.extent.tokens;
  if (reader.left() != sizeof(std::int32_t) * tokens + kEntryBytes * blocks) {
    throw CorruptStream("cache file: says its head has " + number(facts.head_bytes) +
                        " bytes, for " + number(tokens) + " tokens and " + number(blocks) +
                        " blocks");
  }
  head.token_ids.resize(tokens);
  const auto ids = reader.take(sizeof(std::int32_t) * tokens);
  std::memcpy(head.token_ids.data(), ids.data(), ids.size());
  head.blocks.reserve(blocks);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    head.blocks.push_back(read_entry(reader, head.facts.extent));
  }
  check_blocks(head.blocks, head.facts.extent, facts.head_bytes, file.size());
  return head;
}

bool is_cache_file(std::span<const std::byte> file) { return begins_as(file, kCacheKind); }

}  // namespace kakeya
