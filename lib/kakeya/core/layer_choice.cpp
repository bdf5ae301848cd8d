// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/layer_choice.h"

#include "kakeya/core/error.h"

namespace kakeya {

void LayerChoice::check(bool edges) const {
  if (only && skip) throw SpecError("layers and skip-layers: expected one of them");
  if (given() && edges) {
    throw SpecError(
        std::string(only ? "layers" : "skip-layers") +
        " and skip-edge-layers: expected one of them, each says which layers are coded");
  }
  if (only) IndexSet::parse(*only, "layers");
  if (skip) IndexSet::parse(*skip, "skip-layers");
}

void LayerChoice::apply(CachePolicy& policy, bool edges) const {
  check(edges);
  if (!given()) return;
  const char* const what = only ? "layers" : "skip-layers";
  const IndexSet set = IndexSet::parse(only ? *only : *skip, what);
  if (set.last() >= policy.layers) {
    throw SpecError(std::string(what) + " " + set.text() + ": layer " + std::to_string(set.last()) +
                    ", expected 0 to " + std::to_string(policy.layers - 1));
  }
  const IndexSet skipped = only ? set.others(policy.layers) : set;
  if (skipped.count() == static_cast<std::size_t>(policy.layers)) {
    throw SpecError(std::string(what) + " " + set.text() + ": leaves no layer to code");
  }
  policy.skip(skipped);
}

IndexSet LayerChoice::of(int layers) const {
  CachePolicy policy{.layers = layers};
  apply(policy, false);
  const IndexSet skipped = policy.all_skipped();
  return skipped.empty() ? IndexSet{} : skipped.others(layers);
}

}  // namespace kakeya
