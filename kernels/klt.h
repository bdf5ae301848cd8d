// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernels.h"
#include "kernels/pages.h"

// klt of single heads between vectors and the points of pages, in plain C++17 as kernels.h. What one
// launcher writes the next one reads; all heads of a view go in one launch, each with matrices and
// tables of its own.
//
// The points of a head are whole numbers, twice each coordinate, in the order of
// lib/kakeya/entropy/lanes.h: those of 32 neighbouring tokens are a group, group g from value 32 g
// dim on, and in it value 32 i + token % 32 is coordinate i. A page is whole groups. A vector that is
// kept beside the code is moved out of its page: those behind it move up.

namespace kakeya::kernels {

inline constexpr int kMostKltDim = 512;

/// Rows, and columns, of a stored matrix are whole multiples of these (klt_place()).
inline constexpr int kKltSteps = 16;
constexpr int klt_columns(int dim) { return dim <= 64 ? 64 : 128; }
constexpr int klt_tiles(int dim) { return (dim + klt_columns(dim) - 1) / klt_columns(dim); }
constexpr int klt_rows(int dim) { return (dim + kKltSteps - 1) / kKltSteps * kKltSteps; }

/// Floats of a matrix of dim x dim in device memory, zeros where it has no value, and where value (i,
/// j) is. A tile of columns lies together, row after row, and in a row the first four of each eight
/// columns before the last four, so that neighbouring threads read neighbouring memory.
constexpr std::size_t klt_matrix_values(int dim) {
  return static_cast<std::size_t>(klt_tiles(dim)) * klt_columns(dim) * klt_rows(dim);
}
constexpr std::size_t klt_place(int dim, int i, int j) {
  const int columns = klt_columns(dim), tile = j / columns, column = j % columns;
  const int place = column % 8 / 4 * (columns / 2) + column / 8 * 4 + column % 4;
  return (static_cast<std::size_t>(tile) * klt_rows(dim) + i) * columns + place;
}
/// Floats of a vector that goes with the columns.
constexpr int klt_padded(int dim) { return klt_tiles(dim) * klt_columns(dim); }

/// Of product=exact: steps of 32 in a product, and groups of 32 columns.
constexpr int klt_whole_steps(int dim) { return klt_padded(dim) / 32; }
constexpr int klt_whole_groups(int dim) { return klt_whole_steps(dim); }
/// The largest dim with kernels for it.
inline constexpr int kMostWholeDim = 256;
/// Fragments of a matrix, each for a lane: 8 bytes a plane of digits.
constexpr std::int64_t klt_whole_fragments(int dim) {
  return std::int64_t{klt_whole_groups(dim)} * klt_whole_steps(dim) * 4 * 32;
}
/// Where in its plane of a fragment value (i, j) is: a lane's sums, of four products, are those of
/// eight neighbouring columns.
struct WholePlace {
  std::int64_t fragment;
  int byte;  ///< of 8
};
constexpr WholePlace klt_whole_place(int dim, int i, int j) {
  const int column = j % 32, product = column % 8 / 2, n = 2 * (column / 8) + column % 2;
  const std::int64_t before =
      (std::int64_t{j / 32} * klt_whole_steps(dim) + i / 32) * 4 + product;
  return {before * 32 + 4 * n + i % 16 / 4, i % 32 / 16 * 4 + i % 4};
}

/// What a kernel found wrong, beside the flags of kernels.h and pages.h.
enum KltFlag : std::uint32_t {
  kBadExact =
      512,  ///< a record of "exact" that is cut, out of order, beyond the frame or not finite
  kBadPoint = 1024,  ///< of product=exact: twice a coordinate that is more than two digits
};

/// The codec, one head after another in each array.
struct Klt {
  enum Points : int { z, e8, trellis } points = z;
  int dim = 0;   ///< a multiple of 8 up to kMostKltDim
  int page = 0;  ///< a multiple of 32 up to 4096
  /// A vector with a larger coordinate, or that may cost more bits, is kept beside the code.
  float largest = 0;
  std::uint32_t most_bits = 0;

