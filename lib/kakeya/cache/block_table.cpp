// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/block_table.h"

#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/fields.h"

namespace kakeya {
namespace {

// What check_frame() of every codec makes sure of: no more values of a frame for each of its bytes.
constexpr std::uint64_t kValuesAByte = 32;

enum Kind : std::uint8_t { kExact, kHeadFrame, kTokenFrame };

// Which vectors, [layer][K, V][head][token], blocks have held so far.
class Coverage {
 public:
  explicit Coverage(const CacheExtent& extent)
      : extent_(extent),
        heads_(extent.shape.heads()),
        held_(extent.shape.parts() * heads_ * extent.tokens) {}

  void add(const CacheBlock& block) {
    const FramePlace& place = block.place;
    if (place.site) {
      const auto head = static_cast<std::size_t>(place.site->head);
      mark(*place.site, head, head + 1, place.tokens);
    } else if (block.exact) {
      mark(*block.exact, 0, heads_, place.tokens);
    } else {
      for_each_part(place.layers, 0,
                    [&](KvSite site, std::size_t) { mark(site, 0, heads_, place.tokens); });
    }
  }

 private:
  void mark(KvSite site, std::size_t first, std::size_t last, TokenRange tokens) {
    for (std::size_t head = first; head < last; ++head) {
      for (std::size_t token = tokens.first; token < tokens.first + tokens.count; ++token) {
        auto held = held_[(site.index() * heads_ + head) * extent_.tokens + token];
        if (held) throw CorruptStream("cache file: " + site_name(site) + ": held twice");
        held = true;
      }
    }
  }

  const CacheExtent& extent_;
  std::size_t heads_;
  std::vector<bool> held_;
};

// Throws CorruptStream when that is more than `most`.
std::uint64_t values_of_cache(const CacheExtent& extent, std::uint64_t most) {
  std::uint64_t values = 1;
  const KvShape& shape = extent.shape;
  for (const std::uint64_t factor : {shape.parts(), shape.heads(), shape.dim(), extent.tokens}) {
    if (factor != 0 && values > most / factor) {
      throw CorruptStream("cache file: too short for the values that it says it has");
    }
    values *= factor;
  }
  return values;
}

}  // namespace

std::string describe_block(const CacheBlock& block) {
  if (!block.exact) return describe_place(block.place);
  return site_name(*block.exact) + ", tokens from " + std::to_string(block.place.tokens.first);
}

std::uint64_t values_of(const CacheBlock& block, const CacheExtent& extent) {
  const std::uint64_t vector =
      block.exact ? extent.shape.part_width() : block.place.vector_values(extent.shape);
  return block.place.tokens.count * vector;
}

std::vector<CacheBlock> plan_blocks(const CacheCodecs& codecs, const CacheExtent& extent) {
  std::vector<CacheBlock> blocks;
  const TokenRange coded =
      extent.policy.exact_ends("a cache file").coded(extent.tokens, extent.tokens);
  const std::size_t end = coded.first + coded.count;
  const auto keep = [&](KvSite site, TokenRange tokens) {
    if (tokens.count == 0) return;
    CacheBlock block{site, {{site.layer, 1}, std::nullopt, tokens}, 0, 0};
    block.bytes = 2 * values_of(block, extent) + kBlockChecksumBytes;
    blocks.push_back(block);
  };
  for (int layer = 0; layer < extent.shape.layers; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      if (extent.policy.codes(layer)) {
        keep(site, {0, coded.first});
        keep(site, {end, extent.tokens - end});
      } else {
        keep(site, {0, extent.tokens});
      }
    }
  }
  for (const FramePlace& place :
       frames_of_cache(codecs, extent.policy, extent.shape.heads(), coded)) {
    blocks.push_back({std::nullopt, place, 0, 0});
  }
  return blocks;
}

void write_entry(FieldWriter& writer, const CacheBlock& block) {
  const FramePlace& place = block.place;
  const KvSite site = block.exact.value_or(place.site.value_or(KvSite{}));
  writer.put(static_cast<std::uint16_t>(place.layers.first));
  writer.put(static_cast<std::uint16_t>(place.layers.count));
  writer.put(block.exact ? kExact : place.site ? kHeadFrame : kTokenFrame);
  writer.put(static_cast<std::uint8_t>(site.part == Part::key ? 0 : 1));
  writer.put(static_cast<std::uint16_t>(place.site ? place.site->head : 0));
  writer.put_count(static_cast<std::int64_t>(place.tokens.first), "first token");
  writer.put_count(static_cast<std::int64_t>(place.tokens.count), "tokens");
  writer.put(block.offset);
  writer.put(block.bytes);
}

CacheBlock read_entry(FieldReader& reader, const CacheExtent& extent) {
  const int first = reader.get<std::uint16_t>(), layers = reader.get<std::uint16_t>(),
            kind = reader.get<std::uint8_t>(), part = reader.get<std::uint8_t>(),
            head = reader.get<std::uint16_t>();
  CacheBlock block;
  block.place.layers = {first, layers};
  block.place.tokens.first = reader.get<std::uint32_t>();
  block.place.tokens.count = reader.get<std::uint32_t>();
  block.offset = reader.get<std::uint64_t>();
  block.bytes = reader.get<std::uint64_t>();
  const bool known = kind <= kTokenFrame && part <= (kind == kTokenFrame ? 0 : 1) &&
                     (kind == kHeadFrame || head == 0) && (kind == kTokenFrame || layers == 1);
  const TokenRange tokens = block.place.tokens;
  if (!known || layers < 1 || first + layers > extent.shape.layers ||
      head >= extent.shape.kv_heads || tokens.count == 0 ||
      tokens.first + tokens.count > extent.tokens) {
    throw CorruptStream("cache file: a block of layers, tokens or a kind that are not there");
  }
  const KvSite site{first, part == 0 ? Part::key : Part::value};
  if (kind == kExact) block.exact = site;
  if (kind == kHeadFrame) block.place.site = KvSite{first, site.part, head};
  if (kind != kExact && !(extent.policy.codes(first) && extent.policy.codes(first + layers - 1))) {
    throw CorruptStream("cache file: " + describe_block(block) + ": a frame of a skipped layer");
  }
  return block;
}

void check_blocks(const std::vector<CacheBlock>& blocks, const CacheExtent& extent,
                  std::uint64_t begin, std::uint64_t end) {
  std::uint64_t left = values_of_cache(extent, kValuesAByte * end), offset = begin;
  for (const CacheBlock& block : blocks) {
    const std::uint64_t values = values_of(block, extent);
    if (block.offset != offset || block.bytes > end - offset) {
      throw CorruptStream("cache file: " + describe_block(block) +
                          ": does not follow the block before it");
    }
    const bool fits = block.exact ? block.bytes == 2 * values + kBlockChecksumBytes
                                  : values / kValuesAByte <= block.bytes;
    if (!fits || values > left) {
      throw CorruptStream("cache file: " + describe_block(block) + ": " +
                          std::to_string(block.bytes) + " bytes for " + std::to_string(values) +
                          " values");
    }
    offset += block.bytes;
    left -= values;
  }
  if (offset != end) {
    throw CorruptStream("cache file: " + std::to_string(end - offset) + " bytes after its blocks");
  }
  if (left != 0) {
    throw CorruptStream("cache file: " + std::to_string(left) + " values are in no block");
  }
  // As many as the cache has: where none is held twice, all are held.
  Coverage coverage(extent);
  for (const CacheBlock& block : blocks) coverage.add(block);
}

}  // namespace kakeya
