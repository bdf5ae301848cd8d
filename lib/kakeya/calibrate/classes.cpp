// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/classes.h"

#include <algorithm>

#include "kakeya/codec/klt_plan.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr double kFewestPoints = 200;

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

void GainSums::merge(const GainSums& other) {
  for (std::size_t i = 0; i < product_.size(); ++i) {
    product_[i] += other.product_[i];
    square_[i] += other.square_[i];
    points_[i] += other.points_[i];
  }
}

std::vector<float> GainSums::gains() const {
  std::vector<float> gains;
  for (std::size_t i = 0; i < product_.size(); ++i) {
    const double gain =
        points_[i] < kFewestPoints ? 1.0 : std::clamp(square_[i] / product_[i], 1.0, 1.5);
    gains.push_back(static_cast<float>(gain));
  }
  return gains;
}

void code_samples(std::span<const std::uint8_t> classes, int quarters, Rows<float> y,
                  GainSums* sums) {
  float step[kTileRows];
  std::fill_n(step, kTileRows, static_cast<float>(quarter_octaves(-quarters)));
  for_each_tile(y, quarters, [&](std::size_t first, std::size_t count, float* tile) {
    const std::vector<float> steps(tile, tile + y.dim * kTileRows);
    quantise(tile, y.dim);
    for (std::size_t i = 0; i < y.dim && sums != nullptr; ++i) {
      const std::size_t which = klt_class(classes[i], quarters);
      for (std::size_t r = 0; r < count; ++r) {
        sums->add(which, steps[i * kTileRows + r], tile[i * kTileRows + r]);
      }
    }
    scale_vectors(tile, y.dim, step);
    store_tile(tile, y.slice(first, count));
  });
}

}  // namespace kakeya
