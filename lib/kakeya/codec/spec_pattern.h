// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// The specs that a pattern means, in order. The value of a key may be
///   a range  `e8:q=4..152`      whole numbers, both ends included; `4..152..4` in steps of 4
///   a list   `e8:q={4,6,10}`    of values or ranges: `{4..8,10,22}`
/// and several such keys give every combination, the last key running fastest. A plain spec means
/// itself. Throws SpecError on a pattern that cannot be read or that means more than 10,000 specs.
std::vector<std::string> expand_spec(std::string_view pattern);

/// The specs that several patterns mean, in order. Throws SpecError also on a spec that no codec
/// takes, whatever the length of vectors; one that a pattern means is named with the pattern.
std::vector<std::string> expand_specs(std::span<const std::string> patterns);

}  // namespace kakeya
