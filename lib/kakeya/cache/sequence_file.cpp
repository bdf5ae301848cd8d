// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/sequence_file.h"

#include <charconv>
#include <cstring>
#include <string>
#include <utility>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/cache/facts_head.h"
#include "kakeya/cache/packed_state.h"
#include "kakeya/core/error.h"
#include "kakeya/core/fields.h"

namespace kakeya {

struct SequenceLanes {
  using State = PackedCache::State;
  static const State& of(const PackedCache& cache) { return *cache.state_; }
  static State& of(PackedCache& cache) { return *cache.state_; }
};

namespace {

constexpr const char* kWhat = kSequenceKind.name;
constexpr std::size_t kLaneBytes = 24;
constexpr std::int32_t kNoNext = -1;
enum Flag : std::uint32_t { kSinksDropped = 1, kSteps = 2 };

std::string number(std::uint64_t value) { return std::to_string(value); }

struct LaneEntry {
  LaneRecord record;
  std::uint32_t checksum = 0;
  std::uint64_t bytes = 0;
};

void put_entry(FieldWriter& writer, std::size_t at, const LaneEntry& entry) {
  const LaneRecord& record = entry.record;
  writer.put_at(at, record.pages);
  writer.put_at(at + 4, record.dropped);
  writer.put_at(at + 8, (record.sinks_dropped ? kSinksDropped : 0u) | (record.steps ? kSteps : 0u));
  writer.put_at(at + 12, entry.checksum);
  writer.put_at(at + 16, entry.bytes);
}

LaneEntry take_entry(FieldReader& reader) {
  LaneEntry entry;
  entry.record.pages = reader.get<std::uint32_t>();
  entry.record.dropped = reader.get<std::uint32_t>();
  const auto flags = reader.get<std::uint32_t>();
  if (flags > (kSinksDropped | kSteps)) {
    throw CorruptStream(std::string(kWhat) + ": flags " + number(flags) + " of a lane");
  }
  entry.record.sinks_dropped = (flags & kSinksDropped) != 0;
  entry.record.steps = (flags & kSteps) != 0;
  entry.checksum = reader.get<std::uint32_t>();
  entry.bytes = reader.get<std::uint64_t>();
  return entry;
}

struct Head {
  SequenceHead sequence;
  std::vector<LaneEntry> lanes;
  std::size_t bytes = 0;
};

Head read_head(std::span<const std::byte> file) {
  FieldReader reader(checked_head(file, kSequenceKind), kWhat);
  FactsHead facts = take_facts(reader, kSequenceKind);
  Head head;
  head.bytes = facts.head_bytes;
  head.sequence.facts = std::move(facts.facts);
  const CacheExtent& extent = head.sequence.facts.extent;
  const auto layers = static_cast<std::size_t>(extent.shape.layers);
  const std::size_t lanes = facts.items;
  if (lanes > 2 * layers ||
      reader.left() != 4 * extent.tokens + 4 + 4 * layers + kLaneBytes * lanes) {
    throw CorruptStream(std::string(kWhat) + ": says its head has " + number(head.bytes) +
                        " bytes, for " + number(extent.tokens) + " tokens, " + number(layers) +
                        " layers and " + number(lanes) + " lanes");
  }
  head.sequence.token_ids.resize(extent.tokens);
  const auto ids = reader.take(4 * extent.tokens);
  if (!ids.empty()) std::memcpy(head.sequence.token_ids.data(), ids.data(), ids.size());
  const auto next = reader.get<std::int32_t>();
  if (next < kNoNext)
    throw CorruptStream(std::string(kWhat) + ": next token " + std::to_string(next));
  if (next != kNoNext) head.sequence.next = next;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    head.sequence.windows.push_back(reader.get<std::uint32_t>());
  }
  std::uint64_t left = file.size() - head.bytes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    head.lanes.push_back(take_entry(reader));
    if (head.lanes.back().bytes > left) {
      throw CorruptStream(std::string(kWhat) + ": lane " + number(lane) + " of " +
                          number(head.lanes.back().bytes) + " bytes, of which there are " +
                          number(left));
    }
    left -= head.lanes.back().bytes;
  }
  if (left != 0) {
    throw CorruptStream(std::string(kWhat) + ": " + number(left) + " bytes after its lanes");
  }
  return head;
}

