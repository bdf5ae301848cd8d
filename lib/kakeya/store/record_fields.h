// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "kakeya/core/layer_windows.h"
#include "kakeya/store/planned_cells.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/result_store.h"

// The fields of every record, listed once: writing, strict reading and comparing visit these lists.
namespace kakeya::records {

/// The schema of the records written here; older ones are read too.
template <typename R>
inline constexpr int kSchema = 1;
template <>
inline constexpr int kSchema<Sample> = 2;

/// The key of a field, and the first schema that has it.
struct Name {
  Name(const char* text, int first_schema = 1) : key(text), since(first_schema) {}
  const char* key;
  int since;
  bool may_lack = false;
};

/// A field that is written only where it is not what it is by default: records that know nothing
/// of it stay as they are, and are read.
inline Name may_lack(const char* key) {
  Name name = key;
  name.may_lack = true;
  return name;
}

// `Of<T, R>`: R is T or const T, so that one list serves reading and writing.
template <typename R, typename T>
concept Of = std::is_same_v<std::remove_const_t<R>, T>;

template <Of<CellKey> R, typename Visit>
void describe(R& key, Visit&& field) {
  field("codec_k", key.codec_k);
  field("codec_v", key.codec_v);
  field("passage", key.passage);
  field("mode", key.mode);
}

template <Of<RateLedger> R, typename Visit>
void describe(R& ledger, Visit&& field) {
  field("vectors", ledger.vectors);
  field("values", ledger.values);
  field("charged_bits", ledger.nominal_bits);
  field("exact_bits", ledger.codebook_bits);
  field("entropy_bits", ledger.entropy_bits);
  field("payload_bits", ledger.payload_bits);
  field("scale_bits", ledger.scale_bits);
  field("header_bits", ledger.header_bits);
  field("table_bits", ledger.table_bits);
  field("padding_bits", ledger.padding_bits);
  field("exact_token_bits", ledger.exact_token_bits);
  field(may_lack("beyond_profile_values"), ledger.beyond_profile_values);
}

template <Of<OpenPages> R, typename Visit>
void describe(R& open, Visit&& field) {
  field("values", open.values);
  field("bytes", open.bytes);
  field("page_values", open.page_values);
}

template <Of<PositionSample> R, typename Visit>
void describe(R& octave, Visit&& field) {
  field("first", octave.first);
  field("tokens", octave.tokens);
  field("nll_reference", octave.nll_reference);
  field("nll", octave.nll);
  field("kld", octave.kld);
  field("top1", octave.top1);
}

template <Of<Sample> R, typename Visit>
void describe(R& sample, Visit&& field) {
  describe(sample.key, field);
  field(may_lack("split"), sample.split);
  field("nll_reference", sample.nll_reference);
  field("nll", sample.nll);
  field("delta_ppl", sample.delta_ppl);
  field("kld_mean", sample.kld_mean);
  field("kld_max", sample.kld_max);
  field(may_lack("delta_p_max"), sample.delta_p_max);
  field("top1", sample.top1);
  field("rel_mse_k", sample.rel_mse_k);
  field("rel_mse_v", sample.rel_mse_v);
  field("cosine_k", sample.cosine_k);
  field("cosine_v", sample.cosine_v);
  field("values", sample.values);
  field("bytes_written", sample.bytes_written);
  field("bits_per_value", sample.bits_per_value);
  field("charged_bits_per_value", sample.nominal_bits_per_value);
  field("exact_bits_per_value", sample.codebook_bits_per_value);
  field(Name("ledger_k", 2), sample.ledger_k);
  field(Name("ledger_v", 2), sample.ledger_v);
  field("cache_values", sample.cache_values);
  field("cache_bytes", sample.cache_bytes);
  field(may_lack("open_page"), sample.open_page);
  field(may_lack("whole_cache_bits_per_value"), sample.whole_cache_bits_per_value);
  field(may_lack("bits_per_value_whole_cache"),
        sample.whole_cache_bits_per_value);  // as perplexity and needles say
  field(may_lack("profile_bytes"), sample.profile_bytes);
  field("encode_seconds", sample.encode_seconds);
  field("decode_seconds", sample.decode_seconds);
  field("forward_seconds", sample.forward_seconds);
  field("cell_seconds", sample.cell_seconds);
  field("visits", sample.visits);
  field("layers", sample.layers);
  field(may_lack("positions"), sample.positions);
  field("nll_tokens", sample.nll_tokens);
  field("kld_tokens", sample.kld_tokens);
  field("nll_reference_tokens", sample.nll_reference_tokens);
  field("top1_tokens", sample.top1_tokens);
}

template <Of<Failure> R, typename Visit>
void describe(R& failure, Visit&& field) {
  describe(failure.key, field);
  field("reason", failure.reason);
}

template <Of<ControlSample> R, typename Visit>
void describe(R& control, Visit&& field) {
  field("control", control.control);
  field("passage", control.passage);
  field("run", control.run);
  field("nll_reference", control.nll_reference);
  field("nll", control.nll);
  field("delta_ppl", control.delta_ppl);
  field("kld_mean", control.kld_mean);
  field("kld_max", control.kld_max);
  field("top1", control.top1);
  field("forward_seconds", control.forward_seconds);
  field(may_lack("positions"), control.positions);
  field("nll_tokens", control.nll_tokens);
  field("kld_tokens", control.kld_tokens);
  field("top1_tokens", control.top1_tokens);
}

template <Of<SweepPlan> R, typename Visit>
void describe(R& plan, Visit&& field) {
  field("model_name", plan.origin.model.name);
  field("model_sha256", plan.origin.model.sha256);
  field("architecture", plan.origin.architecture);
  field("dtype", plan.dtype);
  field("device", plan.device);
  field("layers", plan.shape.layers);
  field("kv_heads", plan.shape.kv_heads);
  field("head_dim", plan.shape.head_dim);
  field("text_name", plan.origin.text.name);
  field("text_sha256", plan.origin.text.sha256);
  field("tokenizer", plan.origin.tokenizer);
  field("tap", plan.tap);
  field("context", plan.context);
  field("scored", plan.scored);
  for (const PolicyNumber& number : policy_numbers()) {
    if (!number.may_lack) field(number.file_name(), plan.policy.*number.value);
  }
  field("seed", plan.seed);
  for (const PolicyNumber& number : policy_numbers()) {
    if (number.may_lack) field(may_lack(number.file_name()), plan.policy.*number.value);
  }
  field(may_lack("skip_layers"), plan.policy.skipped);
  field(may_lack("windows"), plan.windows);
  field(may_lack("cut"), plan.cut);
  field(may_lack("scoring"), plan.scoring);
  field(may_lack("split"), plan.split);
  field(may_lack("split_lines"), plan.split_lines);
  field(may_lack("stream"), plan.stream);
}

template <Of<StreamFacts> R, typename Visit>
void describe(R& stream, Visit&& field) {
  describe_stream(stream, field);
}

template <Of<PlanRecord> R, typename Visit>
void describe(R& plan, Visit&& field) {
  field("label", plan.label);
  field("sha256", plan.sha256);
  field("text", plan.text);
}

template <Of<PluginCodec> R, typename Visit>
void describe(R& codec, Visit&& field) {
  field("name", codec.name);
  field(may_lack("rate"), codec.rate);
}

template <Of<PluginRecord> R, typename Visit>
void describe(R& plugin, Visit&& field) {
  field("file", plugin.file);
  field("sha256", plugin.sha256);
  field("codecs", plugin.codecs);
}

template <Of<Provenance> R, typename Visit>
void describe(R& provenance, Visit&& field) {
  field("version", provenance.version);
  field("commit", provenance.commit);
  field("compiler", provenance.compiler);
  field("host", provenance.host);
  field("device", provenance.device);
  field(may_lack("codec_device"), provenance.codec_device);
  field(may_lack("host_codecs"), provenance.host_codecs);
  field("threads", provenance.threads);
  field("started_utc", provenance.started_utc);
  field("command", provenance.command);
  field(may_lack("plugins"), provenance.plugins);
  field(may_lack("plans"), provenance.plans);
}

struct Run {
  std::size_t first_sample = 0;
  std::optional<std::size_t> cells_planned;
  std::optional<PlannedCells> planned;
  Provenance provenance;
};

template <Of<PlannedCodecs> R, typename Visit>
void describe(R& codecs, Visit&& field) {
  field("codec_k", codecs.codec_k);
  field("codec_v", codecs.codec_v);
}

template <Of<PlannedCells> R, typename Visit>
void describe(R& cells, Visit&& field) {
  field("codecs", cells.codecs);
  field("modes", cells.modes);
  field("first_passage", cells.first_passage);
  field("passages", cells.passages);
}

template <Of<ProfileUse> R, typename Visit>
void describe(R& use, Visit&& field) {
  field("codec", use.codec);
  field("reader_bytes", use.reader_bytes);
}

template <Of<ProfileRecord> R, typename Visit>
void describe(R& profile, Visit&& field) {
  field("sha256", profile.sha256);
  field("text_name", profile.text_name);
  field("text_sha256", profile.text_sha256);
  field("passages", profile.passages);
  field("context", profile.context);
  field("sinks", profile.sinks);
  field("reader_bytes", profile.reader_bytes);
  field(may_lack("uses"), profile.uses);
  field(may_lack("shared_passages"), profile.shared_passages);
}

template <Of<LayerWindows> R, typename Visit>
void describe(R& windows, Visit&& field) {
  field("tokens", windows.tokens);
  field("layers", windows.layers);
}

template <Of<Run> R, typename Visit>
void describe(R& run, Visit&& field) {
  field(may_lack("cells_planned"), run.cells_planned);
  field(may_lack("planned"), run.planned);
  field("first_sample", run.first_sample);
  describe(run.provenance, field);
  field(may_lack("profiles"), run.provenance.profiles);
}

struct Head {
  SweepPlan plan;
  std::vector<Run> runs;
};

template <Of<Head> R, typename Visit>
void describe(R& head, Visit&& field) {
  field("plan", head.plan);
  field("runs", head.runs);
}

// Of a layer: a value that was not measured has no key, which no other record has.
template <Of<LayerSample> R, typename Visit>
void describe_measured(R& layer, Visit&& field) {
  field("rel_mse_k", layer.rel_mse_k);
  field("rel_mse_v", layer.rel_mse_v);
  field("cosine_k", layer.cosine_k);
  field("cosine_v", layer.cosine_v);
}

template <typename T>
concept Record = requires(T& record) {
  describe(record, [](Name, auto&) {});
};

}  // namespace kakeya::records
