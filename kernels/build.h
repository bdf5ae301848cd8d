// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya::kernels {

/// Whether kernels are in this build: memory.cu says so, and no_cuda.cpp the opposite.
bool built_with_cuda();

}  // namespace kakeya::kernels
