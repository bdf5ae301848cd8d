// SPDX-License-Identifier: Apache-2.0
// Every record of this room as JSON. The fields of a record are listed once, in describe();
// writing, strict reading and comparing all visit that list.
#include "kakeya/io/records.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/json/parse.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kSchema = 1;

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

template <Of<Sample> R, typename Visit>
void describe(R& sample, Visit&& field) {
  describe(sample.key, field);
  field("nll_reference", sample.nll_reference);
  field("nll", sample.nll);
  field("delta_ppl", sample.delta_ppl);
  field("kld_mean", sample.kld_mean);
  field("kld_max", sample.kld_max);
  field("top1", sample.top1);
  field("rel_mse_k", sample.rel_mse_k);
  field("rel_mse_v", sample.rel_mse_v);
  field("cosine_k", sample.cosine_k);
  field("cosine_v", sample.cosine_v);
  field("values", sample.values);
  field("bytes_written", sample.bytes_written);
  field("bits_per_value", sample.bits_per_value);
  field("charged_bits_per_value", sample.charged_bits_per_value);
  field("exact_bits_per_value", sample.exact_bits_per_value);
  field("cache_values", sample.cache_values);
  field("cache_bytes", sample.cache_bytes);
  field("encode_seconds", sample.encode_seconds);
  field("decode_seconds", sample.decode_seconds);
  field("forward_seconds", sample.forward_seconds);
  field("cell_seconds", sample.cell_seconds);
  field("visits", sample.visits);
  field("layers", sample.layers);
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

template <Of<SweepPlan> R, typename Visit>
void describe(R& plan, Visit&& field) {
  field("model_name", plan.model_name);
  field("model_sha256", plan.model_sha256);
  field("architecture", plan.architecture);
  field("dtype", plan.dtype);
  field("device", plan.device);
  field("layers", plan.layers);
  field("kv_heads", plan.kv_heads);
  field("head_dim", plan.head_dim);
  field("text_name", plan.text_name);
  field("text_sha256", plan.text_sha256);
  field("tokenizer", plan.tokenizer);
  field("tap", plan.tap);
  field("context", plan.context);
  field("scored", plan.scored);
  field("boundary", plan.boundary);
  field("sinks", plan.sinks);
  field("seed", plan.seed);
}

template <Of<Provenance> R, typename Visit>
void describe(R& provenance, Visit&& field) {
  field("version", provenance.version);
  field("commit", provenance.commit);
  field("compiler", provenance.compiler);
  field("host", provenance.host);
  field("device", provenance.device);
  field("threads", provenance.threads);
  field("started_utc", provenance.started_utc);
  field("command", provenance.command);
}

struct Run {
  std::size_t first_sample = 0;
  std::optional<std::size_t> cells_planned;  // older versions wrote no such key: not in describe()
  Provenance provenance;
};

constexpr char kCellsPlanned[] = "cells_planned";

template <Of<Run> R, typename Visit>
void describe(R& run, Visit&& field) {
  field("first_sample", run.first_sample);
  describe(run.provenance, field);
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
  describe(record, [](const char*, auto&) {});
};

// ---- writing ----

Json write(const char* name, double value) {
  if (!std::isfinite(value)) {
    throw InputError(std::string(name) + " is " + std::to_string(value) +
                     ": expected a finite number");
  }
  return value;
}

Json write(const char*, const std::string& value) { return value; }

template <std::integral T>
Json write(const char* name, T value) {
  if (std::cmp_less(value, 0)) {
    throw InputError(std::string(name) + " is " + std::to_string(value) + ": expected a count");
  }
  return value;
}

template <typename T>
Json write(const char* name, const std::optional<T>& value) {
  return value ? write(name, *value) : Json(nullptr);
}

Json write(const char*, const LayerSample& layer) {
  Json json;
  json["layer"] = layer.layer;
  describe_measured(layer, [&](const char* name, double value) {
    if (!std::isnan(value)) json[name] = write(name, value);
  });
  return json;
}

Json write(const char*, const Run& run);

template <Record R>
Json write(const char*, const R& record);

template <typename T>
Json write(const char* name, const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(write(name, value));
  return json;
}

template <Record R>
void write_fields(Json& json, const R& record) {
  describe(record, [&](const char* name, const auto& value) { json[name] = write(name, value); });
}

template <Record R>
Json write(const char*, const R& record) {
  Json json = Json::object();
  write_fields(json, record);
  return json;
}

Json write(const char*, const Run& run) {
  Json json = Json::object();
  if (run.cells_planned) json[kCellsPlanned] = write(kCellsPlanned, *run.cells_planned);
  write_fields(json, run);
  return json;
}

std::string dump(const Json& json, int indent) {
  try {
    return json.dump(indent);
  } catch (const Json::exception&) {
    throw InputError("a text of the record is not UTF-8");
  }
}

/// A record that stands by itself begins with the schema it follows.
template <Record R>
std::string to_text(const R& record, int indent) {
  Json json;
  json["schema"] = kSchema;
  write_fields(json, record);
  return dump(json, indent);
}

// ---- reading ----

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw InputError(what + ": " + why);
}

[[noreturn]] void refuse_kind(const std::string& what, const char* name, const Json& json,
                              const char* expected) {
  std::string found = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (found.size() > 60) found = found.substr(0, 57) + "...";
  refuse(what, "\"" + std::string(name) + "\" is " + found + ", expected " + expected);
}

void read(const std::string& what, const char* name, const Json& json, double& value) {
  if (!json.is_number()) refuse_kind(what, name, json, "a number");
  value = json.get<double>();
}

