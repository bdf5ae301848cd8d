// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/cache_codecs.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

bool are_of_tokens(const CodecPair& pair) {
  const bool keys = scope_of(pair.keys) == VectorScope::token,
             values = scope_of(pair.values) == VectorScope::token;
  if (keys != values || (keys && pair.keys != pair.values)) {
    throw SpecError((keys ? pair.keys : pair.values) +
                    ": codes the keys and values of a token together: expected it as one codec of "
                    "both");
  }
  return keys;
}

}  // namespace

CodecPair CacheCodecs::canonical() const {
  if (plan) return {plan->text(), plan->text()};
  if (tokens) return {tokens->spec(), tokens->spec()};
  return {keys->spec(), values->spec()};
}

CachePolicy CacheCodecs::policy_of(CachePolicy asked) const {
  if (plan) asked.skip(plan->skip);
  return asked;
}

void CacheCodecs::require_policy(const CachePolicy& policy) const {
  if (!plan || policy_of(policy) == policy) return;
  throw InputError("plan " + plan->name + ": skips layers \"" + plan->skip.text() +
                   "\", expected those of the policy, \"" + policy.all_skipped().text() + '"');
}

std::size_t CacheCodecs::profile_bytes() const {
  return (keys ? keys->profile_bytes() : 0) + (values ? values->profile_bytes() : 0) +
         (tokens ? tokens->profile_bytes() : 0);
}

CacheCodecs make_cache_codecs(const CodecPair& specs, const CacheInput& cache) {
  if (is_plan(specs.keys) || is_plan(specs.values)) {
    if (specs.keys != specs.values) throw SpecError("a plan is of keys and values: expected one");
    return make_plan_codecs(CodecPlan::parse(specs.keys, "plan"), cache);
  }
  CacheCodecs codecs;
  if (are_of_tokens(specs)) {
    codecs.tokens.emplace(specs.keys, cache, cache.policy().coded_span());
  } else {
    codecs.keys.emplace(specs.keys, cache, Part::key);
    codecs.values.emplace(specs.values, cache, Part::value);
  }
  return codecs;
}

CacheCodecs make_plan_codecs(const CodecPlan& plan, CacheInput cache) {
  PlanLayout layout(plan, cache.shape);
  CachePolicy policy{.layers = cache.shape.layers};
  policy.skip(plan.skip);
  cache.skipped_layers = policy.skipped_layers;
  cache.skipped = policy.skipped;
  const std::vector<std::string> specs = layout.specs();
  CacheCodecs codecs;
  if (scope_of(specs.front()) == VectorScope::token) {
    codecs.tokens.emplace(layout, cache);
  } else {
    codecs.keys.emplace(layout, cache, Part::key);
    codecs.values.emplace(layout, cache, Part::value);
  }
  codecs.plan = layout.plan();
  return codecs;
}

CodecPair with_skipped(const CodecPair& specs, const IndexSet& skipped) {
  if (is_plan(specs.keys)) throw SpecError("a plan says which layers are skipped");
  CodecPlan plan;
  plan.name = "layers";
  plan.skip = skipped;
  plan.keys = specs.keys;
  plan.values = specs.values;
  return {plan.text(), plan.text()};
}

std::vector<std::string> specs_in(const CodecPair& specs) {
  if (!is_plan(specs.keys)) return {specs.keys, specs.values};
  const CodecPlan plan = CodecPlan::parse(specs.keys, "plan");
  std::vector<std::string> all;
  for (const std::string& spec : {plan.keys, plan.values}) {
    if (!spec.empty()) all.push_back(spec);
  }
  for (const PlanEntry& entry : plan.entries) all.push_back(entry.codec);
  return all;
}

bool is_calibrated(const CodecPair& specs) {
  const std::vector<std::string> all = specs_in(specs);
  return std::any_of(all.begin(), all.end(),
                     [](const std::string& spec) { return is_calibrated(spec); });
}

bool codes_tokens(const CodecPair& specs) {
  return scope_of(specs_in(specs).front()) == VectorScope::token;
}

}  // namespace kakeya
