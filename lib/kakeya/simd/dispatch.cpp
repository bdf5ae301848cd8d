// SPDX-License-Identifier: Apache-2.0
// The public functions of tile.h: calls through the table of the instruction set in use.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"
#include "kakeya/simd/kernels.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::string_view kPortable = "portable";

struct Target {
  std::string name;
  TileKernels kernels;
};

// Made once; entries never move, so that a pointer to one can be the choice.
const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> list;
    for (const std::string& name : vector_targets()) list.push_back({name, vector_kernels(name)});
    list.push_back({std::string(kPortable),
                    {plain_move_kernels(), plain_transform_kernels(), plain_quantise_kernels(),
                     plain_index_kernels(), plain_scale_kernels(), plain_product_kernels(),
                     plain_path_kernels(), plain_matrix_kernels()}});
    return list;
  }();
  return all;
}

std::atomic<const Target*>& chosen() {
  static std::atomic<const Target*> target = &targets().front();
  return target;
}

// By Highway's names. SSE4 is SSE4.2.
Extension extension_of(std::string_view target) {
  if (target == kPortable || target == "SSE2" || target == "SSSE3") return Extension::none;
  if (target == "SSE4") return Extension::sse42;
  return target == "AVX2" ? Extension::avx2 : kLastExtension;
}

// More than sixteen blocks take a pass of their own.
void store_row_sums(const TileKernels& use, float* tile, const float* factor, const float* signs,
                    Rows<float> x) {
  if (x.dim <= 128) return use.move.store_row_sums(tile, 8, factor, signs, x);
  use.transform.sum(tile, x.dim, 8);
  use.move.store_row_sums(tile, x.dim, factor, signs, x);
}

}  // namespace

const TileKernels& kernels_in_use() { return chosen().load(std::memory_order_relaxed)->kernels; }

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.push_back(target.name);
  return names;
}

std::string simd_target() { return chosen().load(std::memory_order_relaxed)->name; }

void use_simd_target(std::string_view target) {
  const auto found = std::find_if(targets().begin(), targets().end(),
                                  [&](const Target& entry) { return entry.name == target; });
  if (found == targets().end()) {
    std::string names;
    for (const Target& entry : targets()) names += (names.empty() ? "" : ", ") + entry.name;
    throw InputError("instruction set " + std::string(target) + ": expected one of " + names);
  }
  chosen() = &*found;
  limit_extensions(extension_of(target));
}

void add_combination(const float* factor, Rows<const float> rows, float* y) {
  kernels_in_use().matrix.combine(factor, rows, y);
}

void turn_rows(std::span<const Turn> turns, std::size_t sweeps, std::size_t last, float* rows) {
  if (turns.empty()) return;
  kernels_in_use().matrix.turn(turns.data(), turns.size() / sweeps, sweeps, last, rows);
}

void load_tile(Rows<const float> x, float* tile, std::uint32_t* largest) {
  kernels_in_use().move.load(x, tile, largest);
}

void store_tile(const float* tile, Rows<float> x) { kernels_in_use().move.store(tile, x); }

void scale_vectors(float* tile, std::size_t dim, const float* factor) {
  kernels_in_use().transform.scale_vectors(tile, dim, factor);
}

void scale_coordinates(float* tile, std::size_t dim, const float* factor) {
  kernels_in_use().transform.scale_coordinates(tile, dim, factor);
}

void shift_coordinates(float* tile, std::size_t dim, const float* offset) {
  kernels_in_use().transform.shift_coordinates(tile, dim, offset);
}

void multiply_tile(const float* tile, std::size_t dim, const float* matrix, std::size_t columns,
                   float* product) {
  kernels_in_use().product.multiply(tile, dim, matrix, columns, product);
}

void multiply_whole_tile(const float* tile, float unit, const WholeMatrix& matrix,
                         const float* factor, float* product, float* largest) {
  const ProductKernels& use = kernels_in_use().product;
  kernels_in_use().transform.measure(tile, matrix.dim, nullptr, largest);
  for (std::size_t r = 0; r < kTileRows; ++r) largest[r] *= unit;
  const double bound = std::nearbyint(*std::max_element(largest, largest + kTileRows)) *
                       static_cast<double>(matrix.most_column);
  if (!(bound < 0x1p31)) return multiply_wide_tile(tile, unit, matrix, factor, product);
  // An allocation a tile would take longer than what it holds.
  constexpr std::size_t kUsual = 256;
  alignas(64) std::int32_t few[kUsual / 2 * kTileRows];
  std::unique_ptr<std::int32_t[]> many;
  if (matrix.dim > kUsual) {
    many = std::make_unique_for_overwrite<std::int32_t[]>(matrix.dim / 2 * kTileRows);
  }
  std::int32_t* const pairs = many ? many.get() : few;
  use.pair_rows(tile, unit, matrix.dim, pairs);
  use.multiply_pairs(pairs, matrix, factor, product);
}

void measure_tile(const float* tile, std::size_t dim, float* sum_of_squares, float* largest) {
  kernels_in_use().transform.measure(tile, dim, sum_of_squares, largest);
}

void quantise_tile(Lattice lattice, float* tile, std::size_t dim, const float* inverse_step,
                   float bound) {
  if (lattice == Lattice::trellis) {
    if (bound > 0.0f) throw InputError("quantise_tile: paths of the trellis have no bound");
    const auto memory = std::make_unique_for_overwrite<std::int32_t[]>(dim * kTileRows);
    return kernels_in_use().paths.nearest(tile, dim, inverse_step, memory.get());
  }
  kernels_in_use().quantise.quantise(lattice, tile, dim, inverse_step, bound);
}

void sum_tile(float* tile, std::size_t dim) { kernels_in_use().transform.sum(tile, dim, 1); }

void load_and_sum_tile(Rows<const float> x, const float* signs, float* tile,
                       std::uint32_t* largest) {
  const TileKernels& use = kernels_in_use();
  use.move.load_first_stages(x, signs, tile, largest);
  use.transform.sum(tile, x.dim, 8);
}

void scale_and_store_tile(const float* tile, const float* factor, const float* signs,
                          Rows<float> x) {
  kernels_in_use().move.scale_and_store(tile, factor, signs, x);
}

void sum_and_store_tile(float* tile, const float* factor, const float* signs, Rows<float> x) {
  const TileKernels& use = kernels_in_use();
  use.move.first_stages_to_rows(tile, x.dim);
  store_row_sums(use, tile, factor, signs, x);
}

void quantise_and_store_tile(Lattice lattice, float* tile, const float* inverse_step, float bound,
                             const float* factor, const float* signs, Rows<float> x) {
  if (lattice == Lattice::trellis) {
    throw InputError("quantise_and_store_tile: expected Z, D4 or E8, not the trellis");
  }
  const TileKernels& use = kernels_in_use();
  use.quantise.quantise_to_rows(lattice, tile, x.dim, inverse_step, bound);
  store_row_sums(use, tile, factor, signs, x);
}

void two_scales_tile(const float* sum_of_squares, const float* largest, double unit, int levels,
                     const TwoScales& out) {
  kernels_in_use().scales.two(sum_of_squares, largest, unit, levels, out);
}

void points_to_lanes(const float* tile, std::size_t dim, std::int32_t* twice) {
  kernels_in_use().move.points_to_lanes(tile, dim, twice);
}

void lanes_to_points(const std::int32_t* twice, std::size_t dim, float* tile) {
  kernels_in_use().move.lanes_to_points(twice, dim, tile);
}

}  // namespace kakeya
