// SPDX-License-Identifier: Apache-2.0
#include "codec_cache.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "codec_print.h"
#include "kakeya/cache/pack_cache.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/packed/device_part_codec.h"
#include "kakeya/measure/packed/packed_cache.h"
#include "kakeya/measure/plans/plan_cells.h"
#include "kakeya/store/arrays.h"
#include "kakeya/store/kv_store.h"
#include "kakeya/store/profile_files.h"

namespace kakeya {
namespace {

// As the sweep takes them: a plan, one codec for both, or one each, of which one may be left out.
CodecPair specs_of(const CodecOptions& options) {
  if (options.plan) {
    const std::string text = read_plans({*options.plan}).front();
    return {text, text};
  }
  const bool apart = !options.codec_k.empty() || !options.codec_v.empty();
  if (options.codec.empty() != apart) {
    throw SpecError("expected --codec, or --codec-k and --codec-v, or --plan");
  }
  if (!apart) return {options.codec, options.codec};
  const auto or_identity = [](const std::string& spec) {
    return spec.empty() ? std::string("identity") : spec;
  };
  return {or_identity(options.codec_k), or_identity(options.codec_v)};
}

// The codecs, as a plan where other layers are skipped than as many at either end.
struct Packing {
  CodecPair specs;
  CachePolicy policy;  // but for what a plan skips
};

Packing packing_of(const CodecOptions& options, int layers) {
  Packing packing{specs_of(options),
                  {.layers = layers,
                   .skipped_layers = options.skipped_layers.value_or(2),
                   .sinks = options.sinks,
                   .residual_window = options.residual_window}};
  const bool edges = options.skipped_layers.has_value();
  const bool coded = !options.codec.empty() || !options.codec_k.empty() || !options.codec_v.empty();
  if (options.plan && (coded || edges || options.layers.given())) {
    throw SpecError(
        "--plan: says itself what codes which layers: expected no --codec, --layers, "
        "--skip-layers or --skip-edge-layers beside it");
  }
  options.layers.apply(packing.policy, edges);
  if (!packing.policy.skipped.empty()) {
    packing.specs = with_skipped(packing.specs, packing.policy.all_skipped());
  }
  return packing;
}

// Who codes parts of the cache: on a GPU, or nobody, and the codecs of the host do.
std::unique_ptr<DevicePartCodec> coder_of(const CodecOptions& options, const CodecPair& specs,
                                          const CacheInput& cache) {
  if (options.codec_device == "cpu") return nullptr;
  if (is_plan(specs.keys)) {
    throw SpecError("--codec-device " + options.codec_device +
                    ": plans are coded on the host: expected cpu");
  }
  return std::make_unique<DevicePartCodec>(specs, cache);
}

void describe_origin(Json& document, const CacheFacts& facts) {
  document["model"] = facts.origin.model.name;
  document["model_sha256"] = facts.origin.model.sha256;
  document["architecture"] = facts.origin.architecture;
  document["tokenizer"] = facts.origin.tokenizer.name;
  document["tokenizer_sha256"] = facts.origin.tokenizer.sha256;
  document["text"] = facts.origin.text.name;
  document["text_sha256"] = facts.origin.text.sha256;
  document["origin"] = facts.passage;
  document["tap"] = tap_name(facts.tap);
}

// Of a plan its label, as samples name it, and the plan itself.
void describe_codecs(Json& document, const CacheFacts& facts) {
  const bool plan = is_plan(facts.codecs.keys);
  const CodecPlan of = plan ? CodecPlan::parse(facts.codecs.keys, "plan") : CodecPlan{};
  document["codec_k"] = plan ? plan_label(of) : facts.codecs.keys;
  document["codec_v"] = plan ? plan_label(of) : facts.codecs.values;
  if (plan) document["plan"] = Json::parse(facts.codecs.keys);
}

void describe_extent(Json& document, const CacheFacts& facts) {
  describe_codecs(document, facts);
  document["layers"] = facts.extent.shape.layers;
  document["heads"] = facts.extent.shape.kv_heads;
  document["dim"] = facts.extent.shape.head_dim;
  document["tokens"] = facts.extent.tokens;
  put(document, "skip_edge_layers", facts.extent.policy.skipped_layers, "boundary");
  if (!facts.extent.policy.skipped.empty()) {
    document["skip_layers"] = facts.extent.policy.all_skipped().text();
  }
  document["sinks"] = facts.extent.policy.sinks;
  put(document, "residual_window", facts.extent.policy.residual_window, "recent");
}

// Codecs, size and bytes: what pack and info both say.
void describe(Json& document, const CacheReader& reader) {
  const CacheFacts& facts = reader.facts();
  const CacheBytes bytes = reader.bytes();
  const std::uint64_t values = coded_values(facts.extent);
  describe_extent(document, facts);
  document["blocks"] = reader.blocks().size();
  document["values"] = values;
  document["bytes_written"] = bytes.written();
  put(document, "measured_bits_per_value",
      8.0 * static_cast<double>(bytes.written()) / static_cast<double>(values), "bits_per_value");
  document["bytes"] = {{"frames", bytes.frames},
                       {"exact_tokens", bytes.exact_tokens},
                       {"boundary_layers", bytes.skipped_layers},
                       {"container", bytes.container},
                       {"file", bytes.file()}};
}

// Both specs, or the one that has a profile.
std::string specs_text(const CacheReader& reader) {
  const CodecPair& specs = reader.facts().codecs;
  if (is_plan(specs.keys)) return plan_label(CodecPlan::parse(specs.keys, "plan"));
  if (specs.keys == specs.values || !is_calibrated(specs.values)) return specs.keys;
  return is_calibrated(specs.keys) ? specs.keys + ", " + specs.values : specs.values;
}

// A frame names its profile by a digest alone; the cache says of which model it is.
CacheCodecs codecs_of(const CacheReader& reader, const ProfileShelf& shelf) {
  const CacheFacts& facts = reader.facts();
  for (const std::string& spec : specs_in(facts.codecs)) {
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
  const DumpReader dump(options.dump);
  if (dump.head().stream) {
    throw InputError(options.dump + ": stream " + dump.head().stream->name +
                     " of a model with several, expected keys and values of all layers");
  }
  const DumpHead& from = dump.head();
  const Packing packing = packing_of(options, from.shape.layers);
  const CodecPair& specs = packing.specs;
  const ProfileShelf shelf = shelf_of(options.profiles);
  const CacheInput input{from.shape, packing.policy, &shelf};
  const CacheCodecs codecs = make_cache_codecs(specs, input);
  const CachePolicy policy = codecs.policy_of(packing.policy);
  policy.check(static_cast<std::size_t>(from.tokens));
  shelf.require_model(from.origin.model, from.tap);
  const auto coder = coder_of(options, specs, input);
  WorkerPool pool(options.threads);
  const KvCache cache = read_cache(dump, options.passage, {0, from.shape.layers});
  const CacheFacts facts = cache_facts(from, dump.origin(options.passage), policy);
  Json document;
  of_file(options.dump, [&] {
    const std::vector<std::byte> file =
        pack_cache(facts, dump.tokens(options.passage), cache, codecs, pool, coder.get());
    const CacheReader reader(file);
    const PackedErrors rel_mse = packed_errors(reader, reader.codecs(&shelf), cache, pool);
    write_file(options.out, file.data(), file.size());
    document["file"] = options.out;
    describe(document, reader);
    document["rel_mse_k"] = rel_mse.keys;
    document["rel_mse_v"] = rel_mse.values;
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
    const CacheExtent& extent = facts.extent;
    const auto coder = coder_of(options, facts.codecs, {extent.shape, extent.policy, &shelf});
    const KvCache cache =
        coder ? reader.restore_all(*coder, pool) : reader.restore_all(codecs, pool);
    DumpHead dump = dump_head(facts);
    dump.provenance = make_provenance(options.arguments, pool.threads());
    dump.provenance.device = "cpu";
    DumpWriter writer(options.out, dump);
    writer.write_tokens(0, reader.token_ids(), facts.passage);
    write_cache(writer, 0, cache);
    writer.commit();
    Json document;
    document["file"] = options.out;
    document["model"] = facts.origin.model.name;
    describe_codecs(document, facts);
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
    describe_origin(document, facts);
    describe(document, reader);
    // Frames of calibrated codecs can only be taken apart by who has the profile.
    const bool known = !options.profiles.empty() || !is_calibrated(facts.codecs);
    document["ledger"] = nullptr;
    if (known) {
      const RateLedger ledger = ledger_of(reader, reader.codecs(&shelf));
      tell_beyond_profile(document, specs_text(reader), ledger);
      document["ledger"] = ledger_json(ledger);
    }
    print(options.json, document);
  });
}

void print_sequence_info(const CodecOptions& options, std::span<const std::byte> file) {
  of_file(options.in, [&] {
    const SequenceHead head = read_sequence_head(file);
    Json document;
    document["kind"] = "sequence of a live cache";
    document["format_version"] = kSequenceFileVersion;
    describe_origin(document, head.facts);
    describe_extent(document, head.facts);
    document["rope_layout"] = head.facts.rope_layout;
    document["rope_base"] = head.facts.rope_base;
    document["sliding_windows"] = head.windows;
    document["next_token"] = head.next ? Json(*head.next) : Json(nullptr);
    document["seed"] = head.facts.seed;
    document["bytes"] = file.size();
    print(options.json, document);
  });
}

}  // namespace kakeya
