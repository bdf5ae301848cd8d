// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kakeya/profile/int8_matrix.h"

namespace kakeya {

/// A matrix [rows, columns], row-major, in a byte a value, rounded for the row vectors x that it
/// will multiply: with `moments` [rows, rows] = E[x^T x], symmetric, E|x (rounded - matrix)|^2 is
/// small. Rows are rounded one after another, the one of the strongest coordinate first, each after
/// it was moved by what makes up best for the errors of those before it (the nearest plane of
/// Babai 1986, used as GPTQ, arXiv 2210.17323, uses it; rounding each value alone leaves some
/// hundred times the error where coordinates are correlated). The scale of a column is 1/127 of its
/// largest magnitude. Throws InputError on a value that is not finite, or moments that no vectors
/// have. Cost: rows^2 columns + rows^3 / 3.
Int8Matrix round_to_int8(std::span<const double> matrix, std::size_t columns,
                         std::span<const double> moments);

}  // namespace kakeya
