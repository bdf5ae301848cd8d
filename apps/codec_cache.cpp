// SPDX-License-Identifier: Apache-2.0
#include "codec_cache.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "codec_print.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/pack_cache.h"
#include "kakeya/core/error.h"
#include "kakeya/stats/distortion.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {
namespace {

CacheFacts facts_of(const DumpHead& dump, const std::string& passage, const CachePolicy& policy) {
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

DumpHead dump_head_of(const CacheFacts& facts) {
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

// As the sweep takes them: one codec for both, or one each, of which one may be left out.
CodecPair specs_of(const CodecOptions& options) {
  const bool apart = !options.codec_k.empty() || !options.codec_v.empty();
  if (options.codec.empty() != apart) {
    throw SpecError("expected --codec, or --codec-k and --codec-v");
  }
  if (!apart) return {options.codec, options.codec};
  const auto or_identity = [](const std::string& spec) {
    return spec.empty() ? std::string("identity") : spec;
  };
  return {or_identity(options.codec_k), or_identity(options.codec_v)};
}

KvCache cache_of(const DumpReader& dump, int passage) {
  KvCache cache(dump.head().shape, static_cast<std::size_t>(dump.head().tokens));
  for (int layer = 0; layer < cache.layers(); ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      cache.store(site, dump.part(passage, site));
    }
  }
  return cache;
}

// What is decoded of a frame against the bf16 originals: of one head, or [layer][K, V].
std::vector<Distortion> distortions_of(const CacheReader& reader, const CacheBlock& block,
                                       const CacheCodecs& codecs, const KvCache& original) {
  const std::size_t count = block.place.tokens.count, dim = original.dim();
  const std::vector<float> decoded = reader.decode(block, codecs);
  std::vector<float> values(decoded.size());
  const std::size_t vector = values.size() / count;
  load_vectors(original, block.place, dense_rows(values.data(), count, vector));
  const std::size_t part = block.place.site ? dim : original.heads() * dim;
  std::vector<Distortion> distortions(vector / part);
  for (std::size_t i = 0; i < distortions.size(); ++i) {
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t at = row * vector + i * part; at < row * vector + (i + 1) * part;
           at += dim) {
        distortions[i].add(std::span(values).subspan(at, dim), std::span(decoded).subspan(at, dim));
      }
    }
  }
  return distortions;
}

// Of keys and of values: the mean over coded layers, as samples.jsonl has it.
std::pair<double, double> relative_errors(const CacheReader& reader, const CacheCodecs& codecs,
                                          const KvCache& original, WorkerPool& pool) {
  const std::vector<CacheBlock>& blocks = reader.blocks();
  std::vector<std::vector<Distortion>> each(blocks.size());
  pool.run(blocks.size(), [&](std::size_t i) {
    if (!blocks[i].exact) each[i] = distortions_of(reader, blocks[i], codecs, original);
  });
  const CachePolicy& policy = reader.facts().extent.policy;
  std::vector<Distortion> parts(reader.facts().extent.shape.parts());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const FramePlace& place = blocks[i].place;
    const Part first = place.site ? place.site->part : Part::key;
    std::size_t part = KvSite{place.layers.first, first}.index();
    for (const Distortion& distortion : each[i]) parts[part++].merge(distortion);
  }
  double keys = 0, values = 0;
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (!policy.codes(layer)) continue;
    keys += parts[KvSite{layer, Part::key}.index()].rel_mse();
    values += parts[KvSite{layer, Part::value}.index()].rel_mse();
  }
  return {keys / policy.coded_layers(), values / policy.coded_layers()};
}

std::uint64_t coded_values(const CacheExtent& extent) {
  return 2 * static_cast<std::uint64_t>(extent.policy.coded_layers()) * extent.tokens *
         extent.shape.part_width();
}

// Codecs, size and bytes: what pack and info both say.
void describe(Json& document, const CacheReader& reader) {
  const CacheFacts& facts = reader.facts();
  const CacheBytes bytes = reader.bytes();
  const std::uint64_t values = coded_values(facts.extent);
  document["codec_k"] = facts.codecs.keys;
  document["codec_v"] = facts.codecs.values;
  document["layers"] = facts.extent.shape.layers;
  document["heads"] = facts.extent.shape.kv_heads;
  document["dim"] = facts.extent.shape.head_dim;
  document["tokens"] = facts.extent.tokens;
  put(document, "skip_edge_layers", facts.extent.policy.boundary, "boundary");
  document["sinks"] = facts.extent.policy.sinks;
  put(document, "residual_window", facts.extent.policy.recent, "recent");
  document["blocks"] = reader.blocks().size();
  document["values"] = values;
  document["bytes_written"] = bytes.written();
  put(document, "measured_bits_per_value",
      8.0 * static_cast<double>(bytes.written()) / static_cast<double>(values), "bits_per_value");
  document["bytes"] = {{"frames", bytes.frames},
                       {"exact_tokens", bytes.exact_tokens},
                       {"boundary_layers", bytes.boundary},
                       {"container", bytes.container},
                       {"file", bytes.file()}};
}

// Both specs, or the one that has a profile.
std::string specs_text(const CacheReader& reader) {
  const CodecPair& specs = reader.facts().codecs;
  if (specs.keys == specs.values || !is_calibrated(specs.values)) return specs.keys;
  return is_calibrated(specs.keys) ? specs.keys + ", " + specs.values : specs.values;
}