void read(const std::string& what, const char* name, const Json& json, std::string& value) {
  if (!json.is_string()) refuse_kind(what, name, json, "a string");
  value = json.get<std::string>();
}

template <std::integral T>
void read(const std::string& what, const char* name, const Json& json, T& value) {
  // Our whole numbers are counts: never negative.
  if (!json.is_number_unsigned() || !std::in_range<T>(json.get<std::uint64_t>())) {
    refuse_kind(what, name, json, "a whole number that fits its field");
  }
  value = static_cast<T>(json.get<std::uint64_t>());
}

template <typename T>
void read(const std::string& what, const char* name, const Json& json, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) read(what, name, json, value.emplace());
}

void read(const std::string& what, const char* name, const Json& json, LayerSample& layer) {
  if (!json.is_object()) refuse_kind(what, name, json, "an object");
  const auto index = json.find("layer");
  if (index == json.end()) refuse(what, "missing key \"layer\"");
  read(what, "layer", *index, layer.layer);
  std::size_t known = 1;
  describe_measured(layer, [&](const char* key, double& value) {
    const auto found = json.find(key);
    if (found == json.end()) return;
    ++known;
    read(what, key, *found, value);
  });
  if (json.size() != known)
    refuse(what, "unknown key in an entry of \"" + std::string(name) + "\"");
}

void read(const std::string& what, const char* name, const Json& json, Run& run);

template <Record R>
void read(const std::string& what, const char* name, const Json& json, R& record);

template <typename T>
void read(const std::string& what, const char* name, const Json& json, std::vector<T>& values) {
  if (!json.is_array()) refuse_kind(what, name, json, "an array");
  values.clear();
  values.reserve(json.size());
  for (const Json& entry : json) read(what, name, entry, values.emplace_back());
}

/// Fields of `json` that are also in `also` are known too, and read by the caller.
template <Record R>
void read_fields(const std::string& what, const Json& json, R& record, const char* also = nullptr) {
  std::vector<std::string_view> known;
  if (also) known.emplace_back(also);
  describe(record, [&](const char* name, auto& value) {
    known.emplace_back(name);
    const auto found = json.find(name);
    if (found == json.end()) refuse(what, "missing key \"" + std::string(name) + "\"");
    read(what, name, *found, value);
  });
  for (const auto& item : json.items()) {
    bool expected = false;
    for (const std::string_view name : known) expected = expected || name == item.key();
    if (!expected) refuse(what, "unknown key \"" + item.key() + "\"");
  }
}

template <Record R>
void read(const std::string& what, const char* name, const Json& json, R& record) {
  if (!json.is_object()) refuse_kind(what, name, json, "an object");
  read_fields(what, json, record);
}

void read(const std::string& what, const char* name, const Json& json, Run& run) {
  if (!json.is_object()) refuse_kind(what, name, json, "an object");
  read_fields(what, json, run, kCellsPlanned);
  const auto planned = json.find(kCellsPlanned);
  if (planned != json.end()) read(what, kCellsPlanned, *planned, run.cells_planned.emplace());
}

Json parse(std::string_view text, const std::string& what) {
  Json json = parse_ordered_json(text, what);
  if (!json.is_object()) refuse(what, "expected a JSON object");
  return json;
}

template <Record R>
R from_text(std::string_view text, const std::string& what) {
  const Json json = parse(text, what);
  const auto schema = json.find("schema");
  if (schema == json.end()) refuse(what, "missing key \"schema\"");
  if (*schema != kSchema) refuse_kind(what, "schema", *schema, "1");
  R record;
  read_fields(what, json, record, "schema");
  return record;
}

}  // namespace

std::string sample_to_line(const Sample& sample) { return to_text(sample, -1); }

std::string failure_to_line(const Failure& failure) { return to_text(failure, -1); }

std::string head_to_json(const StoreHead& stored) {
  Head head{stored.plan, {}};
  for (std::size_t i = 0; i < stored.runs.size(); ++i) {
    head.runs.push_back({stored.first_samples[i], stored.cells_planned[i], stored.runs[i]});
  }
  return to_text(head, 2) + "\n";
}

Sample sample_from_line(std::string_view line, const std::string& what) {
  return from_text<Sample>(line, what);
}

Failure failure_from_line(std::string_view line, const std::string& what) {
  return from_text<Failure>(line, what);
}

StoreHead head_from_json(std::string_view text, const std::string& what) {
  Head head = from_text<Head>(text, what);
  StoreHead stored{std::move(head.plan), {}, {}, {}};
  for (Run& run : head.runs) {
    stored.first_samples.push_back(run.first_sample);
    stored.cells_planned.push_back(run.cells_planned);
    stored.runs.push_back(std::move(run.provenance));
  }
  return stored;
}

std::optional<std::string> first_difference(const SweepPlan& stored, const SweepPlan& asked) {
  const Json a = write("", stored), b = write("", asked);
  for (const auto& item : a.items()) {
    if (item.value() != b.at(item.key())) {
      return item.key() + ": " + dump(item.value(), -1) + " stored, " + dump(b.at(item.key()), -1) +
             " asked for";
    }
  }
  return std::nullopt;
}

std::string to_json(const Provenance& provenance) {
  return dump(write("provenance", provenance), -1);
}

Provenance provenance_from_json(const std::string& json) {
  Provenance provenance;
  read("provenance", "provenance", parse(json, "provenance"), provenance);
  return provenance;
}

}  // namespace kakeya