  const float *forward = nullptr, *backward = nullptr;    ///< [klt_matrix_values(dim)]
  const float *negative_mean = nullptr, *mean = nullptr;  ///< [klt_padded(dim)]
  /// A bound of a point's cost in bits: base + the sum of slope * |coordinate|.
  const float *slope = nullptr, *base = nullptr;  ///< [klt_padded(dim)], [1]
  PageCoding coding;                              ///< what points cost exactly

  /// product=exact, where these are not null: in place of forward and backward.
  const std::uint32_t* whole_forward = nullptr;   ///< [klt_whole_fragments(dim)][2]: 8 bits
  const std::uint32_t* whole_backward = nullptr;  ///< [klt_whole_fragments(dim)][4]: low, high digits
  const float *to_whole = nullptr, *forward_scale = nullptr,
              *backward_scale = nullptr;  ///< [klt_padded(dim)]
};

constexpr std::int64_t klt_groups(std::int64_t tokens) { return (tokens + 31) / 32; }

/// Memory between the launchers.
struct KltWork {
  std::int32_t* points = nullptr;    ///< [heads][stride]: PagePoints::twice
  std::int64_t stride = 0;           ///< whole pages
  float* bounds = nullptr;           ///< [klt_padded(dim) / 64][heads][32 groups]: costs in bits
  std::uint32_t* kept = nullptr;     ///< [heads][groups]: a bit for each vector that is kept
  std::uint32_t* vectors = nullptr;  ///< [heads][pages]: how many are in the page
};

/// A section whose length is known once it is written: that of head h is sizes[h] bytes long.
struct SizedSection {
  Section place;
  std::uint64_t* sizes = nullptr;
};

// To points. Launched in this order.

/// (x - mean) forward, and the nearest point; of the trellis the coordinates as floats, in the place
/// of points, for klt_paths(). Writes work.points, and but for the trellis work.bounds.
void klt_forward(const Klt& codec, const Vectors& x, const KltWork& work, std::uint32_t* flags,
                 Stream stream);
/// The nearest paths. Writes work.bounds and, in their place, work.points.
void klt_paths(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
               Stream stream);
/// Decides which vectors are kept: writes work.kept and work.vectors, and, where `move_up`, moves
/// them out of their pages.
void klt_settle(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                bool move_up, Stream stream);
/// Writes the section "exact" (codec/exact_vectors.h, as bfloat16), of zeros for a vector that is not
/// finite.
void klt_write_exact(const Klt& codec, const Vectors& x, const KltWork& work,
                     const SizedSection& exact, Stream stream);

// And back.

/// Reads which vectors "exact" has: adds to work.kept, which must be 0. Damage is kBadExact.
void klt_read_exact(const Klt& codec, std::int64_t tokens, std::int64_t heads,
                    const SizedSection& exact, const KltWork& work, std::uint32_t* flags,
                    Stream stream);
/// work.vectors from work.kept.
void klt_count(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
               Stream stream);
/// Moves vectors behind those that are kept back to their places; the kept ones are 0 then.
void klt_move_apart(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                    Stream stream);
/// point backward + mean, rounded to the scalars of y, of the vectors that are not kept. Of
/// product=exact a point that no encoder writes is kBadPoint.
void klt_backward(const Klt& codec, const KltWork& work, const Vectors& y, std::uint32_t* flags,
                  Stream stream);
/// Both for product=exact (klt_exact.cu), which klt_forward() and klt_backward() call.
void klt_exact_forward(const Klt& codec, const Vectors& x, const KltWork& work,
                       std::uint32_t* flags, Stream stream);
void klt_exact_backward(const Klt& codec, const KltWork& work, const Vectors& y,
                        std::uint32_t* flags, Stream stream);
/// Writes the kept vectors from "exact", zeros where there is no record of one.
void klt_put_exact(const Klt& codec, const SizedSection& exact, const KltWork& work,
                   const Vectors& y, Stream stream);
/// The same from the vectors themselves, as they would come back.
void klt_copy_exact(const Klt& codec, const Vectors& x, const KltWork& work, const Vectors& y,
                    Stream stream);

}  // namespace kakeya::kernels
