// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/point_coder.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// What points take by the tables of their classes, path by path of `width` coordinates: of whole layers, what each
/// group does. Pages take this and what their lanes begin with.
class PathCosts {
 public:
  PathCosts(const std::shared_ptr<const PointModel>& model,
            const std::vector<std::uint8_t>& classes, std::size_t width)
      : width_(width), twice_(lane_values(kTileRows, width)) {
    for (auto at = classes.begin(); at != classes.end();) {
      const auto end = at + static_cast<std::ptrdiff_t>(width);
      coders_.emplace_back(model, std::vector<std::uint8_t>(at, end));
      at = end;
    }
  }

  /// Adds those of the first `vectors` of a tile of points to `bits`, one a path.
  void add(const float* tile, std::size_t vectors, std::span<double> bits) {
    for (std::size_t path = 0; path < coders_.size(); ++path) {
      points_to_lanes(tile + path * width_ * kTileRows, width_, twice_.data());
      bits[path] += coders_[path].model_bits(twice_, vectors);
    }
  }

 private:
  std::size_t width_;
  std::vector<PointCoder> coders_;
  std::vector<std::int32_t> twice_;
};

}  // namespace kakeya
