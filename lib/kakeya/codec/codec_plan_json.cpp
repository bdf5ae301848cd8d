// SPDX-License-Identifier: Apache-2.0
// plan.json, read and written.
#include <cmath>

#include "kakeya/codec/codec_plan.h"
#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "kakeya/core/json.h"
#include "kakeya/core/json_value.h"

namespace kakeya {
namespace {

constexpr std::string_view kVersionKey = "kakeya_plan";
constexpr std::string_view kPlanKeys =
    "kakeya_plan, name, about, bits, layers, kv_heads, skip, default, sites";
constexpr std::string_view kSiteKeys = "layers, part, heads, codec";

/// Whether `key` is one of the names of `known`, which stand with ", " between them.
bool is_one_of(std::string_view key, std::string_view known) {
  while (true) {
    const std::size_t comma = known.find(", ");
    if (known.substr(0, comma) == key) return true;
    if (comma == std::string_view::npos) return false;
    known.remove_prefix(comma + 2);
  }
}

/// Letters, digits and ._-/, as the names of codecs are.
bool is_word(const std::string& text) {
  const std::optional<Spec> spec = Spec::try_parse(text);
  return spec && spec->name() == text;  // nothing after a colon
}

/// A value of the document and where it stands: "plan.json: sites[2].part".
struct Field {
  const JsonValue& value;
  std::string where;

  [[noreturn]] void expected(std::string_view what) const {
    const std::string given = value.kind == JsonValue::Kind::string ? json_string(value.text)
                              : value.kind == JsonValue::Kind::number
                                  ? json_number(value.number)
                                  : std::string(value.kind_name());
    throw SpecError(where + ": " + given + ": expected " + std::string(what));
  }

  Field at(const std::string& key, const JsonValue& member) const {
    return {member, where + (where.ends_with(": ") ? "" : ".") + key};
  }

  void require_keys(std::string_view known) const {
    if (value.kind != JsonValue::Kind::object) expected("an object of " + std::string(known));
    for (const auto& [key, member] : value.members) {
      if (is_one_of(key, known)) continue;
      at(key, member).expected("no such key, but some of " + std::string(known));
    }
  }

  const std::string& text(std::string_view what) const {
    if (value.kind != JsonValue::Kind::string) expected(what);
    return value.text;
  }

  int whole(int lowest) const {
    const double number = value.number;
    if (value.kind != JsonValue::Kind::number || number != std::floor(number) || number < lowest ||
        number > IndexSet::kLargest) {
      expected("a whole number, " + std::to_string(lowest) + " to " +
               std::to_string(IndexSet::kLargest));
    }
    return static_cast<int>(number);
  }

  IndexSet set(std::string_view what) const {
    return IndexSet::parse(text("numbers and runs in quotes, as \"0,5,10-20\""),
                           where + ": " + std::string(what));
  }

