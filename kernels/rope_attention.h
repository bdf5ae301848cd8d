// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.h"

// Decode attention over pages of tiles whose keys were coded before RoPE: launcher of rope_attention.cu.
// lib/kakeya/device/device_rope.h makes what it is given.
//
// Coordinates of keys stand in pairs. Pair p has columns p % 32 (its first) and 32 + p % 32 (its second) of
// columns [64 (p / 32), 64 (p / 32) + 64). A token at position t has pair p turned by t times its frequency.

namespace kakeya::kernels {

/// Tokens of a page that a warp takes, and so the positions from one row of RopeTables::coarse to the next.
constexpr int rope_rows(int dim) { return 4096 / dim; }

/// Floats of a row of RopeTables::fine, of which the last 16 are not read: rows stand in other banks of shared memory.
constexpr int rope_fine_stride(int dim) { return dim + 16; }

/// Steps of 16 coordinates of a product with a head's matrix: one more than coordinates have, for the mean.
constexpr int rope_steps(int dim) { return dim / 16 + 1; }
/// Bytes of a head's matrix.
constexpr std::int64_t rope_matrix_bytes(int dim) { return rope_steps(dim) * 16 * dim * 2; }

/// Where row `row` (of 16 a step) and column `column` of a head's matrix are, in binary16: 8 columns of 8 rows are
/// 128 bytes, a column 16 of them.
constexpr int rope_matrix_place(int dim, int row, int column) {
  return ((row / 8) * (dim / 8) + column / 8) * 64 + column % 8 * 8 + row % 8;
}
/// The row of a coordinate of z: a lane that reads eight neighbouring bytes of a tile of 32 has whole operands.
constexpr int rope_matrix_row(int coordinate) {
  const int within = coordinate % 32, lane = within / 8, step = within / 4 % 2,
            half = within / 2 % 2;
  return coordinate / 32 * 32 + 16 * step + 8 * half + 2 * lane + within % 2;
}
/// The column of the first coordinate of a pair, and how many columns later its second is.
constexpr int rope_column(int pair) { return pair / 32 * 64 + pair % 32; }
constexpr int kRopeApart = 32;

/// What a pair's coordinates are in a vector of `dim`, of which the first `turned` are turned: `second` of 0 or 1.
constexpr int rope_coordinate(int turned, bool interleaved, int pair, int second) {
  if (interleaved || pair >= turned / 2) return 2 * pair + second;
  return pair + second * (turned / 2);
}

/// No coordinate of a key times a head's factor is larger, so that what is turned is a finite binary16.
constexpr float kMostRopeKey = 42000.0f;

/// In device memory. `fine` and `coarse`: cosine and sine of each pair, of rows of positions.
struct RopeTables {
  const std::uint8_t* matrices = nullptr;  ///< [heads], of rope_matrix_bytes(dim)
  const float* units = nullptr;            ///< [heads]: what a product with it is multiplied by
  const float* fine = nullptr;             ///< [rope_rows(dim)][rope_fine_stride(dim)]: of r
  const float* coarse = nullptr;           ///< [coarse_rows][dim]: of r * rope_rows(dim)
  std::int64_t coarse_rows = 0;
  int turned = 0;  ///< coordinates that are turned, an even number
  bool interleaved = false;
  const std::int32_t* first_positions =
      nullptr;  ///< [batch]: of a sequence's first token in pages; null: 0
};

/// As attend_tiles(). Queries and keys in bf16 are after RoPE. Tokens beyond the positions of `coarse` are flagged with kBadPosition, and count as others.
void attend_rope_tiles(const AttendCall& call, const FieldRoom& room,
                       const FieldTransforms& transforms, const RopeTables& rope, Stream stream);

}  // namespace kakeya::kernels
