// SPDX-License-Identifier: Apache-2.0
// The instruction sets that Highway finds on this machine.
#include <hwy/highway.h>

#include "kakeya/simd/kernels.h"
#include "kakeya/simd/vector_kernels.h"

namespace kakeya {
namespace {

// Highway's own portable targets are left out: their kernels would be the plain loops.
bool is_vector_target(std::int64_t target) { return target != HWY_EMU128 && target != HWY_SCALAR; }

}  // namespace

std::vector<std::string> vector_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (is_vector_target(target)) names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

// Highway keeps one choice for the whole program; it is put back when the tables have been read.
TileKernels vector_kernels(std::string_view target) {
  for (const std::int64_t candidate : hwy::SupportedAndGeneratedTargets()) {
    if (hwy::TargetName(candidate) == target) hwy::GetChosenTarget().Update(candidate);
  }
  const TileKernels kernels{vector_move_kernels(),     vector_transform_kernels(),
                            vector_quantise_kernels(), vector_index_kernels(),
                            vector_scale_kernels(),    vector_product_kernels(),
                            vector_path_kernels(),     vector_matrix_kernels()};
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return kernels;
}

}  // namespace kakeya
