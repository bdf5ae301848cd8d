// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

/// x W^T, [x.count, outputs], of a matrix [outputs, x.dim], in float32. `x` must be dense. Throws
/// InputError in a build without LibTorch.
std::vector<float> matrix_product(Rows<const float> x, std::span<const float> matrix);

/// LibTorch's threads for matrix_product() from now on; at least 1. Nothing in a build without it.
void set_product_threads(int threads);

}  // namespace kakeya
