// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kakeya {

/// The inverse of a [dim, dim] matrix, row-major, computed in double. Throws InputError when it has
/// none. Cost: about 2 dim^3.
std::vector<float> inverse(std::span<const float> matrix, std::size_t dim);

}  // namespace kakeya
