// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

// Codec arithmetic on sixteen vectors at once. A tile holds them transposed, coordinate i of vector
// r at tile[16 i + r], so that every operation on a vector is the same operation in each lane and
// no lane ever sees another: the additions of a vector have the order written here whatever the
// instruction set, and every instruction set gives the same bits (nothing is fused into
// multiply-adds). A tile starts at a multiple of 64 bytes.

inline constexpr std::size_t kTileRows = 16;

/// Memory for a tile of `dim` coordinates (times 16 floats), aligned.
class TileBuffer {
 public:
  explicit TileBuffer(std::size_t dim)
      : values_(static_cast<float*>(
            ::operator new[](dim* kTileRows * sizeof(float), std::align_val_t{64}))) {}
  float* data() const { return values_.get(); }

 private:
  struct Free {
    void operator()(float* values) const { ::operator delete[](values, std::align_val_t{64}); }
  };
  std::unique_ptr<float, Free> values_;
};

/// The instruction sets that this machine and this build have, best first, as "AVX3", "AVX2",
/// "SSE4", ...; the last is the portable one.
std::vector<std::string> simd_targets();

/// The one in use.
std::string simd_target();

/// Uses `target`, one of simd_targets(), from now on, and no more than it has where other rooms
/// choose (core/extension.h); for tests and benchmarks. Not while another thread works. Throws
/// InputError on another name.
void use_simd_target(std::string_view target);

/// Writes rows x[0, count), count at most 16, to the tile (zeros for missing rows) and the largest
/// magnitude of each to largest[16] as a bit pattern: from 0x7f800000 on the row holds an infinity
/// or a NaN.
void load_tile(Rows<const float> x, float* tile, std::uint32_t* largest);

/// Writes the first x.count vectors of the tile to `x`; those beyond are not touched.
void store_tile(const float* tile, Rows<float> x);

/// Multiplies vector r by factor[r].
void scale_vectors(float* tile, std::size_t dim, const float* factor);

/// Multiplies coordinate i of every vector by factor[i] (random signs).
void scale_coordinates(float* tile, std::size_t dim, const float* factor);

/// Adds offset[i] to coordinate i of every vector.
void shift_coordinates(float* tile, std::size_t dim, const float* offset);

/// Writes the product of every vector, as a row, with `matrix` ([dim, columns], row-major) to
/// `product`, another tile: coordinate j is the sum over i = 0, 1, ... of x_i matrix[i columns +
/// j]. `columns` is a multiple of 8.
void multiply_tile(const float* tile, std::size_t dim, const float* matrix, std::size_t columns,
                   float* product);

/// With a square matrix.
inline void multiply_tile(const float* tile, std::size_t dim, const float* matrix, float* product) {
  multiply_tile(tile, dim, matrix, dim, product);
}

/// A matrix of 16-bit whole numbers, [dim, columns], for multiply_whole_tile(): rows 2 i and 2 i + 1 of
/// a column side by side, the even one in the low half of pairs[i columns + j].
struct WholeMatrix {
  std::size_t dim = 0, columns = 0;  ///< multiples of 2 and 8
  std::vector<std::int32_t> pairs;   ///< [dim / 2, columns]
  std::int64_t most_column = 0;  ///< the largest sum of a column's magnitudes, each at most 32767

  WholeMatrix() = default;
  /// values: [dim, columns], row-major. Throws InputError on other shapes and on -32768.
  WholeMatrix(std::span<const std::int16_t> values, std::size_t columns);
  std::int16_t at(std::size_t i, std::size_t j) const {
    return static_cast<std::int16_t>(pairs[i / 2 * columns + j] >> (16 * (i % 2)));
  }
};

/// The product of every vector, as a row, with `matrix`, in whole numbers: with n_i the one nearest to
/// unit x_i (ties to even; of magnitude 32767 at most), coordinate j is the sum over i of n_i matrix[i, j],
/// exact, rounded to float once, times factor[j]. No order of additions matters. `unit` is a power of two.
/// Writes the largest magnitude of unit x of each vector to largest[16].
void multiply_whole_tile(const float* tile, float unit, const WholeMatrix& matrix,
                         const float* factor, float* product, float* largest);

/// Of every vector the sum of squares, added in four interleaved parts, ((0 + 2) + (1 + 3)), which
/// is left out if null, and the largest magnitude.
void measure_tile(const float* tile, std::size_t dim, float* sum_of_squares, float* largest);

/// Scales of sixteen vectors, each array of sixteen: two binary16 patterns, and the steps that
/// follow.
struct TwoScales {
  std::uint16_t *norm, *maximum;
  float *step, *inverse_step;
};

/// The published scales of every vector from what measure_tile() found. With n the square root of
/// the sum of squares: norm is n, and maximum largest / n, each as the nearest binary16;
///
///   step = norm * (maximum / levels)     inverse_step = levels * unit / (maximum * n)
///
/// in float and in double; all four 0 where `largest` is.
void two_scales_tile(const float* sum_of_squares, const float* largest, double unit, int levels,
                     const TwoScales& out);

/// Replaces every block of vector r by the point of `lattice` nearest to inverse_step[r] times it,
/// as quantise_block() of lattice/quantise.h says. bound > 0: within |coordinate| <= bound; 0:
/// anywhere (products must then stay below kLargestCoordinate). `dim` is a multiple of the block.
/// Lattice::trellis, without a bound: every vector by the path nearest to the product
/// (lattice/trellis.h), by the Viterbi algorithm. Of two equally good ways to a state the one from
/// the lower state is taken, of equally good last states the lowest.
void quantise_tile(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                   float bound);

// The round trip in fewer passes and multiplications. Sums are a Hadamard transform without its 1 /
// sqrt(dim), which goes into factors that are there anyway: with steps measured in sums,
// load_and_sum_tile, measure_tile, quantise_and_store_tile by step / sqrt(dim).

/// hadamard() of every vector without its multiplication at the end: the same bits before it. `dim`
/// is a power of two. Of lattice points the sums are exact, hence the same in any order: multiples
/// of 1/2 that stay below 2^22.
void sum_tile(float* tile, std::size_t dim);

/// load_tile(), scale_coordinates() by `signs` unless that is null, and sum_tile(). `dim` is a
/// power of two from 8 on, and there is a row. Reads rows beyond these, or what lies there in
/// memory, into the cache.
void load_and_sum_tile(Rows<const float> x, const float* signs, float* tile,
                       std::uint32_t* largest);

/// Writes the products of factor[r] and the tile, +0 where one of the two is 0, times signs[i]
/// unless `signs` is null, to the x.count rows. The tile stays as it is, all its numbers finite.
void scale_and_store_tile(const float* tile, const float* factor, const float* signs,
                          Rows<float> x);

/// sum_tile() of lattice points and scale_and_store_tile() in fewer passes. `dim` is a power of two
/// from 8 on. The tile is left with numbers of no meaning.
void sum_and_store_tile(float* tile, const float* factor, const float* signs, Rows<float> x);

/// quantise_tile(), not of Lattice::trellis, and sum_and_store_tile().
void quantise_and_store_tile(Lattice lattice, float* tile, const float* inverse_step, float bound,
                             const float* factor, const float* signs, Rows<float> x);

/// Twice each coordinate of the tile's points, exactly, as integers: twice[32 i + r] for r in [0,
/// 16): a tile fills half of a group of 32 lanes (entropy/point_coder.h).
void points_to_lanes(const float* tile, std::size_t dim, std::int32_t* twice);

/// The way back.
void lanes_to_points(const std::int32_t* twice, std::size_t dim, float* tile);

}  // namespace kakeya
