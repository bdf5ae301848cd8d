// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "kakeya/codec/cache_codecs.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/core/layer_choice.h"

namespace kakeya::python {
namespace {

struct TextFact {
  const char* name;
  std::string& (*of)(CacheFacts&);
};

constexpr TextFact kTexts[] = {
    {"model", [](CacheFacts& facts) -> std::string& { return facts.origin.model.name; }},
    {"model_sha256", [](CacheFacts& facts) -> std::string& { return facts.origin.model.sha256; }},
    {"architecture", [](CacheFacts& facts) -> std::string& { return facts.origin.architecture; }},
    {"tokenizer", [](CacheFacts& facts) -> std::string& { return facts.origin.tokenizer.name; }},
    {"tokenizer_sha256",
     [](CacheFacts& facts) -> std::string& { return facts.origin.tokenizer.sha256; }},
    {"text", [](CacheFacts& facts) -> std::string& { return facts.origin.text.name; }},
    {"text_sha256", [](CacheFacts& facts) -> std::string& { return facts.origin.text.sha256; }},
    {"passage", [](CacheFacts& facts) -> std::string& { return facts.passage; }},
    {"rope_layout", [](CacheFacts& facts) -> std::string& { return facts.rope_layout; }},
};

void set_fact(CacheFacts& facts, const std::string& name, nb::handle value) {
  if (name == "tap") {
    facts.tap = parse_tap(nb::cast<std::string>(value));
  } else if (name == "rope_base") {
    facts.rope_base = nb::cast<double>(value);
  } else if (name == "seed") {
    facts.seed = nb::cast<std::uint64_t>(value);
  } else {
    for (const TextFact& text : kTexts) {
      if (name != text.name) continue;
      text.of(facts) = nb::cast<std::string>(value);
      return;
    }
    std::string names = "tap, rope_base, seed";
    for (const TextFact& text : kTexts) names += std::string(", ") + text.name;
    throw nb::type_error(("unexpected keyword '" + name + "': expected one of " + names).c_str());
  }
}

}  // namespace

Part part_of(const std::string& name) {
  if (name == "key") return Part::key;
  if (name == "value") return Part::value;
  throw InputError("part '" + name + "': expected 'key' or 'value'");
}

CodecPair specs_of(const std::optional<std::string>& codec,
                   const std::optional<std::string>& codec_k,
                   const std::optional<std::string>& codec_v) {
  if (codec.has_value() == (codec_k || codec_v)) {
    throw SpecError("expected codec, or codec_k and codec_v");
  }
  if (codec) return {*codec, *codec};
  return {codec_k.value_or("identity"), codec_v.value_or("identity")};
}

std::string plan_text(nb::handle plan) {
  const bool given = nb::isinstance<nb::dict>(plan);
  const std::string path = given ? std::string() : path_of(plan);
  const std::string json =
      given ? nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(plan))
            : read_text_file(path);
  return CodecPlan::parse(json, given ? "plan" : path).text();
}

CodecPair coding_of(const CodingWords& words, CachePolicy& policy) {
  const bool edges = policy.skipped_layers != 0;
  const LayerChoice layers{words.coded_layers, words.skip_layers};
  if (!words.plan.is_none()) {
    if (words.codec || words.codec_k || words.codec_v || layers.given() || edges) {
      throw SpecError(
          "plan: says itself what codes which layers: expected no codec, codec_k, codec_v, "
          "coded_layers, skip_layers or skipped_layers beside it");
    }
    const std::string text = plan_text(words.plan);
    return {text, text};
  }
  const CodecPair specs = specs_of(words.codec, words.codec_k, words.codec_v);
  layers.apply(policy, edges);
  return policy.skipped.empty() ? specs : with_skipped(specs, policy.all_skipped());
}

void set_facts(CacheFacts& facts, const nb::dict& keywords) {
  for (const auto& [key, value] : keywords) {
    const std::string name = nb::cast<std::string>(key);
    try {
      set_fact(facts, name, value);
    } catch (const nb::cast_error&) {
      const char* expected = "a str";
      if (name == "rope_base") expected = "a number";
      if (name == "seed") expected = "a whole number from 0 on";
      throw nb::type_error(
          (name + ": " + nb::cast<std::string>(nb::repr(value)) + " given, expected " + expected)
              .c_str());
    }
  }
}

nb::dict dict_of(const CacheFacts& facts) {
  nb::dict dict;
  CacheFacts copy = facts;
  for (const TextFact& text : kTexts) dict[text.name] = text.of(copy);
  dict["rope_base"] = facts.rope_base;
  dict["seed"] = facts.seed;
  dict["tap"] = std::string(tap_name(facts.tap));
  if (is_plan(facts.codecs.keys)) {
    dict["plan"] = nb::module_::import_("json").attr("loads")(facts.codecs.keys);
  }
  dict["codec_k"] = facts.codecs.keys;
  dict["codec_v"] = facts.codecs.values;
  dict["layers"] = facts.extent.shape.layers;
  dict["kv_heads"] = facts.extent.shape.kv_heads;
  dict["query_heads"] = facts.extent.shape.query_heads;
  dict["head_dim"] = facts.extent.shape.head_dim;
  dict["tokens"] = facts.extent.tokens;
  dict["skipped_layers"] = facts.extent.policy.skipped_layers;
  dict["sinks"] = facts.extent.policy.sinks;
  dict["residual_window"] = facts.extent.policy.residual_window;
  return dict;
}

}  // namespace kakeya::python
