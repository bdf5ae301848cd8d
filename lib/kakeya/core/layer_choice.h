// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "kakeya/core/kv.h"

namespace kakeya {

/// Which layers are coded, as --layers or --skip-layers say it: "0,5,10-20".
struct LayerChoice {
  std::optional<std::string> only, skip;

  bool given() const { return only.has_value() || skip.has_value(); }

  /// Throws SpecError on texts that are no sets of layers, on both at once, and beside a number of
  /// skipped edge layers (`edges`), which says the same.
  void check(bool edges) const;

  /// check(), and makes `policy`, whose `layers` are the model's, skip what is asked for; nothing
  /// where nothing is. Throws SpecError where a layer is not there or none is left to code.
  void apply(CachePolicy& policy, bool edges) const;

  /// The layers asked for, of a model of `layers`; empty: all, as nothing is asked for. Throws as
  /// apply().
  IndexSet of(int layers) const;
};

}  // namespace kakeya
