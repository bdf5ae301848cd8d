// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/core/rows.h"

namespace kakeya {

// Sums of rows of a matrix, in one written order and with nothing fused, as those of tile.h: every
// instruction set gives the same bits.

/// y += sum over k of factor[k] rows[k], from the first of `rows` to the last. y has rows.dim scalars and
/// is none of `rows`.
void add_combination(const float* factor, Rows<const float> rows, float* y);

/// The same for each row of `sums` by the row of `factors` of the same number: a product of matrices,
/// [sums.count, rows.count] by [rows.count, rows.dim], in blocks that stay in the first cache. Each scalar
/// is one sum from the first of `rows` to the last.
void add_product(Rows<const float> factors, Rows<const float> rows, Rows<float> sums);

/// The same of whole numbers of 16 bits, two of them in each scalar of `factors` and `rows`, whose low halves
/// are multiplied by each other, and so are the high ones. Sums are exact, in any order, as long as they stay
/// below 2^31.
void add_pair_product(Rows<const std::int32_t> factors, Rows<const std::int32_t> rows,
                      Rows<std::int32_t> sums);

/// A rotation of two rows.
struct Turn {
  float cosine, sine;
};

inline constexpr std::size_t kTurnColumns = 32;

/// `rows`: a strip of a matrix, kTurnColumns wide, rows one after another. Turns rows `last` + 1 and
/// `last`, then those of one less, and so on, each pair by its turn: the lower row l and the higher h
/// become c l - s h and s l + c h. Then the same again by the next of `sweeps`, which have the same number of
/// turns each and lie one after another in `turns`.
void turn_rows(std::span<const Turn> turns, std::size_t sweeps, std::size_t last, float* rows);

}  // namespace kakeya
