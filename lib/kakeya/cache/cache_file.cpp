// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/cache_file.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"
#include "kakeya/core/fields.h"

namespace kakeya {
namespace {

constexpr char kWhat[] = "cache file", kMagic[4] = {'K', 'K', 'V', 'C'};
constexpr std::size_t kFixedBytes = 72, kChecksumBytes = 4;
constexpr std::size_t kHeadBytesAt = 8, kFileBytesAt = 16;
// Fields of the table are this wide.
constexpr int kMostLayers = 65535, kMostHeads = 65535;
constexpr int kMost = std::numeric_limits<std::int32_t>::max();

std::string number(std::uint64_t value) { return std::to_string(value); }

// The texts, in file order.
template <typename Facts, typename Visit>
void for_each_text(Facts& facts, const Visit& visit) {
  auto& from = facts.origin;
  for (auto* text : {&from.model.name, &from.model.sha256, &from.architecture, &from.tokenizer.name,
                     &from.tokenizer.sha256, &from.text.name, &from.text.sha256, &facts.passage,
                     &facts.rope_layout, &facts.codecs.keys, &facts.codecs.values}) {
    visit(*text);
  }
}

void write_facts(FieldWriter& writer, const CacheFacts& facts) {
  const KvShape& shape = facts.extent.shape;
  const CachePolicy& policy = facts.extent.policy;
  if (shape.layers > kMostLayers || shape.kv_heads > kMostHeads) {
    throw InputError("cache file: " + std::to_string(shape.layers) + " layers of " +
                     std::to_string(shape.kv_heads) + " KV heads, expected at most 65535 of each");
  }
  writer.put_count(shape.layers, "layers");
  writer.put_count(shape.kv_heads, "KV heads");
  writer.put_count(shape.head_dim, "head_dim");
  writer.put_count(static_cast<std::int64_t>(facts.extent.tokens), "tokens");
  writer.put_count(policy.skipped_layers, "skipped layers");
  writer.put_count(policy.sinks, "sinks");
  writer.put_count(policy.residual_window, "residual window");
  writer.put_count(shape.query_heads, "query heads");
  writer.put(facts.rope_base);
  writer.put(facts.seed);
  for_each_text(facts, [&](const std::string& text) { writer.put_text(text); });
}

int get_count(FieldReader& reader, const char* what, int lowest, int highest = kMost) {
  const auto value = reader.get<std::uint32_t>();
  if (std::cmp_less(value, lowest) || std::cmp_greater(value, highest)) {
    throw CorruptStream(std::string("cache file: ") + what + " " + number(value));
  }
  return static_cast<int>(value);
}

CacheFacts read_facts(FieldReader& reader) {
  CacheFacts facts;
  CacheExtent& extent = facts.extent;
  extent.shape.layers = extent.policy.layers = get_count(reader, "layers", 1, kMostLayers);
  extent.shape.kv_heads = get_count(reader, "KV heads", 1, kMostHeads);
  extent.shape.head_dim = get_count(reader, "head_dim", 1);
  extent.tokens = static_cast<std::size_t>(get_count(reader, "tokens", 1));
  extent.policy.skipped_layers = get_count(reader, "skipped layers", 0, kMostLayers);
  extent.policy.sinks = get_count(reader, "sinks", 0);
  extent.policy.residual_window = get_count(reader, "residual window", 0);
  extent.shape.query_heads = get_count(reader, "query heads", 0);
  facts.rope_base = reader.get<double>();
  facts.seed = reader.get<std::uint64_t>();
  if (!std::isfinite(facts.rope_base)) throw CorruptStream("cache file: RoPE base not finite");
  for_each_text(facts, [&](std::string& text) { text = reader.get_text(); });
  try {
    extent.policy.check(extent.tokens);
  } catch (const InputError& error) {
    throw CorruptStream("cache file: " + std::string(error.what()));
  }
  return facts;
}

// All of the head but its checksum, which fits. Throws CorruptStream.
std::span<const std::byte> checked_head(std::span<const std::byte> file) {
  if (!is_cache_file(file)) {
    throw CorruptStream("cache file: does not begin with \"KKVC\": not a packed cache");
  }
  if (file.size() < kFixedBytes + kChecksumBytes) {
    throw CorruptStream("cache file: " + number(file.size()) + " bytes are too few for its head");
  }
  const auto version = FieldReader(file.subspan(sizeof kMagic), kWhat).get<std::uint16_t>();
  const auto head_bytes = FieldReader(file.subspan(kHeadBytesAt), kWhat).get<std::uint32_t>();
  const auto file_bytes = FieldReader(file.subspan(kFileBytesAt), kWhat).get<std::uint64_t>();
  if (version != kCacheFileVersion) {
    throw CorruptStream("cache file: format version " + number(version) + ": this build reads " +
                        number(kCacheFileVersion));
  }
  if (file_bytes != file.size()) {
    throw CorruptStream("cache file: says it has " + number(file_bytes) + " bytes, but there are " +
                        number(file.size()));
  }
  if (head_bytes < kFixedBytes + kChecksumBytes || head_bytes > file.size()) {
    throw CorruptStream("cache file: says its head has " + number(head_bytes) + " bytes of " +
                        number(file.size()));
  }
  const auto head = file.first(head_bytes - kChecksumBytes);
  if (FieldReader(file.subspan(head.size()), kWhat).get<std::uint32_t>() != crc32c(head)) {
    throw CorruptStream("cache file: the checksum of its head does not match: damaged");
  }
  return head;
}

}  // namespace

std::vector<std::byte> write_cache_head(CacheHead& head) {
  if (head.token_ids.size() != head.facts.extent.tokens) {
    throw InputError("cache file: " + number(head.token_ids.size()) + " token ids for " +
                     number(head.facts.extent.tokens) + " tokens");
  }
  FieldWriter writer(kWhat);
  for (const char letter : kMagic) writer.put(letter);
  writer.put(kCacheFileVersion);
  writer.put(static_cast<std::uint16_t>(head.facts.tap == TapPoint::pre_rope ? 0 : 1));
  writer.put(std::uint32_t{0});  // bytes of head and file: below
  writer.put_count(static_cast<std::int64_t>(head.blocks.size()), "blocks");
  writer.put(std::uint64_t{0});
  write_facts(writer, head.facts);
  for (const std::int32_t id : head.token_ids) writer.put(id);
  const std::size_t begin = writer.size() + head.blocks.size() * kEntryBytes + kChecksumBytes;
  if (begin > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("cache file: a head of " + number(begin) + " bytes, expected below 2^32");
  }
  std::uint64_t offset = begin;
  for (CacheBlock& block : head.blocks) {
    block.offset = offset;
    offset += block.bytes;
    write_entry(writer, block);
  }
  writer.put_at(kHeadBytesAt, static_cast<std::uint32_t>(begin));
  writer.put_at(kFileBytesAt, offset);
  writer.put(crc32c(writer.bytes()));
  return writer.take();
}

CacheHead read_cache_head(std::span<const std::byte> file) {
  FieldReader reader(checked_head(file), kWhat);
  reader.take(sizeof kMagic + sizeof kCacheFileVersion);
  const auto tap = reader.get<std::uint16_t>();
  if (tap > 1) throw CorruptStream("cache file: tap " + number(tap));
  const auto head_bytes = reader.get<std::uint32_t>();
  const std::uint64_t blocks = reader.get<std::uint32_t>();
  reader.take(sizeof(std::uint64_t));
  CacheHead head;
  head.facts = read_facts(reader);
  head.facts.tap = tap == 0 ? TapPoint::pre_rope : TapPoint::post_rope;
  const std::size_t tokens = head.facts.extent.tokens;
  if (reader.left() != sizeof(std::int32_t) * tokens + kEntryBytes * blocks) {
    throw CorruptStream("cache file: says its head has " + number(head_bytes) + " bytes, for " +
                        number(tokens) + " tokens and " + number(blocks) + " blocks");
  }
  head.token_ids.resize(tokens);
  const auto ids = reader.take(sizeof(std::int32_t) * tokens);
  std::memcpy(head.token_ids.data(), ids.data(), ids.size());
  head.blocks.reserve(blocks);
  for (std::uint64_t i = 0; i < blocks; ++i) {
    head.blocks.push_back(read_entry(reader, head.facts.extent));
  }
  check_blocks(head.blocks, head.facts.extent, head_bytes, file.size());
  return head;
}

bool is_cache_file(std::span<const std::byte> file) {
  return file.size() >= sizeof kMagic && std::memcmp(file.data(), kMagic, sizeof kMagic) == 0;
}

}  // namespace kakeya
