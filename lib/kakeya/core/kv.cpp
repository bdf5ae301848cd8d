// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/kv.h"

#include <algorithm>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {

std::string_view part_name(Part part) {
  return part == Part::key ? "keys" : part == Part::value ? "values" : "queries";
}

char part_letter(Part part) { return part == Part::key ? 'k' : part == Part::value ? 'v' : 'q'; }

std::string_view tap_name(TapPoint tap) {
  return tap == TapPoint::pre_rope ? "pre-rope" : "post-rope";
}

TapPoint parse_tap(std::string_view text) {
  for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
    if (text == tap_name(tap)) return tap;
  }
  throw SpecError("tap \"" + std::string(text) + "\": expected pre-rope or post-rope");
}

std::string site_name(KvSite site) {
  const std::string part =
      "layer " + std::to_string(site.layer) + " " + std::string(part_name(site.part));
  return site.head == KvSite::kAllHeads ? part : part + ", head " + std::to_string(site.head);
}

std::span<const PolicyNumber> policy_numbers() {
  static constexpr PolicyNumber kNumbers[kPolicyNumbers] = {
      {&CachePolicy::skipped_layers, "skip_edge_layers", "boundary", false, 2,
       "First and last layers left bf16 [2]", "skipped layers kept bf16", "first and last ", "",
       nullptr},
      {&CachePolicy::sinks, "sinks", nullptr, false, 0,
       "First tokens left bf16, their bytes counted [0]", "sink tokens kept bf16", "",
       " sink tokens", "the sinks"},
      {&CachePolicy::residual_window, "residual_window", "recent", true, 0,
       "Last tokens that a query sees as bf16, their bytes counted [0]",
       "residual window seen bf16", "a residual window of ", "", "the residual window"},
  };
  return kNumbers;
}

std::vector<std::string> exact_token_words(const CachePolicy& policy) {
  std::vector<std::string> words;
  for (const PolicyNumber& number : policy_numbers()) {
    const int tokens = policy.*number.value;
    if (number.tokens == nullptr || tokens == 0) continue;
    words.push_back(number.before + std::to_string(tokens) + number.noun);
  }
  return words;
}

std::string exact_tokens_text(const CachePolicy& policy) {
  std::string text;
  for (const PolicyNumber& number : policy_numbers()) {
    if (number.tokens == nullptr || policy.*number.value == 0) continue;
    text += (text.empty() ? "" : " and ") + std::string(number.tokens);
  }
  return text;
}

void CachePolicy::check(std::size_t coded_tokens) const {
  const std::string edge = "skipped edge layers " + std::to_string(skipped_layers);
  if (skipped_layers < 0) throw InputError(edge + ": expected 0 or more");
  for (const auto& [name, tokens] :
       {std::pair("sinks ", sinks), std::pair("residual window ", residual_window)}) {
    if (tokens < 0) {
      throw InputError(name + std::to_string(tokens) + ": expected 0 or more tokens");
    }
  }
  if (!skipped.empty() &&
      (skipped.first() < skipped_layers || skipped.last() >= layers - skipped_layers)) {
    throw InputError("skipped layers " + skipped.text() + ": expected some of the " +
                     std::to_string(layers) + " from 0 on, those at the ends apart");
  }
  if (!skipped.empty() && coded_layers() < 1) {
    throw InputError("skipped layers " + all_skipped().text() + ": leave no layer of " +
                     std::to_string(layers) + " to code");
  }
  if (coded_layers() < 1) {
    throw InputError(edge + ": leave no layer of " + std::to_string(layers) +
                     " to code, expected at most " + std::to_string(std::max(0, (layers - 1) / 2)));
  }
  if (coded_tokens < least_tokens()) {
    throw InputError("sinks " + std::to_string(sinks) + ", residual window " +
                     std::to_string(residual_window) + ": leave no token of " +
                     std::to_string(coded_tokens) + " to code");
  }
}

void CachePolicy::require_only(std::string_view who,
                               std::initializer_list<int CachePolicy::*> followed) const {
  std::string others;
  for (const PolicyNumber& number : policy_numbers()) {
    const int value = this->*number.value;
    if (value == 0 || std::find(followed.begin(), followed.end(), number.value) != followed.end())
      continue;
    others += (others.empty() ? "" : ", ") + std::string(number.name) + " " + std::to_string(value);
  }
  if (others.empty()) return;
  throw InputError(others + ": " + std::string(who) + " does not follow it, expected 0");
}

ExactEnds CachePolicy::exact_ends(std::string_view who) const {
  require_only(who,
               {&CachePolicy::skipped_layers, &CachePolicy::sinks, &CachePolicy::residual_window});
  if (sinks < 0 || residual_window < 0) {
    throw InputError(std::string(who) + ": sinks " + std::to_string(sinks) + ", residual window " +
                     std::to_string(residual_window) + ": expected 0 or more tokens");
  }
  return {static_cast<std::size_t>(sinks), static_cast<std::size_t>(residual_window)};
}

std::size_t CachePolicy::exact_tokens(std::size_t tokens, std::size_t first) const {
  const std::size_t window = tokens - std::min(tokens, exact_window()),
                    sink_end = std::min(static_cast<std::size_t>(sinks), window);
  return sink_end - std::min(sink_end, first) + tokens - std::min(tokens, std::max(first, window));
}

int CachePolicy::coded_layers() const {
  int coded = 0;
  for (int layer = 0; layer < layers; ++layer) coded += codes(layer) ? 1 : 0;
  return coded;
}

std::size_t CachePolicy::coded_index(int layer) const {
  std::size_t index = 0;
  for (int before = 0; before < layer; ++before) index += codes(before) ? 1 : 0;
  return index;
}

LayerRange CachePolicy::coded_span() const {
  int first = 0, last = layers - 1;
  while (first <= last && !codes(first)) ++first;
  while (last >= first && !codes(last)) --last;
  return {first, last - first + 1};
}

void CachePolicy::skip(const IndexSet& which) {
  skipped_layers = 0;
  while (2 * skipped_layers + 2 <= layers && which.contains(skipped_layers) &&
         which.contains(layers - 1 - skipped_layers)) {
    ++skipped_layers;
  }
  std::vector<int> rest;
  for (const int layer : which.numbers()) {
    if (layer >= skipped_layers && (layer >= layers || layer < layers - skipped_layers)) {
      rest.push_back(layer);
    }
  }
  skipped = IndexSet::of(rest);
}

IndexSet CachePolicy::all_skipped() const {
  std::vector<int> all;
  for (int layer = 0; layer < layers; ++layer) {
    if (!codes(layer)) all.push_back(layer);
  }
  return IndexSet::of(all);
}

TokenRange ExactEnds::coded(std::size_t tokens, std::size_t available) const {
  if (tokens > available || tokens <= count()) {
    throw InputError(std::to_string(tokens) + " tokens to code of " + std::to_string(available) +
                     ", expected more than the " + std::to_string(first) + " sinks and the " +
                     std::to_string(last) + " of the residual window");
  }
  return {first, tokens - count()};
}

}  // namespace kakeya