// Of the coded layers: frames, without what takes the values themselves, and exact tokens.
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

// A frame names its profile by a digest alone; the cache says of which model it is.
CacheCodecs codecs_of(const CacheReader& reader, const ProfileShelf& shelf) {
  const CacheFacts& facts = reader.facts();
  for (const std::string& spec : {facts.codecs.keys, facts.codecs.values}) {
    if (!is_calibrated(spec) || !shelf.entries().empty()) continue;
    throw InputError(
        fmt::format("coded by {}: expected --profile, the one of kakeya-calibrate for {} (sha256 "
                    "{}) that it was "
                    "packed with",
                    spec, facts.origin.model.name, facts.origin.model.sha256.substr(0, 12)));
  }
  return reader.codecs(&shelf);
}

}  // namespace

void pack(const CodecOptions& options) {
  const CodecPair specs = specs_of(options);
  const DumpReader dump(options.dump);
  const DumpHead& from = dump.head();
  const CachePolicy policy{from.shape.layers, options.boundary, options.sinks, options.recent};
  policy.check(static_cast<std::size_t>(from.tokens));
  const ProfileShelf shelf = shelf_of(options.profiles);
  const CacheCodecs codecs = make_cache_codecs(specs, {from.shape, policy.boundary, &shelf});
  shelf.require_model(from.origin.model, from.tap);
  WorkerPool pool(options.threads);
  const KvCache cache = cache_of(dump, options.passage);
  const CacheFacts facts = facts_of(from, dump.origin(options.passage), policy);
  Json document;
  of_file(options.dump, [&] {
    const std::vector<std::byte> file =
        pack_cache(facts, dump.tokens(options.passage), cache, codecs, pool);
    const CacheReader reader(file);
    const auto [rel_mse_k, rel_mse_v] = relative_errors(reader, reader.codecs(&shelf), cache, pool);
    write_file(options.out, file.data(), file.size());
    document["file"] = options.out;
    describe(document, reader);
    document["rel_mse_k"] = rel_mse_k;
    document["rel_mse_v"] = rel_mse_v;
    tell_beyond_profile(document, specs_text(reader), ledger_of(reader, codecs));
  });
  print(options.json, document);
}

void unpack(const CodecOptions& options) {
  const std::vector<std::byte> file = read_file(options.in);
  const ProfileShelf shelf = shelf_of(options.profiles);
  of_file(options.in, [&] {
    const CacheReader reader(file);
    const CacheFacts& facts = reader.facts();
    shelf.require_model(facts.origin.model, facts.tap);
    const CacheCodecs codecs = codecs_of(reader, shelf);
    WorkerPool pool(options.threads);
    const KvCache cache = reader.restore_all(codecs, pool);
    DumpHead dump = dump_head_of(facts);
    dump.provenance = make_provenance(options.arguments, pool.threads());
    dump.provenance.device = "cpu";
    DumpWriter writer(options.out, dump);
    writer.write_tokens(0, reader.token_ids(), facts.passage);
    std::vector<float> values(cache.tokens() * cache.heads() * cache.dim());
    for (int layer = 0; layer < cache.layers(); ++layer) {
      for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
        cache.load(site, cache.tokens(), values);
        writer.write_part(0, site, values.data(), cache.tokens(), cache.heads(), cache.dim());
      }
    }
    writer.commit();
    Json document;
    document["file"] = options.out;
    document["model"] = facts.origin.model.name;
    document["codec_k"] = facts.codecs.keys;
    document["codec_v"] = facts.codecs.values;
    document["layers"] = cache.layers();
    document["heads"] = cache.heads();
    document["dim"] = cache.dim();
    document["tokens"] = cache.tokens();
    print(options.json, document);
  });
}

void print_cache_info(const CodecOptions& options, std::span<const std::byte> file) {
  const ProfileShelf shelf = shelf_of(options.profiles);
  of_file(options.in, [&] {
    const CacheReader reader(file);
    const CacheFacts& facts = reader.facts();
    Json document;
    document["format_version"] = kCacheFileVersion;
    document["model"] = facts.origin.model.name;
    document["model_sha256"] = facts.origin.model.sha256;
    document["architecture"] = facts.origin.architecture;
    document["tokenizer"] = facts.origin.tokenizer.name;
    document["tokenizer_sha256"] = facts.origin.tokenizer.sha256;
    document["text"] = facts.origin.text.name;
    document["text_sha256"] = facts.origin.text.sha256;
    document["origin"] = facts.passage;
    document["tap"] = tap_name(facts.tap);
    describe(document, reader);
    // Frames of calibrated codecs can only be taken apart by who has the profile.
    const bool known = !options.profiles.empty() ||
                       !(is_calibrated(facts.codecs.keys) || is_calibrated(facts.codecs.values));
    document["ledger"] = nullptr;
    if (known) {
      const RateLedger ledger = ledger_of(reader, reader.codecs(&shelf));
      tell_beyond_profile(document, specs_text(reader), ledger);
      document["ledger"] = ledger_json(ledger);
    }
    print(options.json, document);
  });
}

}  // namespace kakeya
