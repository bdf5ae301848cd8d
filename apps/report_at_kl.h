// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "kakeya/report/at_kl.h"

namespace kakeya {

/// The number, or null where it is not finite.
nlohmann::json finite_json(double number);

/// [low, high], an end null that is not finite; null where there is no range.
nlohmann::json range_json(const std::optional<Range>& range);

/// The answers to `kakeya-report --at-kl`, one object a family: `source`, `model`, `mode`, `split`
/// (null where nobody said), `kl`, `family`, `legend`, `bits` (null out of the measured range), `where` ("inside", "below" or
/// "above" what was measured), `ci` ([low, high], an end out of range null; null where there is
/// none), `ratio`, `ratio_ci`, `nearest`, `nearest_kl`, `nearest_bits`, `measured_kl`,
/// `measured_bits` ([lowest, highest]), `profile_bytes` (0 without a profile, null where it was not
/// recorded), `profile_bits_2k`, `profile_bits_32k`, `profile_bits_128k`. `bits_of`: what `bits`,
/// `ci`, `ratio` and `nearest_bits` are of, "coded values" or "whole cache"; `coded_values` and
/// `whole_cache` have `bits`, `where`, `ci`, `ratio`, `ratio_ci` by the one and the other
/// (`whole_cache` also `open_page_known`); `with_profile` has the whole cache's bits with its share
/// of the profile: {"8k": {"1": .., "100": .., "many": ..}, "32k": .., "128k": ..}, null where not
/// known.
nlohmann::json at_kl_json(std::span<const std::vector<FamilyAtKl>> answers);

/// Prints the tables to stdout.
void print_at_kl(std::span<const std::vector<FamilyAtKl>> answers);

/// Says on stderr for which groups no family reaches the KL divergence asked for. Throws InputError
/// where that is so of all of them, or where there is no answer at all.
void require_reached(std::span<const std::vector<FamilyAtKl>> answers);

}  // namespace kakeya
