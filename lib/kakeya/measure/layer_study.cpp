// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/layer_study.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// The numbers of the coded layers at the places of `set`.
IndexSet at_places(const std::vector<int>& coded, const IndexSet& set) {
  std::vector<int> layers;
  for (const int place : set.numbers()) layers.push_back(coded[static_cast<std::size_t>(place)]);
  return IndexSet::of(layers);
}

/// Whether it has layers to study: a plan has its own, and `identity` loses nothing.
bool is_studied(const CodecPair& pair) {
  return !is_plan(pair.keys) && !(pair.keys == "identity" && pair.values == "identity");
}

[[noreturn]] void refuse_unstudied(const std::vector<CodecPair>& pairs) {
  std::string given;
  for (const CodecPair& pair : pairs) {
    const std::string name =
        is_plan(pair.keys) ? "plan " + CodecPlan::parse(pair.keys, "plan").name : pair.label();
    given += (given.empty() ? "" : ", ") + name;
  }
  throw SpecError("layer-study: " + (given.empty() ? "no codec" : given) +
                  ": expected a codec to study, as e8:q=4: plans say themselves which layers are "
                  "coded, and identity loses nothing");
}

}  // namespace

std::vector<IndexSet> nested_layers(int count) {
  int most = 1;
  while (2 * most < count) most *= 2;
  // The places of `most` layers in the middles of as many equal shares; of every second of them for
  // half as many, and so on.
  std::vector<int> places;
  for (int share = 0; share < most; ++share) places.push_back((2 * share + 1) * count / (2 * most));
  std::vector<IndexSet> sets;
  for (int step = most; step >= 1; step /= 2) {
    std::vector<int> some;
    for (int share = 0; share < most; share += step) {
      some.push_back(places[static_cast<std::size_t>(share)]);
    }
    sets.push_back(IndexSet::of(some));
  }
  return sets;
}

std::vector<CodecPair> with_layer_study(const std::vector<CodecPair>& pairs,
                                        const CachePolicy& policy) {
  if (std::none_of(pairs.begin(), pairs.end(), is_studied)) refuse_unstudied(pairs);
  std::vector<int> coded;
  for (int layer = 0; layer < policy.layers; ++layer) {
    if (policy.codes(layer)) coded.push_back(layer);
  }
  if (coded.size() < 2) {
    throw SpecError("layer-study: " + std::to_string(coded.size()) +
                    " coded layers, expected two or more");
  }
  std::vector<IndexSet> sets;
  for (const int layer : coded) sets.push_back(IndexSet::of({&layer, 1}));
  for (const IndexSet& places : nested_layers(static_cast<int>(coded.size()))) {
    if (places.count() > 1) sets.push_back(at_places(coded, places));  // one layer is there already
  }
  std::vector<CodecPair> all = pairs;
  for (const CodecPair& pair : pairs) {
    if (!is_studied(pair)) continue;
    for (const IndexSet& set : sets) all.push_back(with_skipped(pair, set.others(policy.layers)));
  }
  return all;
}

}  // namespace kakeya