  std::string spec() const {
    const std::string& given = text("a codec in quotes, as \"e8:q=10\"");
    try {
      return Spec::parse(given).text();
    } catch (const SpecError& error) {
      throw SpecError(where + ": " + error.what());
    }
  }
};

PlanEntry entry_of(const Field& site) {
  site.require_keys(kSiteKeys);
  PlanEntry entry;
  for (const auto& [key, member] : site.value.members) {
    const Field field = site.at(key, member);
    if (key == "layers") entry.layers = field.set("layers");
    if (key == "heads") entry.heads = field.set("heads");
    if (key == "codec") entry.codec = field.spec();
    if (key != "part") continue;
    const std::string& part = field.text("\"k\" or \"v\", or no such key for both");
    if (part != "k" && part != "v") field.expected("\"k\" or \"v\", or no such key for both");
    entry.part = part == "k" ? Part::key : Part::value;
  }
  if (entry.layers.empty()) throw SpecError(site.where + ": expected \"layers\"");
  if (entry.codec.empty()) throw SpecError(site.where + ": expected \"codec\"");
  return entry;
}

void read_default(CodecPlan& plan, const Field& field) {
  if (field.value.kind == JsonValue::Kind::string) {
    plan.keys = plan.values = field.spec();
    return;
  }
  field.require_keys("k, v");
  for (const auto& [key, member] : field.value.members) {
    (key == "k" ? plan.keys : plan.values) = field.at(key, member).spec();
  }
}

void read_sites(CodecPlan& plan, const Field& field) {
  if (field.value.kind != JsonValue::Kind::array) field.expected("an array of objects");
  for (std::size_t i = 0; i < field.value.items.size(); ++i) {
    plan.entries.push_back(
        entry_of({field.value.items[i], field.where + "[" + std::to_string(i) + "]"}));
  }
}

void read_field(CodecPlan& plan, const std::string& key, const Field& field) {
  if (key == kVersionKey && field.whole(1) != CodecPlan::kVersion) {
    field.expected("version " + std::to_string(CodecPlan::kVersion));
  }
  if (key == "name") plan.name = field.text("a word in quotes");
  if (key == "about") plan.about = field.text("a text in quotes");
  if (key == "bits") {
    plan.bits = field.value.number;
    if (field.value.kind != JsonValue::Kind::number || !(*plan.bits > 0) || *plan.bits > 64) {
      field.expected("a number above 0, at most 64");
    }
  }
  if (key == "layers") plan.layers = field.whole(1);
  if (key == "kv_heads") plan.kv_heads = field.whole(1);
  if (key == "skip" && !field.text("layers in quotes, as \"0,29\"").empty()) {
    plan.skip = field.set("layers");
  }
  if (key == "default") read_default(plan, field);
  if (key == "sites") read_sites(plan, field);
}

std::string entry_json(const PlanEntry& entry) {
  std::string json = "{\"layers\": " + json_string(entry.layers.text());
  if (entry.part) json += std::string(", \"part\": \"") + part_letter(*entry.part) + '"';
  if (!entry.heads.empty()) json += ", \"heads\": " + json_string(entry.heads.text());
  return json + ", \"codec\": " + json_string(entry.codec) + "}";
}

std::string default_json(const CodecPlan& plan) {
  if (plan.keys == plan.values) return json_string(plan.keys);
  std::string json = "{";
  if (!plan.keys.empty()) json += "\"k\": " + json_string(plan.keys);
  if (!plan.values.empty()) {
    json += (plan.keys.empty() ? "" : ", ") + ("\"v\": " + json_string(plan.values));
  }
  return json + "}";
}

/// The members in order, with `between` after each comma that ends a line of the document.
std::string write(const CodecPlan& plan, const std::string& between, const std::string& indent) {
  std::string json =
      "{\"" + std::string(kVersionKey) + "\": " + std::to_string(CodecPlan::kVersion);
  const auto put = [&](std::string_view key, const std::string& value) {
    json += "," + between + "\"" + std::string(key) + "\": " + value;
  };
  if (!plan.name.empty()) put("name", json_string(plan.name));
  if (!plan.about.empty()) put("about", json_string(plan.about));
  if (plan.bits) put("bits", json_number(*plan.bits));
  if (plan.layers > 0) put("layers", std::to_string(plan.layers));
  if (plan.kv_heads > 0) put("kv_heads", std::to_string(plan.kv_heads));
  if (!plan.skip.empty()) put("skip", json_string(plan.skip.text()));
  if (!plan.keys.empty() || !plan.values.empty()) put("default", default_json(plan));
  if (!plan.entries.empty()) {
    std::string sites = "[";
    for (const PlanEntry& entry : plan.entries) {
      sites += (&entry == &plan.entries.front() ? "" : ",") + indent + entry_json(entry);
    }
    put("sites", sites + "]");
  }
  return json + "}";
}

}  // namespace

CodecPlan CodecPlan::parse(std::string_view json, std::string_view origin) {
  const JsonValue document = read_json(json, origin);
  const Field root{document, std::string(origin) + ": "};
  if (document.kind != JsonValue::Kind::object) {
    Field{document, std::string(origin)}.expected("an object of " + std::string(kPlanKeys));
  }
  root.require_keys(kPlanKeys);
  if (document.find(kVersionKey) == nullptr) {
    throw SpecError(std::string(origin) + ": no plan: expected \"kakeya_plan\": 1");
  }
  CodecPlan plan;
  plan.name = "plan";
  for (const auto& [key, member] : document.members) read_field(plan, key, root.at(key, member));
  if (!is_word(plan.name)) {
    root.at("name", *document.find("name")).expected("a word of letters, digits and ._-/");
  }
  if (plan.keys.empty() && plan.values.empty() && plan.entries.empty()) {
    throw SpecError(std::string(origin) + ": names no codec: expected \"default\" or \"sites\"");
  }
  return plan;
}

std::string CodecPlan::document() const { return write(*this, "\n ", "\n  ") + "\n"; }

std::string CodecPlan::text() const {
  CodecPlan plan = *this;
  plan.about.clear();
  return write(plan, " ", "");
}

std::string CodecPlan::coding() const {
  CodecPlan plan = *this;
  plan.name.clear();
  plan.bits.reset();
  return plan.text();
}

}  // namespace kakeya
