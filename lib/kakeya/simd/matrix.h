// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/core/rows.h"

namespace kakeya {

// Sums of rows of a matrix, in one written order and with nothing fused, as those of tile.h: every
// instruction set gives the same bits.

/// y += sum over k of factor[k] rows[k], from the first of `rows` to the last. y has rows.dim scalars and
/// is none of `rows`.
void add_combination(const float* factor, Rows<const float> rows, float* y);

/// rows[i][j] -= x[i] y[j] + y[i] x[j], the two products added first. x and y have as many scalars as
/// there are rows, and as these have.
void subtract_symmetric(const float* x, const float* y, Rows<float> rows);

/// rows[i][j] += x[i] y[j].
void add_outer(const float* x, const float* y, Rows<float> rows);

/// A rotation of two rows.
struct Turn {
  float cosine, sine;
};

/// Turns rows `last` + 1 and `last`, then those of one less, and so on, each pair by its turn: the lower
/// row l and the higher h become c l - s h and s l + c h.
void turn_rows(std::span<const Turn> turns, std::size_t last, Rows<float> rows);

}  // namespace kakeya
