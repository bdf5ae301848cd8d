// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya::fuzz {

using Input = std::span<const std::uint8_t>;
using Inputs = std::vector<std::vector<std::uint8_t>>;

/// One decoder to be fuzzed.
struct Target {
  std::string name;
  /// Runs one input: true when the decoder accepted it, false when it was refused. Throws Finding,
  /// or whatever the decoder should not have thrown.
  std::function<bool(Input)> run;
  /// Inputs made from real encodes, all of which run() accepts.
  std::function<Inputs()> seeds;
};

/// "frame", "page", one a family of specs.h, "cache", "profile" and "sequence".
const std::vector<Target>& targets();

/// Throws std::out_of_range on a name that is not there.
const Target& target_named(std::string_view name);

}  // namespace kakeya::fuzz
