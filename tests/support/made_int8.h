// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/profile/profile.h"

namespace kakeya::test {

/// A matrix in int8, every value rounded by itself.
inline Int8Matrix rounded_matrix(const std::vector<float>& values, std::size_t columns) {
  Int8Matrix made;
  made.scale.assign(columns, 0.0f);
  for (std::size_t at = 0; at < values.size(); ++at) {
    float& scale = made.scale[at % columns];
    scale = std::max(scale, std::abs(values[at]) / 127);
  }
  for (std::size_t at = 0; at < values.size(); ++at) {
    const float scale = made.scale[at % columns];
    made.steps.push_back(static_cast<std::int8_t>(scale > 0 ? std::lround(values[at] / scale) : 0));
  }
  return made;
}

inline std::vector<float> values_of_halves(const std::vector<std::uint16_t>& halves) {
  std::vector<float> values(halves.size());
  std::transform(halves.begin(), halves.end(), values.begin(), half_to_float);
  return values;
}

/// Gives a profile matrices in int8. Inverses stay those of what was rounded, near enough for tests
/// of what is stored.
inline void round_matrices(Profile& profile) {
  profile.matrices = MatrixFormat::int8;
  for (PartProfile& part : profile.parts) {
    for (auto& heads : part.heads) {
      for (SiteTransform& site : heads) {
        site.stored_forward = rounded_matrix(site.forward, site.mean.size());
        site.forward = values_of(site.stored_forward);
      }
    }
  }
  for (auto& order : profile.layer_transforms) {
    for (LayerTransform& layer : order) {
      if (layer.rotation.empty()) continue;
      const std::size_t n = profile.layer_width();
      layer.stored_predictor = {};
      if (!layer.predictor.empty()) {
        layer.stored_predictor = rounded_matrix(values_of_halves(layer.predictor), n);
      }
      layer.stored_rotation = rounded_matrix(values_of_halves(layer.rotation), n);
      layer.unpack();
    }
  }
}

}  // namespace kakeya::test
