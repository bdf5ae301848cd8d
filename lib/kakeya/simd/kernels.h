// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/lattice/lattice.h"
#include "kakeya/simd/book.h"
#include "kakeya/simd/matrix.h"
#include "kakeya/simd/tile.h"

// What each instruction set provides. Of this room only: callers use tile.h.

namespace kakeya {

/// In and out of tiles (move.cpp).
struct MoveKernels {
  void (*load)(Rows<const float> x, float* tile, std::uint32_t* largest);
  // load, scale_coordinates unless `signs` is null, and the Hadamard stages of distance 1, 2 and 4;
  // dim is a multiple of 8, and there is a row
  void (*load_first_stages)(Rows<const float> x, const float* signs, float* tile,
                            std::uint32_t* largest);
  void (*store)(const float* tile, Rows<float> x);
  void (*scale_and_store)(const float* tile, const float* factor, const float* signs,
                          Rows<float> x);
  // the stages of distance 1, 2 and 4; the tile's blocks of eight coordinates are turned, for:
  void (*first_stages_to_rows)(float* tile, std::size_t dim);
  // the stages of distance first, 2 first, ... (8 if dim is at most 128, or dim: none), and
  // scale_and_store
  void (*store_row_sums)(const float* tile, std::size_t first, const float* factor,
                         const float* signs, Rows<float> x);
  void (*points_to_lanes)(const float* tile, std::size_t dim, std::int32_t* twice);
  void (*lanes_to_points)(const std::int32_t* twice, std::size_t dim, float* tile);
};

/// Arithmetic on whole tiles (transform.cpp).
struct TransformKernels {
  void (*scale_vectors)(float* tile, std::size_t dim, const float* factor);
  void (*scale_coordinates)(float* tile, std::size_t dim, const float* factor);
  void (*shift_coordinates)(float* tile, std::size_t dim, const float* offset);
  // from the Hadamard stage of distance `first` on, 1 or 8
  void (*sum)(float* tile, std::size_t dim, std::size_t first);
  void (*measure)(const float* tile, std::size_t dim, float* sum_of_squares, float* largest);
};

/// Matrix products (product.cpp).
struct ProductKernels {
  void (*multiply)(const float* tile, std::size_t dim, const float* matrix, std::size_t columns,
                   float* product);
  // `pairs` as WholeMatrix::pairs of two rows of unit x: whole numbers, [dim / 2][16]
  void (*pair_rows)(const float* tile, float unit, std::size_t dim, std::int32_t* pairs);
  // of such pairs, where no sum reaches 2^31
  void (*multiply_pairs)(const std::int32_t* pairs, const WholeMatrix& matrix, const float* factor,
                         float* product);
};

/// Nearest points (quantise.cpp).
struct QuantiseKernels {
  void (*quantise)(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                   float bound);
  // and first_stages_to_rows(); dim is a multiple of 8
  void (*quantise_to_rows)(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                           float bound);
};

/// Nearest paths of Lattice::trellis (paths.cpp); `decisions` has room for dim tile rows.
struct PathKernels {
  void (*nearest)(float* tile, std::size_t dim, const float* inverse_step, std::int32_t* decisions);
};

/// Numbers of points (index.cpp); see TileBook.
struct IndexKernels {
  void (*number)(const TileBook::Constants& book, const float* tile, std::size_t dim,
                 std::uint64_t* low, std::uint64_t* high);
  bool (*points)(const TileBook::Constants& book, const std::uint64_t* low,
                 const std::uint64_t* high, std::size_t dim, float* tile);
};

/// The scales of vectors (scales.cpp).
struct ScaleKernels {
  void (*two)(const float* sum_of_squares, const float* largest, double unit, int levels,
              const TwoScales& out);
};

/// Columns of a matrix that add_product() has one after another in memory.
inline constexpr std::size_t kPanelWidth = 32;

/// Sums of rows of a matrix (matrix.cpp); see matrix.h.
struct MatrixKernels {
  void (*combine)(const float* factor, Rows<const float> rows, float* y);
  // add_product() of factors.dim rows to sums.dim = kPanelWidth columns
  void (*add_panel)(Rows<const float> factors, const float* rows, std::size_t stride,
                    Rows<float> sums);
  void (*add_pair_panel)(Rows<const std::int32_t> factors, const std::int32_t* rows,
                         std::size_t stride, Rows<std::int32_t> sums);
  // turn_rows(), `count` turns a sweep, at least one
  void (*turn)(const Turn* turns, std::size_t count, std::size_t sweeps, std::size_t last,
               float* rows);
};

struct TileKernels {
  MoveKernels move;
  TransformKernels transform;
  QuantiseKernels quantise;
  IndexKernels index;
  ScaleKernels scales;
  ProductKernels product;
  PathKernels paths;
  MatrixKernels matrix;
};

/// Those of the instruction set in use (dispatch.cpp).
const TileKernels& kernels_in_use();

/// The plain loops (plain*.cpp): what every other implementation is tested against.
MoveKernels plain_move_kernels();
TransformKernels plain_transform_kernels();
QuantiseKernels plain_quantise_kernels();
IndexKernels plain_index_kernels();
ProductKernels plain_product_kernels();

/// multiply_whole_tile() for sums of any size.
void multiply_wide_tile(const float* tile, float unit, const WholeMatrix& matrix,
                        const float* factor, float* product);
ScaleKernels plain_scale_kernels();
PathKernels plain_path_kernels();
MatrixKernels plain_matrix_kernels();

/// The vector instruction sets of this machine and build, best first; none without Highway.
std::vector<std::string> vector_targets();

/// The kernels of `target`, one of vector_targets().
TileKernels vector_kernels(std::string_view target);

}  // namespace kakeya
