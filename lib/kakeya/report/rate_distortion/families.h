// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/measure/measure_source.h"

namespace kakeya {

/// The points of one codec and variant, the rate alone differing: `d4:pack=joint` of
/// `d4:q=10,pack=joint` and `d4:q=38,pack=joint`.
struct Family {
  std::string name, rate_key;            ///< "d4:pack=joint", "q"
  std::vector<const RatePoint*> points;  ///< not exact copies, by measured bits
  std::vector<std::string> rates;        ///< "10", "38": of each point; empty text where none
};

/// In the order of the points' codecs. Points whose rel-MSE is 0 or not finite have no place on a
/// scale of decibels and are left out, and so are families of them alone. Points into `result`.
std::vector<Family> families_of(const SourceResult& result);

/// The gap to the white Gaussian bound at `bits_per_value` measured bits, linear between the two
/// neighbouring points (so log-linear in rel-MSE); nothing beyond the first or last.
std::optional<double> gap_at(const Family& family, double bits_per_value);

}  // namespace kakeya
