// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/kernels.h"
#include "kernels/pages.h"
#include "kernels/prefix.h"

// klt between vectors and the points of pages, in plain C++17 as kernels.h. What one launcher writes
// the next one reads; all heads of a view go in one launch, each with matrices and tables of its own.
// Of whole layers a vector is a token: a view of one head, which all that is here takes but the
// products, klt_forward() and klt_backward(), in whose place stand klt_layers_forward() and
// klt_layers_backward().
//
// The points of a head are whole numbers, twice each coordinate, in the order of
// lib/kakeya/entropy/lanes.h: those of 32 neighbouring tokens are a group, group g from value 32 g
// dim on, and in it value 32 i + token % 32 is coordinate i. A page is whole groups. A vector that is
// kept beside the code is moved out of its page: those behind it move up.

namespace kakeya::kernels {

inline constexpr int kMostKltDim = 512;  ///< of a head
/// Of a group of layers: shared memory holds a bit for each state and coordinate of 32 vectors.
inline constexpr int kMostKltWidth = 4096;
inline constexpr int kMostKltOrder = 2;

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
  const std::int64_t before = (std::int64_t{j / 32} * klt_whole_steps(dim) + i / 32) * 4 + product;
  return {before * 32 + 4 * n + i % 16 / 4, i % 32 / 16 * 4 + i % 4};
}

/// What a kernel found wrong, beside the flags of kernels.h and pages.h.
enum KltFlag : std::uint32_t {
  kBadExact =
      512,  ///< a record of "exact" that is cut, out of order, beyond the frame or not finite
  kBadPoint = 4096,    ///< of product=exact: twice a coordinate that is more than two digits
  kNotInRange = 8192,  ///< of whole layers: points whose vector is beyond the floats
};

/// The codec, one head after another in each array.
struct Klt {
  enum Points : int { z, e8, trellis } points = z;
  int dim = 0;    ///< of a vector: a multiple of 8
  int page = 0;   ///< a multiple of 32 up to 4096
  int parts = 0;  ///< of which KltWork::bounds has one a vector each
  /// A vector with a larger coordinate, or that may cost more bits, is kept beside the code.
  float largest = 0;
  std::uint32_t most_bits = 0;

  // Of single heads, where dim is at most kMostKltDim:
  const float *forward = nullptr, *backward = nullptr;    ///< [klt_matrix_values(dim)]
  const float *negative_mean = nullptr, *mean = nullptr;  ///< [klt_padded(dim)]
  /// A bound of a point's cost in bits: base + the sum of slope * |coordinate|.
  const float* slope = nullptr;  ///< [klt_padded(dim)]
  /// Of pages of fields, null of others: bits of the field that a coordinate is counted with.
  const float* field_bits = nullptr;  ///< [klt_padded(dim)]
  PrefixPages prefix;                 ///< of pages of prefix codes; of others without tables

  /// product=exact, where these are not null: in place of forward and backward.
  /// [klt_whole_fragments(dim)][2], of 8 bits, and [klt_whole_fragments(dim)][4], low and high digits.
  const std::uint32_t *whole_forward = nullptr, *whole_backward = nullptr;
  const float *to_whole = nullptr, *forward_scale = nullptr,
              *backward_scale = nullptr;  ///< [klt_padded(dim)]

  // Of all:
  const float* base = nullptr;  ///< [1]
  /// Of pages of a budget, which are heads: which plan, here what is said to be of a head, each has, and how many
  /// vectors, [heads]. Others have no counts.
  HeadPlans plans;
  const std::uint32_t* counts = nullptr;
  PageCoding coding;  ///< what points cost exactly
};

/// Layers that are transformed together (lib/kakeya/codecs/klt/layer_chain.h). Heads are those of the
/// keys and values of all of them.
struct KltGroup {
  int order = 0;  ///< how many groups before it predict it, up to kMostKltOrder
  const float *forward = nullptr, *backward = nullptr;    ///< [heads][klt_matrix_values(head_dim)]
  const float *negative_mean = nullptr, *mean = nullptr;  ///< [heads][klt_padded(head_dim)]
  const float *analysis = nullptr, *synthesis = nullptr;  ///< [klt_matrix_values(width)]
  const float* predictors[kMostKltOrder] = {};  ///< likewise: of the group before, then before that
  const float* slope = nullptr;                 ///< [klt_padded(width)]
};
struct KltLayers {
  Klt klt;        ///< of whole vectors
  int width = 0;  ///< of a group: a multiple of 8 up to kMostKltWidth
  int head_dim = 0;
  const KltGroup* groups = nullptr;  ///< in host memory, klt.dim / width of them
};

