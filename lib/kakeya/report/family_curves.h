// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/result_group.h"

namespace kakeya {

using Curve = std::vector<const CodecResult*>;  ///< settings of one family
using Curves = std::map<std::string, Curve>;    ///< by family

/// The settings of every family that lose something by this metric, in the group's order.
Curves curves_of(const ResultGroup& group, const Metric& metric);

/// The first of `preferred` that has a curve; without one the family with most settings, of equal
/// ones the first; "" of no curves.
std::string family_or_largest(const ResultGroup& group, const Curves& curves,
                              std::span<const std::string> preferred);

/// What a family offers by one kind of rate: settings that waste their bits are not part of it.
struct Frontier {
  Curve kept;  ///< by rising rate: no other one loses less, on average, at no more bits; not empty
  Curve beaten;  ///< the others
};

/// Bits a value up to which two rates are the same: vectors kept exactly cost a little here and
/// there.
inline constexpr double kSameRate = 1e-3;

/// Means are over the passages that two settings share. Nothing of no settings, or where one has no
/// such rate.
std::optional<Frontier> frontier(const Curve& curve, const RateKind& kind, const Metric& metric);

/// The passages that all of these settings have, rising.
std::vector<int> shared_passages(std::span<const CodecResult* const> settings);

/// One setting on some passages: what is needed to weigh it again with other passages.
struct Weighed {
  std::vector<double> losses, bits, values;  // one a passage
  OperatingPoint over(const std::vector<std::size_t>& drawn) const;
};

/// By the measured bits, of what the group compares or of `bits_of`, and this metric. Throws as
/// series().
Weighed weigh(const CodecResult& codec, const Metric& metric, const std::vector<int>& passages,
              std::optional<BitsOf> bits_of = std::nullopt);
std::vector<Weighed> weigh(const Curve& curve, const Metric& metric,
                           const std::vector<int>& passages,
                           std::optional<BitsOf> bits_of = std::nullopt);

/// All of them over the same draw.
std::vector<OperatingPoint> points_over(std::span<const Weighed> settings,
                                        const std::vector<std::size_t>& drawn);

/// Below so many passages no bootstrap interval is shown: it would be much too narrow.
constexpr std::size_t kFewestPassages = 8;

}  // namespace kakeya
