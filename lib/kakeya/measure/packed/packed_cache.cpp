// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/packed/packed_cache.h"

#include "kakeya/codec/ledger.h"

namespace kakeya {

CacheFacts cache_facts(const DumpHead& dump, const std::string& passage,
                       const CachePolicy& policy) {
  CacheFacts facts;
  facts.origin = dump.origin;
  facts.passage = passage;
  facts.rope_layout = dump.rope_layout;
  facts.rope_base = dump.rope_base;
  facts.seed = dump.seed;
  facts.tap = dump.tap;
  facts.extent = {dump.shape, static_cast<std::size_t>(dump.tokens), policy};
  return facts;
}

DumpHead dump_head(const CacheFacts& facts) {
  DumpHead dump;
  dump.origin = facts.origin;
  dump.shape = facts.extent.shape;
  dump.tap = facts.tap;
  dump.storage = "bf16";
  dump.passages = 1;
  dump.tokens = static_cast<int>(facts.extent.tokens);
  dump.rope_base = facts.rope_base;
  dump.rope_layout = facts.rope_layout;
  dump.seed = facts.seed;
  return dump;
}

KvCache read_cache(const DumpReader& dump, int passage, LayerRange layers) {
  KvCache cache(dump.head().shape, static_cast<std::size_t>(dump.head().tokens));
  for_each_part(layers, 0,
                [&](KvSite site, std::size_t) { cache.store(site, dump.part(passage, site)); });
  return cache;
}

void write_cache(DumpWriter& dump, int passage, const KvCache& cache) {
  std::vector<float> values(cache.tokens() * cache.heads() * cache.dim());
  for_each_part({0, cache.layers()}, 0, [&](KvSite site, std::size_t) {
    cache.load(site, cache.tokens(), values);
    dump.write_part(passage, site, values.data(), cache.tokens(), cache.heads(), cache.dim());
  });
}

std::uint64_t coded_values(const CacheExtent& extent) {
  return 2 * static_cast<std::uint64_t>(extent.policy.coded_layers()) * extent.tokens *
         extent.shape.part_width();
}

std::vector<Distortion> distortions_of(const FramePlace& place, std::size_t heads, std::size_t dim,
                                       Rows<const float> original, Rows<const float> decoded) {
  const std::size_t part = place.site ? dim : heads * dim;
  std::vector<Distortion> distortions(original.dim / part);
  for (std::size_t row = 0; row < original.count; ++row) {
    for (std::size_t at = 0; at < original.dim; at += dim) {
      distortions[at / part].add(original[row].subspan(at, dim), decoded[row].subspan(at, dim));
    }
  }
  return distortions;
}

PackedErrors packed_errors(const CacheReader& reader, const CacheCodecs& codecs,
                           const KvCache& original, WorkerPool& pool) {
  const std::vector<CacheBlock>& blocks = reader.blocks();
  const CacheExtent& extent = reader.facts().extent;
  std::vector<std::vector<Distortion>> each(blocks.size());
  pool.run(blocks.size(), [&](std::size_t i) {
    if (blocks[i].exact) return;
    const FramePlace& place = blocks[i].place;
    const std::vector<float> decoded = reader.decode(blocks[i], codecs);
    std::vector<float> values(decoded.size());
    const std::size_t count = place.tokens.count, width = place.vector_values(extent.shape);
    const Rows<float> rows = dense_rows(values.data(), count, width);
    load_vectors(original, place, rows);
    each[i] = distortions_of(place, extent.shape.heads(), extent.shape.dim(), rows,
                             dense_rows(decoded.data(), count, width));
  });
  std::vector<Distortion> parts(extent.shape.parts());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const FramePlace& place = blocks[i].place;
    const Part first = place.site ? place.site->part : Part::key;
    std::size_t part = KvSite{place.layers.first, first}.index();
    for (const Distortion& distortion : each[i]) parts[part++].merge(distortion);
  }
  PackedErrors errors;
  for (int layer = 0; layer < extent.policy.layers; ++layer) {
    if (!extent.policy.codes(layer)) continue;
    errors.keys += parts[KvSite{layer, Part::key}.index()].rel_mse();
    errors.values += parts[KvSite{layer, Part::value}.index()].rel_mse();
  }
  errors.keys /= extent.policy.coded_layers();
  errors.values /= extent.policy.coded_layers();
  return errors;
}

RateLedger ledger_of(const CacheReader& reader, const CacheCodecs& codecs) {
  const CacheExtent& extent = reader.facts().extent;
  RateLedger ledger;
  for (const CacheBlock& block : reader.blocks()) {
    if (block.exact) {
      if (!extent.policy.codes(block.exact->layer)) continue;
      ledger.merge(
          ledger_of_exact(block.place.tokens.count * extent.shape.heads(), extent.shape.dim()));
      continue;
    }
    const Codec& codec = codec_at(codecs, block.place);
    const Rows<const float> vectors{nullptr, block.place.tokens.count, codec.dim(), codec.dim()};
    RateLedger frame = ledger_of(codec, vectors, reader.bytes_of(block), false);
    frame.vectors = frame.values / extent.shape.dim();
    ledger.merge(frame);
  }
  return ledger;
}

}  // namespace kakeya
