// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kakeya {

/// The inverse of a [dim, dim] matrix, row-major: Gauss-Jordan elimination in double with row
/// pivots, rounded to float once. One fixed order of operations and no library: the same bits
/// everywhere, so that a file may leave an inverse out and say where another one differs. A matrix
/// without an inverse gives values that are not finite. Cost: about 3 dim^3.
std::vector<float> plain_inverse(std::span<const float> matrix, std::size_t dim);

}  // namespace kakeya
