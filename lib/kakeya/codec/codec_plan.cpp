// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/codec_plan.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// What the sites of a layer have, for grouping: part, heads, codec.
struct LayerRule {
  std::optional<Part> part;
  IndexSet heads;
  std::string codec;
  bool operator==(const LayerRule&) const = default;
};

}  // namespace

PlanLayout::PlanLayout(const CodecPlan& plan, const KvShape& shape) : plan_(plan), shape_(shape) {
  require_shape();
  specs_.resize(shape.parts() * shape.heads());
  for (std::size_t i = 0; i < plan.entries.size(); ++i) lay(plan.entries[i], i);
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    KvSite site = site_of_index(i / shape.heads());
    site.head = static_cast<int>(i % shape.heads());
    if (skips(site.layer) || !specs_[i].empty()) continue;
    specs_[i] = site.part == Part::key ? plan.keys : plan.values;
    if (specs_[i].empty()) {
      refuse(site_name(site) + " has no codec: expected an entry of \"sites\", or \"default\"");
    }
  }
}

std::string PlanLayout::name() const { return "plan " + plan_.name; }

void PlanLayout::refuse(const std::string& why) const { throw SpecError(name() + ": " + why); }

void PlanLayout::require_shape() const {
  const auto require = [&](int given, int there, const char* what) {
    if (given == 0 || given == there) return;
    refuse("for a model of " + std::to_string(given) + " " + what + ", this one has " +
           std::to_string(there));
  };
  require(plan_.layers, shape_.layers, "layers");
  require(plan_.kv_heads, shape_.kv_heads, "KV heads");
  if (!plan_.skip.empty() && plan_.skip.last() >= shape_.layers) {
    refuse("skip: layer " + std::to_string(plan_.skip.last()) + ", expected 0 to " +
           std::to_string(shape_.layers - 1));
  }
  if (plan_.skip.others(shape_.layers).empty()) refuse("skip: leaves no layer to code");
}

void PlanLayout::lay(const PlanEntry& entry, std::size_t index) {
  const std::string where = "sites[" + std::to_string(index) + "]: ";
  if (entry.layers.last() >= shape_.layers) {
    refuse(where + "layer " + std::to_string(entry.layers.last()) + ", expected 0 to " +
           std::to_string(shape_.layers - 1));
  }
  if (!entry.heads.empty() && entry.heads.last() >= shape_.kv_heads) {
    refuse(where + "head " + std::to_string(entry.heads.last()) + ", expected 0 to " +
           std::to_string(shape_.kv_heads - 1));
  }
  const IndexSet all = IndexSet::below(shape_.kv_heads);
  for (const int layer : entry.layers.numbers()) {
    if (skips(layer)) refuse(where + "layer " + std::to_string(layer) + " is skipped");
    for (const Part part : {Part::key, Part::value}) {
      if (entry.part && *entry.part != part) continue;
      for (const int head : (entry.heads.empty() ? all : entry.heads).numbers()) {
        std::string& spec = specs_[place({layer, part, head})];
        if (!spec.empty()) {
          refuse(where + site_name({layer, part, head}) + " has an entry before: " + spec);
        }
        spec = entry.codec;
      }
    }
  }
}

const std::string* PlanLayout::of_part(int layer, Part part) const {
  const std::string& first = at({layer, part, 0});
  for (int head = 1; head < shape_.kv_heads; ++head) {
    if (at({layer, part, head}) != first) return nullptr;
  }
  return &first;
}

const std::string* PlanLayout::of_layer(int layer) const {
  const std::string* const keys = of_part(layer, Part::key);
  const std::string* const values = of_part(layer, Part::value);
  return keys != nullptr && values != nullptr && *keys == *values ? keys : nullptr;
}

std::vector<std::string> PlanLayout::specs() const {
  std::vector<std::string> specs;
  for (const std::string& spec : specs_) {
    if (spec.empty() || std::find(specs.begin(), specs.end(), spec) != specs.end()) continue;
    specs.push_back(spec);
  }
  return specs;
}

CodecPlan PlanLayout::plan() const {
  std::vector<std::pair<LayerRule, std::vector<int>>> rules;
  const auto add = [&](int layer, LayerRule rule) {
    const auto same = [&](const auto& each) { return each.first == rule; };
    const auto found = std::find_if(rules.begin(), rules.end(), same);
    if (found != rules.end()) {
      found->second.push_back(layer);
    } else {
      rules.emplace_back(std::move(rule), std::vector{layer});
    }
  };
  for (int layer = 0; layer < shape_.layers; ++layer) {
    if (skips(layer)) continue;
    if (const std::string* both = of_layer(layer)) {
      add(layer, {std::nullopt, {}, *both});
      continue;
    }
    for (const Part part : {Part::key, Part::value}) {
      if (const std::string* all = of_part(layer, part)) {
        add(layer, {part, {}, *all});
        continue;
      }
      std::vector<bool> done(shape_.heads());
      for (int head = 0; head < shape_.kv_heads; ++head) {
        if (done[static_cast<std::size_t>(head)]) continue;
        std::vector<int> same;
        for (int other = head; other < shape_.kv_heads; ++other) {
          if (at({layer, part, other}) != at({layer, part, head})) continue;
          same.push_back(other);
          done[static_cast<std::size_t>(other)] = true;
        }
        add(layer, {part, IndexSet::of(same), at({layer, part, head})});
      }
    }
  }
  CodecPlan plan = plan_;
  plan.about.clear();
  plan.layers = shape_.layers;
  plan.kv_heads = shape_.kv_heads;
  plan.keys.clear();
  plan.values.clear();
  plan.entries.clear();
  for (auto& [rule, layers] : rules) {
    plan.entries.push_back({IndexSet::of(layers), rule.part, rule.heads, rule.codec});
  }
  return plan;
}

}  // namespace kakeya
