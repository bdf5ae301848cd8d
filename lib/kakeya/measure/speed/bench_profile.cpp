// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/bench_profile.h"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "kakeya/core/half.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr int kUnitClass = 32;  // of a normal coordinate that deviates by a unit
constexpr double kOctaves = 6;  // from the strongest coordinate to the weakest

// Quarter octaves of coordinate i.
long quarters_of(std::size_t i, std::size_t dim) {
  const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(dim);
  return std::lround(4 * kOctaves * (0.5 - place));
}

// I - 2 v v' over v' v: symmetric, its own inverse.
std::vector<float> reflection(std::size_t dim, const Random& random) {
  std::vector<double> v(dim);
  double square = 0;
  for (std::size_t i = 0; i < dim; ++i) {
    v[i] = random.normal(i);
    square += v[i] * v[i];
  }
  std::vector<float> matrix(dim * dim);
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j) {
      matrix[i * dim + j] = static_cast<float>((i == j ? 1.0 : 0.0) - 2 * v[i] * v[j] / square);
    }
  }
  return matrix;
}

SiteTransform head_transform(std::size_t dim, std::uint64_t seed) {
  const Random random(seed, 6);
  SiteTransform site;
  site.forward = site.backward = reflection(dim, random);
  for (std::size_t i = 0; i < dim; ++i) {
    site.mean.push_back(static_cast<float>(random.normal(dim + i)));
    site.classes.push_back(static_cast<std::uint8_t>(kUnitClass + quarters_of(i, dim)));
  }
  return site;
}

LayerTransform layer_transform(std::size_t width) {
  LayerTransform layer;
  layer.rotation = to_halves(reflection(width, Random(0, 7)));
  for (std::size_t i = 0; i < width; ++i) {
    layer.deviations.push_back(static_cast<std::int8_t>(quarters_of(i, width)));
  }
  for (std::size_t rate = 0; rate < std::size(kLayerRates); ++rate) {
    for (const std::int8_t deviation : layer.deviations) {
      layer.classes.push_back(static_cast<std::uint8_t>(kUnitClass + deviation));
    }
  }
  return layer;
}

}  // namespace

std::shared_ptr<const Profile> bench_profile(std::size_t dim, std::size_t heads, bool whole_layers,
                                             int layers) {
  auto profile = std::make_shared<Profile>();
  profile->origin.model.name = "made for kakeya-bench";
  profile->shape.layers = layers;
  profile->shape.kv_heads = static_cast<int>(heads);
  profile->shape.head_dim = static_cast<int>(dim);
  profile->variants = {TransformVariant()};
  profile->parts.resize(profile->shape.parts());
  for (std::size_t part = 0; part < profile->parts.size(); ++part) {
    profile->parts[part].sensitivity = 1;
    profile->parts[part].heads.resize(1);
    for (std::size_t head = 0; head < heads; ++head) {
      profile->parts[part].heads[0].push_back(head_transform(dim, part * heads + head));
    }
  }
  if (whole_layers) {
    profile->layer_octaves.assign(profile->parts.size(), 0.0);
    const std::size_t width = profile->layer_width();
    LayerTransform alone = layer_transform(width), after = alone;
    after.predictor.assign(width * width, 0);
    const auto count = static_cast<std::size_t>(layers);
    profile->layer_transforms = {std::vector(count, std::move(alone))};
    if (layers > 1) profile->layer_transforms.emplace_back(count, std::move(after));
  }
  profile->digest = std::string(64, '0');
  return profile;
}

}  // namespace kakeya
