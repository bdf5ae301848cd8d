// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/facts_head.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kFixedBytes = 72, kHeadBytesAt = 8, kFileBytesAt = 16;
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

void write_facts(FieldWriter& writer, const HeadKind& kind, const CacheFacts& facts) {
  const KvShape& shape = facts.extent.shape;
  const CachePolicy& policy = facts.extent.policy;
  if (shape.layers > kMostLayers || shape.kv_heads > kMostHeads) {
    throw InputError(std::string(kind.name) + ": " + std::to_string(shape.layers) + " layers of " +
                     std::to_string(shape.kv_heads) + " KV heads, expected at most 65535 of each");
  }
  if (!policy.skipped.empty() && !is_plan(facts.codecs.keys)) {
    throw InputError(std::string(kind.name) + ": skips layers " + policy.all_skipped().text() +
                     " without a plan that says so: expected one (with_skipped())");
  }
  policy.require_only(
      "a " + std::string(kind.name),
      {&CachePolicy::skipped_layers, &CachePolicy::sinks, &CachePolicy::residual_window});
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

int get_count(FieldReader& reader, const HeadKind& kind, const char* what, int lowest,
              int highest = kMost) {
  const auto value = reader.get<std::uint32_t>();
  if (std::cmp_less(value, lowest) || std::cmp_greater(value, highest)) {
    throw CorruptStream(std::string(kind.name) + ": " + what + " " + number(value));
  }
  return static_cast<int>(value);
}

// The layers that a plan skips, where the codecs are a plan's: the field has those at the ends.
void take_plan(CacheFacts& facts, const HeadKind& kind) {
  if (!is_plan(facts.codecs.keys)) return;
  CachePolicy& policy = facts.extent.policy;
  const int stored = policy.skipped_layers;
  try {
    policy.skip(CodecPlan::parse(facts.codecs.keys, "plan").skip);
  } catch (const SpecError& error) {
    throw CorruptStream(std::string(kind.name) + ": " + error.what());
  }
  if (policy.skipped_layers == stored) return;
  throw CorruptStream(std::string(kind.name) + ": skipped layers " + std::to_string(stored) +
                      " at either end, but its plan skips " +
                      std::to_string(policy.skipped_layers));
}

CacheFacts read_facts(FieldReader& reader, const HeadKind& kind) {
  CacheFacts facts;
  CacheExtent& extent = facts.extent;
  extent.shape.layers = extent.policy.layers = get_count(reader, kind, "layers", 1, kMostLayers);
  extent.shape.kv_heads = get_count(reader, kind, "KV heads", 1, kMostHeads);
  extent.shape.head_dim = get_count(reader, kind, "head_dim", 1);
  extent.tokens = static_cast<std::size_t>(get_count(reader, kind, "tokens", kind.least_tokens));
  extent.policy.skipped_layers = get_count(reader, kind, "skipped layers", 0, kMostLayers);
  extent.policy.sinks = get_count(reader, kind, "sinks", 0);
  extent.policy.residual_window = get_count(reader, kind, "residual window", 0);
  extent.shape.query_heads = get_count(reader, kind, "query heads", 0);
  facts.rope_base = reader.get<double>();
  facts.seed = reader.get<std::uint64_t>();
  if (!std::isfinite(facts.rope_base))
    throw CorruptStream(std::string(kind.name) + ": RoPE base not finite");
  for_each_text(facts, [&](std::string& text) { text = reader.get_text(); });
  take_plan(facts, kind);
  try {
    extent.policy.check(kind.least_tokens == 0 ? extent.policy.least_tokens() : extent.tokens);
  } catch (const InputError& error) {
    throw CorruptStream(std::string(kind.name) + ": " + error.what());
  }
  return facts;
}

// What begins otherwise than `kind` does.
std::string what_else(std::span<const std::byte> file, const HeadKind& kind) {
  for (const HeadKind* other : {&kCacheKind, &kSequenceKind}) {
    if (other != &kind && begins_as(file, *other))
      return std::string("this is ") + other->is + ", expected " + kind.is;
  }
  return std::string("not ") + kind.is;
}

}  // namespace