[[noreturn]] void refuse(const std::string& what, const std::string& given,
                         const std::string& expected) {
  throw InputError(std::string(kWhat) + ": of " + what + " " + given + ", expected " + expected);
}

bool same_source(const Source& given, const Source& expected) {
  const bool digests = !given.sha256.empty() && !expected.sha256.empty();
  return digests ? given.sha256 == expected.sha256 : given.name == expected.name;
}

// The digest of a folder is of its tokenizer.json too: a model whose tokenizer is another says both.
void require_sources(const Origin& given, const Origin& expected) {
  const bool model = same_source(given.model, expected.model),
             tokenizer = same_source(given.tokenizer, expected.tokenizer),
             inside = given.tokenizer.sha256 == given.model.sha256;  // of a .gguf file
  if (!model && !tokenizer && !inside) {
    refuse("model", described(given.model) + " with tokenizer " + described(given.tokenizer),
           described(expected.model) + " with tokenizer " + described(expected.tokenizer));
  }
  if (!model) refuse("model", described(given.model), described(expected.model));
  if (!tokenizer) {
    refuse("tokenizer", described(given.tokenizer), described(expected.tokenizer));
  }
}

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string text_of(const KvShape& shape) {
  return std::to_string(shape.layers) + " layers of " + std::to_string(shape.kv_heads) +
         " KV heads of " + std::to_string(shape.head_dim);
}

std::string text_of(const CachePolicy& policy) {
  return (policy.skipped.empty()
              ? std::to_string(policy.skipped_layers) + " skipped layers at either end, "
              : "skipped layers " + policy.all_skipped().text() + ", ") +
         std::to_string(policy.sinks) + " sink tokens and a residual window of " +
         std::to_string(policy.residual_window);
}

std::string window_text(std::size_t window) {
  return window == 0 ? "no sliding window" : "a sliding window of " + number(window);
}

std::size_t window_of(const LayerCode& code) { return code.lanes.front().sliding; }

void require_cache(const SequenceHead& given, const SequenceLanes::State& cache) {
  const CacheExtent& extent = given.facts.extent;
  if (text_of(extent.shape) != text_of(cache.shape)) {
    refuse("shape", text_of(extent.shape), text_of(cache.shape));
  }
  if (extent.policy != cache.policy) {
    refuse("policy", text_of(extent.policy), text_of(cache.policy));
  }
  const CodecPair &codecs = given.facts.codecs, expected = cache.codecs.canonical();
  if (codecs.keys != expected.keys) refuse("codec of the keys", codecs.keys, expected.keys);
  if (codecs.values != expected.values) {
    refuse("codec of the values", codecs.values, expected.values);
  }
  for (std::size_t layer = 0; layer < cache.layers.size(); ++layer) {
    const std::size_t sliding = window_of(cache.layers[layer]);
    if (given.windows[layer] == sliding) continue;
    refuse("layer " + number(layer) + " with", window_text(given.windows[layer]),
           window_text(sliding));
  }
}

std::string lane_name(std::size_t layer, std::size_t lane, const LayerCode& code) {
  if (code.together()) return "layer " + number(layer);
  return site_name({static_cast<int>(layer), lane == 0 ? Part::key : Part::value});
}

}  // namespace

