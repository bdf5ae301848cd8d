// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/speed/bench_profile.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr int kUnitClass = 32;  // of a normal coordinate that deviates by a unit
constexpr double kOctaves = 6;  // from the strongest coordinate to the weakest

// I - 2 v v' over v' v: symmetric, its own inverse.
SiteTransform reflection(std::size_t dim, std::uint64_t seed) {
  const Random random(seed, 6);
  std::vector<double> v(dim);
  double square = 0;
  for (std::size_t i = 0; i < dim; ++i) {
    v[i] = random.normal(i);
    square += v[i] * v[i];
  }
  SiteTransform site;
  site.forward.resize(dim * dim);
  for (std::size_t i = 0; i < dim; ++i) {
    site.mean.push_back(static_cast<float>(random.normal(dim + i)));
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(dim);
    site.classes.push_back(
        static_cast<std::uint8_t>(std::lround(kUnitClass + 4 * kOctaves * (0.5 - place))));
    for (std::size_t j = 0; j < dim; ++j) {
      site.forward[i * dim + j] =
          static_cast<float>((i == j ? 1.0 : 0.0) - 2 * v[i] * v[j] / square);
    }
  }
  site.backward = site.forward;
  return site;
}

}  // namespace

std::shared_ptr<const Profile> bench_profile(std::size_t dim, std::size_t heads) {
  auto profile = std::make_shared<Profile>();
  profile->origin.model.name = "made for kakeya-bench";
  profile->shape.layers = 1;
  profile->shape.kv_heads = static_cast<int>(heads);
  profile->shape.head_dim = static_cast<int>(dim);
  profile->variants = {TransformVariant()};
  profile->parts.resize(profile->shape.parts());
  for (std::size_t part = 0; part < profile->parts.size(); ++part) {
    profile->parts[part].sensitivity = 1;
    profile->parts[part].heads.resize(1);
    for (std::size_t head = 0; head < heads; ++head) {
      profile->parts[part].heads[0].push_back(reflection(dim, part * heads + head));
    }
  }
  profile->digest = std::string(64, '0');
  return profile;
}

}  // namespace kakeya
