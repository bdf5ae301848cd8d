// SPDX-License-Identifier: Apache-2.0
// Stands in for highway.cpp and the vector kernels where Highway was not found.
#include "kakeya/core/error.h"
#include "kakeya/simd/kernels.h"

namespace kakeya {

std::vector<std::string> vector_targets() { return {}; }

TileKernels vector_kernels(std::string_view target) {
  throw InputError("instruction set " + std::string(target) + ": this build has no Highway");
}

}  // namespace kakeya