constexpr std::int64_t klt_groups(std::int64_t tokens) { return (tokens + 31) / 32; }
/// Of a head or of a group of layers with a width of `dim`: columns of bounds, or one of a path. Of product=exact there is one, too (Klt::parts).
constexpr int klt_parts(Klt::Points points, int dim) {
  return points == Klt::trellis ? 1 : klt_padded(dim) / 64;
}

/// Memory between the launchers.
struct KltWork {
  std::int32_t* points = nullptr;    ///< [heads][stride]: PagePoints::twice
  bool near = false;                 ///< PagePoints::near: of product=exact and no trellis alone
  std::int64_t stride = 0;           ///< whole pages
  float* bounds = nullptr;           ///< [Klt::parts][heads][32 groups]: costs in bits
  std::uint32_t* kept = nullptr;     ///< [heads][groups]: a bit for each vector that is kept
  std::uint32_t* vectors = nullptr;  ///< [heads][pages]: how many are in the page
  LeftPages only;  ///< of klt_exact_backward(), where not null: those whose vectors it writes
};

/// And of whole layers: numbers in the order of points, [32 klt_groups(tokens), width].
struct KltLayersWork {
  KltWork klt;
  float* predicted = nullptr;  ///< may be null where no group is predicted
  /// One more than the largest order of any group: what was decoded of the last groups.
  float* decoded[kMostKltOrder + 1] = {};
  int decoded_count = 0;  ///< how many of them there are
};

/// A section whose length is known once it is written: that of head h is sizes[h] bytes long.
struct SizedSection {
  Section place;
  std::uint64_t* sizes = nullptr;
};

// To points. Launched in this order.

/// (x - mean) forward, and the nearest point, or of the trellis, by a second kernel, the nearest path.
/// Writes work.points and work.bounds.
void klt_forward(const Klt& codec, const Vectors& x, const KltWork& work, std::uint32_t* flags,
                 Stream stream);
/// The same for whole layers, two kernels or more a group: head by head, less what is predicted, the
/// transform of the group and its nearest point; where a group is predicted those before it decoded.
void klt_layers_forward(const KltLayers& codec, const Vectors& x, const KltLayersWork& work,
                        std::uint32_t* flags, Stream stream);
/// Decides which vectors are kept: writes work.kept and work.vectors, and, where `move_up`, moves
/// them out of their pages; in pages of fields and of prefix codes they are 0 then.
void klt_settle(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                bool move_up, Stream stream);
/// Writes the section "exact" (codec/exact_vectors.h, as bfloat16), of zeros for a vector that is not
/// finite.
void klt_write_exact(const Klt& codec, const Vectors& x, const KltWork& work,
                     const SizedSection& exact, Stream stream);

// And back.

/// Reads which vectors "exact" has: writes work.kept, and work.vectors. Damage is kBadExact.
void klt_read_exact(const Klt& codec, std::int64_t tokens, std::int64_t heads,
                    const SizedSection& exact, const KltWork& work, std::uint32_t* flags,
                    Stream stream);
/// Moves vectors behind those that are kept back to their places; the kept ones are 0 then.
void klt_move_apart(const Klt& codec, std::int64_t tokens, std::int64_t heads, const KltWork& work,
                    Stream stream);
/// point backward + mean, rounded to the scalars of y, of the vectors that are not kept. Of
/// product=exact a point that no encoder writes is kBadPoint.
void klt_backward(const Klt& codec, const KltWork& work, const Vectors& y, std::uint32_t* flags,
                  Stream stream);
/// The same for whole layers. Where numbers are not finite, which points that no encoder wrote can
/// lead to, kNotInRange is set and eight of them are 0.
void klt_layers_backward(const KltLayers& codec, const KltLayersWork& work, const Vectors& y,
                         std::uint32_t* flags, Stream stream);
/// Products of product=exact (klt_exact.cu), for klt_forward() and klt_backward(): of a trellis the
/// coordinates that paths are found of, in the place of points.
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