std::vector<std::byte> save_sequence(const PackedCache& cache, int sequence, CacheFacts facts,
                                     const std::vector<std::int32_t>& token_ids,
                                     std::optional<std::int32_t> next) {
  const SequenceLanes::State& state = SequenceLanes::of(cache);
  const SequenceLanes::State::Sequence& lanes = state.at(sequence);
  facts.codecs = state.codecs.canonical();
  facts.extent = {state.shape, cache.tokens(sequence, 0), state.policy};
  for (int layer = 1; layer < state.shape.layers; ++layer) {
    const std::size_t tokens = cache.tokens(sequence, layer);
    if (tokens == facts.extent.tokens) continue;
    throw InputError(std::string(kWhat) + ": layer " + std::to_string(layer) + " has " +
                     number(tokens) + " tokens, expected the " + number(facts.extent.tokens) +
                     " of layer 0");
  }
  if (token_ids.size() != facts.extent.tokens) {
    throw InputError(std::string(kWhat) + ": " + number(token_ids.size()) + " token ids for " +
                     number(facts.extent.tokens) + " tokens");
  }
  std::size_t count = 0;
  for (const auto& layer : lanes) count += layer.size();
  FieldWriter writer(kWhat);
  put_facts(writer, kSequenceKind, facts, count);
  for (const std::int32_t id : token_ids) writer.put(id);
  if (next && *next < 0) {
    throw InputError(std::string(kWhat) + ": next token " + std::to_string(*next) +
                     ", expected an id of 0 or more");
  }
  writer.put(next.value_or(kNoNext));
  for (const LayerCode& code : state.layers) {
    writer.put_count(static_cast<std::int64_t>(window_of(code)), "sliding window");
  }
  std::size_t at = writer.size();
  const std::size_t checksum = at + count * kLaneBytes, begin = checksum + kHeadChecksumBytes;
  writer.append(std::vector<std::byte>(begin - at));  // filled in below
  for (std::size_t layer = 0; layer < lanes.size(); ++layer) {
    for (std::size_t i = 0; i < lanes[layer].size(); ++i, at += kLaneBytes) {
      const LaneCode& code = state.layers[layer].lanes[i];
      const std::size_t first = writer.size();
      lanes[layer][i].store(code, writer);
      const auto bytes = writer.bytes().subspan(first);
      put_entry(writer, at, {lanes[layer][i].record(code), crc32c(bytes), bytes.size()});
    }
  }
  put_lengths(writer, kSequenceKind, begin, writer.size());
  writer.put_at(checksum, crc32c(writer.bytes().first(checksum)));
  return writer.take();
}

bool is_sequence_file(std::span<const std::byte> file) { return begins_as(file, kSequenceKind); }

SequenceHead read_sequence_head(std::span<const std::byte> file) {
  return std::move(read_head(file).sequence);
}

void require_facts(const CacheFacts& given, const CacheFacts& expected) {
  require_sources(given.origin, expected.origin);
  if (given.origin.architecture != expected.origin.architecture) {
    refuse("architecture", given.origin.architecture, expected.origin.architecture);
  }
  if (given.tap != expected.tap) {
    refuse("tap", std::string(tap_name(given.tap)), std::string(tap_name(expected.tap)));
  }
  if (given.rope_layout != expected.rope_layout) {
    refuse("RoPE layout", given.rope_layout, expected.rope_layout);
  }
  if (given.rope_base != expected.rope_base) {
    refuse("RoPE base", text_of(given.rope_base), text_of(expected.rope_base));
  }
}

int restore_sequence(PackedCache& cache, std::span<const std::byte> file,
                     const CacheFacts& expected) {
  const Head head = read_head(file);
  SequenceLanes::State& state = SequenceLanes::of(cache);
  require_facts(head.sequence.facts, expected);
  require_cache(head.sequence, state);
  std::size_t count = 0;
  for (const LayerCode& code : state.layers) count += code.lanes.size();
  if (count != head.lanes.size()) {
    throw CorruptStream(std::string(kWhat) + ": " + number(head.lanes.size()) +
                        " lanes, expected " + number(count));
  }
  auto left = file.subspan(head.bytes);
  auto entry = head.lanes.begin();
  SequenceLanes::State::Sequence lanes;
  for (std::size_t layer = 0; layer < state.layers.size(); ++layer) {
    const LayerCode& code = state.layers[layer];
    lanes.emplace_back();
    for (std::size_t i = 0; i < code.lanes.size(); ++i, ++entry) {
      const auto bytes = left.first(entry->bytes);
      left = left.subspan(entry->bytes);
      if (crc32c(bytes) != entry->checksum) {
        throw CorruptStream(lane_name(layer, i, code) + ": the checksum does not match: damaged");
      }
      try {
        lanes.back().push_back(
            Lane::restored(code.lanes[i], entry->record, head.sequence.facts.extent.tokens, bytes));
      } catch (const CorruptStream& error) {
        throw CorruptStream(lane_name(layer, i, code) + ": " + error.what());
      }
    }
    lanes.back().shrink_to_fit();
  }
  state.sequences.emplace(state.next, std::move(lanes));
  return state.next++;
}

}  // namespace kakeya
