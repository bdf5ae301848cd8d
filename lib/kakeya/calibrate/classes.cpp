// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/classes.h"

#include <algorithm>

#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

// Calls work(first, rows, tile) for every sixteen vectors, in steps.
template <typename Work>
void for_each_tile(Rows<const float> y, int quarters, const Work& work) {
  TileBuffer tile(y.dim);
  float inverse_step[kTileRows];
  std::fill_n(inverse_step, kTileRows, static_cast<float>(quarter_octaves(quarters)));
  for (std::size_t first = 0; first < y.count; first += kTileRows) {
    const Rows<const float> rows = y.slice(first, std::min(kTileRows, y.count - first));
    std::uint32_t largest[kTileRows];
    load_tile(rows, tile.data(), largest);
    scale_vectors(tile.data(), y.dim, inverse_step);
    work(first, rows.count, tile.data());
  }
}

void quantise(float* tile, std::size_t dim) {
  float ones[kTileRows];
  std::fill_n(ones, kTileRows, 1.0f);
  quantise_tile(Lattice::e8, tile, dim, ones, 0.0f);
}

}  // namespace

std::vector<std::uint8_t> choose_classes(Rows<const float> y, int quarters) {
  std::vector<std::int32_t> twice(lane_values(y.count, y.dim));
  for_each_tile(y, quarters, [&](std::size_t first, std::size_t, float* tile) {
    quantise(tile, y.dim);
    points_to_lanes(tile, y.dim, twice.data() + first / kLanes * kLanes * y.dim + first % kLanes);
  });
  std::vector<std::uint8_t> classes =
      cheapest_classes(*klt_model(Lattice::e8), twice, y.count, y.dim, false);
  for (std::uint8_t& which : classes) which = profile_class(which, quarters);
  return classes;
}

void round_to_points(Rows<float> y, int quarters) {
  float step[kTileRows];
  std::fill_n(step, kTileRows, static_cast<float>(quarter_octaves(-quarters)));
  for_each_tile(y, quarters, [&](std::size_t first, std::size_t count, float* tile) {
    quantise(tile, y.dim);
    scale_vectors(tile, y.dim, step);
    store_tile(tile, y.slice(first, count));
  });
}

}  // namespace kakeya
