// SPDX-License-Identifier: Apache-2.0
#include "fuzz/page_target.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "fuzz/allocation.h"
#include "fuzz/finding.h"
#include "fuzz/seed_vectors.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/simd/tile.h"

namespace kakeya::fuzz {
namespace {

constexpr std::size_t kHeader = 4;
constexpr std::size_t kDims[] = {8, 16, 24, 32};
constexpr std::size_t kVectors[] = {1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 40, 65};
// The deviations of the grids reach from 1/64 to 54 steps and from 4 to 13,454: the latter have
// coordinates with raw bits.
constexpr double kNominal[] = {4.0, 1000.0};
constexpr Lattice kLattices[] = {Lattice::z, Lattice::d4, Lattice::e8};
constexpr std::size_t kModels = std::size(kNominal) * std::size(kLattices);
constexpr std::size_t kMostKept = 8192;
// For a message of what is wrong: a decoder allocates nothing else.
constexpr std::size_t kMostAllocated = 1024;

std::shared_ptr<const PointModel> model_number(std::size_t number) {
  static std::shared_ptr<const PointModel> models[kModels];
  auto& model = models[number];
  if (!model) {
    model = std::make_shared<PointModel>(kLattices[number % std::size(kLattices)],
                                         class_grid(kNominal[number / std::size(kLattices)]));
  }
  return model;
}

const PointCoder& coder_of(std::size_t model, const std::vector<std::uint8_t>& classes) {
  static std::map<std::pair<std::size_t, std::vector<std::uint8_t>>, std::unique_ptr<PointCoder>>
      kept;
  if (kept.size() == kMostKept) kept.clear();
  auto& coder = kept[{model, classes}];
  if (!coder) coder = std::make_unique<PointCoder>(model_number(model), classes);
  return *coder;
}

std::vector<std::byte> encode(const PointCoder& coder, std::span<const std::int32_t> twice,
                              std::size_t vectors) {
  std::vector<std::byte> page(coder.page_bound(vectors));
  page.resize(coder.encode(twice, vectors, page));
  return page;
}

// The points nearest to vectors with `deviation` steps a coordinate.
std::vector<std::int32_t> nearest_points(Lattice lattice, SeedKind kind, std::size_t vectors,
                                         std::size_t dim, float deviation) {
  auto x = seed_vectors(kind, vectors, dim);
  for (float& value : x) value = std::clamp(value * deviation, -1e6f, 1e6f);
  std::vector<std::int32_t> twice(lane_values(vectors, dim));
  const TileBuffer tile(dim);
  const std::vector<float> unit(kTileRows, 1.0f);
  for (std::size_t first = 0; first < vectors; first += kTileRows) {
    std::uint32_t largest[kTileRows];
    const std::size_t count = std::min(kTileRows, vectors - first);
    load_tile(dense_rows(std::as_const(x).data() + first * dim, count, dim), tile.data(), largest);
    quantise_tile(lattice, tile.data(), dim, unit.data(), 0.0f);
    points_to_lanes(tile.data(), dim,
                    twice.data() + first / kLanes * kLanes * dim + first % kLanes);
  }
  return twice;
}

}  // namespace

bool run_page(Input input) {
  if (input.size() < kHeader) return false;
  const std::size_t model = input[0] % kModels;
  const std::size_t vectors = kVectors[input[2] % std::size(kVectors)];
  std::vector<std::uint8_t> classes(kDims[input[1] % std::size(kDims)]);
  const std::size_t class_bytes = input[3] % 2 == 0 ? 1 : classes.size();
  if (input.size() < kHeader + class_bytes) return false;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::size_t class_count = model_number(model)->class_count();
    classes[i] =
        static_cast<std::uint8_t>(input[kHeader + (class_bytes == 1 ? 0 : i)] % class_count);
  }
  const PointCoder& coder = coder_of(model, classes);

  // Page and points end where their memory ends.
  const auto bytes = std::as_bytes(input.subspan(kHeader + class_bytes));
  const std::vector<std::byte> page(bytes.begin(), bytes.end());
  const std::size_t values = lane_values(vectors, classes.size());
  const auto twice = std::make_unique_for_overwrite<std::int32_t[]>(values);
  std::fill_n(twice.get(), values, -1);
  const std::size_t before = allocated_bytes();
  bool accepted = true;
  try {
    coder.decode(page, vectors, {twice.get(), values});
  } catch (const CorruptStream&) {
    accepted = false;
  }
  require(allocated_bytes() - before <= kMostAllocated, "a page decoder allocates");
  if (!accepted) return false;
  const std::size_t last_group = (vectors - 1) / kLanes * kLanes;
  for (std::size_t i = last_group * classes.size(); i < values; ++i) {
    require(i % kLanes < vectors - last_group || twice[i] == 0, "a lane without a vector is not 0");
  }
  // encode() takes nothing but points of the lattice, and what it writes gives them again. The page
  // may be another: a forged one can hold words that no encoder needs.
  const auto again = std::make_unique_for_overwrite<std::int32_t[]>(values);
  coder.decode(encode(coder, {twice.get(), values}, vectors), vectors, {again.get(), values});
  require(std::memcmp(again.get(), twice.get(), values * sizeof(std::int32_t)) == 0,
          "points that were decoded do not survive another round trip");
  return true;
}

Inputs page_seeds() {
  Inputs seeds;
  for (std::size_t model = 0; model < kModels; ++model) {
    for (const SeedKind kind : kSeedKinds) {
      for (const std::uint8_t each : {std::uint8_t{0}, std::uint8_t{1}}) {
        const auto dim = static_cast<std::uint8_t>(seeds.size() % std::size(kDims));
        const auto count = static_cast<std::uint8_t>((5 * seeds.size()) % std::size(kVectors));
        const std::size_t vectors = kVectors[count];
        const auto& tables = *model_number(model);
        const auto twice =
            nearest_points(tables.lattice(), kind, vectors, kDims[dim],
                           static_cast<float>(kNominal[model / std::size(kLattices)]));
        const auto classes = cheapest_classes(tables, twice, vectors, kDims[dim], each == 0);
        const auto page = encode(coder_of(model, classes), twice, vectors);
        std::vector<std::uint8_t> seed{static_cast<std::uint8_t>(model), dim, count, each};
        seed.insert(seed.end(), classes.begin(), each == 0 ? classes.begin() + 1 : classes.end());
        const auto* first = reinterpret_cast<const std::uint8_t*>(page.data());
        seed.insert(seed.end(), first, first + page.size());
        seeds.push_back(std::move(seed));
      }
    }
  }
  return seeds;
}

}  // namespace kakeya::fuzz
