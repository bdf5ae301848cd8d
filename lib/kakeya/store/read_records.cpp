// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/parse_json.h"
#include "kakeya/store/record_fields.h"
#include "kakeya/store/records.h"

namespace kakeya {
namespace records {
namespace {

using Json = nlohmann::ordered_json;

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

void read(const std::string& what, const char* name, const Json& json, TapPoint& tap) {
  std::string text;
  read(what, name, json, text);
  try {
    tap = parse_tap(text);
  } catch (const SpecError&) {
    refuse_kind(what, name, json, "pre-rope or post-rope");
  }
}

void read(const std::string& what, const char* name, const Json& json, IndexSet& layers) {
  std::string text;
  read(what, name, json, text);
  try {
    layers = IndexSet::parse(text, name);
  } catch (const SpecError&) {
    refuse_kind(what, name, json, "layers, as in \"0,5,10-20\"");
  }
}

void read(const std::string& what, const char* name, const Json& json, Source& source) {
  std::string text;
  read(what, name, json, text);
  source = parse_source(text);
}

template <std::integral T>
void read(const std::string& what, const char* name, const Json& json, T& value) {
  // Our whole numbers are counts: never negative.
  if (!json.is_number_unsigned() || !std::in_range<T>(json.get<std::uint64_t>())) {
    refuse_kind(what, name, json, "a whole number that fits its field");
  }
  value = static_cast<T>(json.get<std::uint64_t>());
}

template <Record R>
void read(const std::string& what, const char* name, const Json& json, R& record);

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

void read(const std::string& what, const char* name, const Json& json, SweepPlan& plan);

template <typename T>
void read(const std::string& what, const char* name, const Json& json, std::vector<T>& values) {
  if (!json.is_array()) refuse_kind(what, name, json, "an array");
  values.clear();
  values.reserve(json.size());
  for (const Json& entry : json) read(what, name, entry, values.emplace_back());
}

template <typename T>
void read(const std::string& what, const char* name, const Json& json, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) read(what, name, json, value.emplace());
}

/// The fields that `schema` has. The keys `also` are known too, and read by the caller.
template <Record R>
void read_fields(const std::string& what, const Json& json, R& record, int schema,
                 std::initializer_list<std::string_view> also = {}) {
  std::vector<std::string_view> known = also;
  describe(record, [&](Name name, auto& value) {
    if (name.since > schema) return;
    known.emplace_back(name.key);
    const auto found = json.find(name.key);
    if (found == json.end() && name.may_lack) return;
    if (found == json.end()) refuse(what, "missing key \"" + std::string(name.key) + "\"");
    if (name.may_lack && found->is_null()) refuse_kind(what, name.key, *found, "a value");
    read(what, name.key, *found, value);
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
  read_fields(what, json, record, kSchema<R>);
}

void read(const std::string& what, const char* name, const Json& json, SweepPlan& plan) {
  if (!json.is_object()) refuse_kind(what, name, json, "an object");
  read_fields(what, json, plan, kSchema<SweepPlan>);
  plan.policy.layers = plan.shape.layers;
  if (const auto cut = json.find("cut");
      cut != json.end() && plan.cut != "tokens" && plan.cut != "published") {
    refuse_kind(what, "cut", *cut, "tokens or published");
  }
  if (const auto split = json.find("split"); split != json.end() && !is_split(plan.split)) {
    refuse_kind(what, "split", *split, std::string(kSplits).c_str());
  }
  const auto windows = json.find("windows");
  if (windows == json.end()) return;
  const std::vector<int>& layers = plan.windows.layers;
  const bool ascending =
      std::adjacent_find(layers.begin(), layers.end(), std::greater_equal<>()) == layers.end();
  if (plan.windows.tokens < 1 || layers.empty() || layers.back() >= plan.shape.layers ||
      !ascending) {
    refuse_kind(what, "windows", *windows, "tokens, and some of the layers in order");
  }
}

Json parse(std::string_view text, const std::string& what) {
  Json json = parse_ordered_json(text, what);
  if (!json.is_object()) refuse(what, "expected a JSON object");
  return json;
}

template <Record R>
R from_text(std::string_view text, const std::string& what) {
  const Json json = parse(text, what);
  const auto found = json.find("schema");
  if (found == json.end()) refuse(what, "missing key \"schema\"");
  int schema = 0;
  read(what, "schema", *found, schema);
  if (schema < 1 || schema > kSchema<R>) {
    refuse_kind(what, "schema", *found, kSchema<R> == 1 ? "1" : "1 or 2");
  }
  R record;
  read_fields(what, json, record, schema, {"schema"});
  return record;
}

}  // namespace
}  // namespace records

Sample sample_from_line(std::string_view line, const std::string& what) {
  return records::from_text<Sample>(line, what);
}

Failure failure_from_line(std::string_view line, const std::string& what) {
  return records::from_text<Failure>(line, what);
}

ControlSample control_from_line(std::string_view line, const std::string& what) {
  return records::from_text<ControlSample>(line, what);
}

StoreHead head_from_json(std::string_view text, const std::string& what) {
  records::Head head = records::from_text<records::Head>(text, what);
  StoreHead stored;
  stored.plan = std::move(head.plan);
  for (records::Run& run : head.runs) {
    stored.first_samples.push_back(run.first_sample);
    stored.cells_planned.push_back(run.cells_planned);
    stored.planned.push_back(std::move(run.planned));
    stored.runs.push_back(std::move(run.provenance));
  }
  return stored;
}

Provenance provenance_from_json(const std::string& json) {
  Provenance provenance;
  records::read("provenance", "provenance", records::parse(json, "provenance"), provenance);
  return provenance;
}

}  // namespace kakeya
