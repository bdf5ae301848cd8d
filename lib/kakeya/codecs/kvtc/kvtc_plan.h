// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/profile/kvtc_profile.h"

namespace kakeya {

/// Consecutive components that share a scale a token.
struct KvtcGroup {
  std::size_t first = 0, count = 0;
  KvtcType type = KvtcType::none;
  bool operator==(const KvtcGroup&) const = default;
};

/// The groups that are stored of keys and of values, in order; components between them are not.
using KvtcPlan = std::array<std::vector<KvtcGroup>, 2>;

/// Bits a token of these groups, scales included, before DEFLATE.
std::size_t plan_bits(const KvtcPlan& plan);

/// Components of these groups.
std::size_t stored_components(std::span<const KvtcGroup> groups);

/// The variance of the coefficients of a part: the sum of the errors of components that are not
/// stored. 1 where that is 0.
double part_variance(const KvtcPart& part);

/// The plan of least plan_error() among those of at most `bits` bits a token. Exact: dynamic
/// programming over components and bits, in arithmetic that is the same on every machine. Costs
/// about ten nanoseconds and a byte for each component and bit of the budget.
KvtcPlan plan_kvtc(const KvtcProfile& profile, std::size_t bits);

/// The error of a plan in the profile's tables: mean squared error a token over variance, of keys
/// and of values, added. As they are, the two errors have no unit in common.
double plan_error(const KvtcProfile& profile, const KvtcPlan& plan);

/// A plan as bytes: keys, then values, of each u16 entries n, and n times
///
///      0        1        2        3
///      +--------+-----------------+        type and place of the size in kKvtcSizes;
///      | 8 s + t| repeated, u16   |        of what is not stored: size 1
///      +--------+-----------------+
///
/// as few entries as there can be, and none for what is not stored at the end.
std::vector<std::byte> plan_to_bytes(const KvtcPlan& plan, std::size_t rank);

/// The way back. Throws CorruptStream, beginning with `codec`, unless `bytes` are exactly what
/// plan_to_bytes() writes for a plan of at most `rank` components.
KvtcPlan plan_from_bytes(std::span<const std::byte> bytes, std::size_t rank,
                         const std::string& codec);

}  // namespace kakeya
