// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/klt.h"
#include "kernels/warp.cuh"

// Matrices of product=exact in the registers of warps that share vectors: each has some of the columns.

namespace kakeya::kernels {
namespace {

/// Warps that share vectors of 32 kOfSteps coordinates; the matrix has kDigits digits a number.
template <int kOfSteps, int kDigits>
struct ExactTeam {
  static constexpr int kSteps = kOfSteps;
  static constexpr int kColumns =
      kSteps * kDigits > 8 ? 16 : 32;  ///< of a warp: 64 registers of matrix
  static constexpr int kProducts = kColumns / 8, kWarps = 32 * kSteps / kColumns,
                       kEach = kColumns / 4;  ///< columns of a lane, neighbours
};

/// Column j of a warp, in the order of fragments (klt_whole_place()): lanes 4 g + q have [kEach q, kEach q + kEach).
template <typename Team>
__device__ __forceinline__ int team_column(int warp, int j) {
  if constexpr (Team::kColumns == 32) return 32 * warp + j;
  return 32 * (warp / 2) + 8 * (j / 4) + 4 * (warp % 2) + j % 4;
}

/// The column that a lane gives product t. Of 32 in the order of fragments n of a product is column
/// 8 (n / 2) + 2 t + n % 2.
template <typename Team>
__device__ __forceinline__ int lane_column(int warp, int lane, int t) {
  const int n = lane / 4;
  return team_column<Team>(warp, Team::kEach * (n / 2) + 2 * t + n % 2);
}

/// Four numbers' digits of a column: those of half `half` of coordinates [8 group, 8 group + 8).
template <typename Team, int kDigits>
__device__ __forceinline__ std::uint32_t matrix_word(const std::uint32_t* matrix, int column,
                                                     int group, int half, int digit) {
  const int chunk = 2 * (group % 4) + half, n = 2 * (column % 32 / 8) + column % 2;
  const int fragment =
      ((column / 32 * Team::kSteps + group / 4) * 4 + column % 8 / 2) * 32 + 4 * n + chunk % 4;
  return __ldg(matrix + 2 * kDigits * fragment + 2 * digit + chunk / 4);
}

}  // namespace
}  // namespace kakeya::kernels
