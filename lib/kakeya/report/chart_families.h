// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/report/result_group.h"

namespace kakeya {

/// So many families a chart for people shows.
inline constexpr std::size_t kChartFamilies = 6;

/// Of the families that lose something by this metric, in all of `groups` together, those that a
/// chart for people shows: what the key calls each, by its legend_name(). With `choices`, those
/// whose family one of them matches (pattern_matches()): "PATTERN", or "PATTERN -> NAME" to call it
/// NAME in the key. Else all where there are no more than kChartFamilies, and of more as many: first
/// of each codec the family with most settings on the Pareto fronts of (measured bits, loss), then
/// of each codec the family with second most, and so on; within a turn the one with most settings on
/// the fronts first, of equal ones the first in the order of the tables.
std::map<std::string, std::string> chart_families(std::span<const ResultGroup* const> groups,
                                                  const Metric& metric,
                                                  std::span<const std::string> choices = {});

/// The pattern of a choice.
std::string_view pattern_of(std::string_view choice);

/// Whether `text` is of this pattern, in which * stands for anything.
bool pattern_matches(std::string_view pattern, std::string_view text);

/// Whether a family is: as it is stored, or as tables show it, without the digests of profiles.
bool family_matches(std::string_view pattern, const std::string& family);

}  // namespace kakeya
