// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

/// x W^T, [x.count, outputs], of a matrix [outputs, x.dim], in float32. `x` must be dense. Throws
/// InputError in a build without LibTorch.
std::vector<float> matrix_product(Rows<const float> x, std::span<const float> matrix);

}  // namespace kakeya