bool begins_as(std::span<const std::byte> file, const HeadKind& kind) {
  return file.size() >= sizeof kind.magic &&
         std::memcmp(file.data(), kind.magic, sizeof kind.magic) == 0;
}

void put_facts(FieldWriter& writer, const HeadKind& kind, const CacheFacts& facts,
               std::size_t items) {
  for (const char letter : kind.magic) writer.put(letter);
  writer.put(kind.version);
  writer.put(static_cast<std::uint16_t>(facts.tap == TapPoint::pre_rope ? 0 : 1));
  writer.put(std::uint32_t{0});  // bytes of head and file: put_lengths()
  writer.put_count(static_cast<std::int64_t>(items), kind.items);
  writer.put(std::uint64_t{0});
  write_facts(writer, kind, facts);
}

void put_lengths(FieldWriter& writer, const HeadKind& kind, std::size_t head_bytes,
                 std::uint64_t file_bytes) {
  if (head_bytes > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(std::string(kind.name) + ": a head of " + number(head_bytes) +
                     " bytes, expected below 2^32");
  }
  writer.put_at(kHeadBytesAt, static_cast<std::uint32_t>(head_bytes));
  writer.put_at(kFileBytesAt, file_bytes);
}

std::span<const std::byte> checked_head(std::span<const std::byte> file, const HeadKind& kind) {
  const std::string name(kind.name);
  if (!begins_as(file, kind)) {
    throw CorruptStream(name + ": does not begin with \"" +
                        std::string(kind.magic, sizeof kind.magic) +
                        "\": " + what_else(file, kind));
  }
  if (file.size() < kFixedBytes + kHeadChecksumBytes) {
    throw CorruptStream(name + ": " + number(file.size()) + " bytes are too few for its head");
  }
  const auto version = FieldReader(file.subspan(sizeof kind.magic), kind.name).get<std::uint16_t>();
  const auto head_bytes = FieldReader(file.subspan(kHeadBytesAt), kind.name).get<std::uint32_t>();
  const auto file_bytes = FieldReader(file.subspan(kFileBytesAt), kind.name).get<std::uint64_t>();
  if (version != kind.version) {
    throw CorruptStream(name + ": format version " + number(version) + ": this build reads " +
                        number(kind.version));
  }
  if (file_bytes != file.size()) {
    throw CorruptStream(name + ": says it has " + number(file_bytes) + " bytes, but there are " +
                        number(file.size()));
  }
  if (head_bytes < kFixedBytes + kHeadChecksumBytes || head_bytes > file.size()) {
    throw CorruptStream(name + ": says its head has " + number(head_bytes) + " bytes of " +
                        number(file.size()));
  }
  const auto head = file.first(head_bytes - kHeadChecksumBytes);
  if (FieldReader(file.subspan(head.size()), kind.name).get<std::uint32_t>() != crc32c(head)) {
    throw CorruptStream(name + ": the checksum of its head does not match: damaged");
  }
  return head;
}

FactsHead take_facts(FieldReader& reader, const HeadKind& kind) {
  reader.take(sizeof kind.magic + sizeof kind.version);
  const auto tap = reader.get<std::uint16_t>();
  if (tap > 1) throw CorruptStream(std::string(kind.name) + ": tap " + number(tap));
  FactsHead head;
  head.head_bytes = reader.get<std::uint32_t>();
  head.items = reader.get<std::uint32_t>();
  reader.take(sizeof(std::uint64_t));
  head.facts = read_facts(reader, kind);
  head.facts.tap = tap == 0 ? TapPoint::pre_rope : TapPoint::post_rope;
  return head;
}

}  // namespace kakeya
