// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/core/rows.h"
#include "kakeya/profile/kvtc_profile.h"

namespace kakeya {

// The coefficients of one token in one group, as codes and a scale s, a bfloat16:
//
//   int2   (c - 1.5) s, c from 0 to 3: -1.5, -0.5, 0.5, 1.5 times s
//   int4   (c - 8) s, c from 0 to 15; s has either sign, so that the end with a level more is where
//          the largest coefficient is
//   fp8    the FP8 number (E4M3) c, times s
//
// A scale of 0: all coefficients are 0, and the codes those of +0, or 2. Scales of integer groups
// larger than 1 keep 4 of 7 bits of mantissa: they cost nothing in error, and DEFLATE finds the
// rest.

/// The code of a coefficient of 0 under a scale of 0.
std::uint8_t zero_code(KvtcType type);

/// Fills `codes` and returns the scale. Integer scales are those of least squared error among the
/// one that reaches the largest magnitude and fixed fractions of it; the scale of fp8 puts the
/// largest magnitude at 448. `y` is finite and below 2^50.
std::uint16_t quantise_group(KvtcType type, std::span<const float> y,
                             std::span<std::uint8_t> codes);

/// Whether frames may have this scale: finite, and in magnitude at most 2^64.
bool is_group_scale(KvtcType type, std::uint16_t scale);

/// Whether frames may have this code under a scale that is not 0.
bool is_group_code(KvtcType type, std::uint8_t code);

/// The coefficients.
void restore_group(KvtcType type, std::uint16_t scale, std::span<const std::uint8_t> codes,
                   std::span<float> y);

/// The sum of squared errors of quantise_group(); of KvtcType::none, of squares.
double group_error(KvtcType type, std::span<const float> y);

/// Fills in the errors of all groups that begin at component `first`, means over the sampled tokens
/// whose coefficients are the rows of `y`, [tokens, rank]. The tables have their lengths already;
/// different components may be measured at once.
void measure_group_errors(Rows<const float> y, std::size_t first, KvtcPart& part);

}  // namespace kakeya
