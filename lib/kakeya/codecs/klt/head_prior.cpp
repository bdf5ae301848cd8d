// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/head_prior.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

// To sixteenths of quarter octaves: what reader and writer compute from logarithms has to be the same.
std::vector<double> octaves_of(const Profile& profile, Tier steps) {
  const bool prefix =
      steps == Tier::cold && std::ranges::all_of(profile.parts, [](const PartProfile& part) {
        return part.prefix_sensitivity > 0;
      });
  std::vector<double> octaves;
  for (const double offset : prefix ? profile.prefix_rate_offsets() : profile.rate_offsets()) {
    octaves.push_back(static_cast<double>(std::lround(64 * (offset - kNormalEntropy))) / 64);
  }
  return octaves;
}

// Of one layer: the class of every coordinate u, in the order of the heads.
std::vector<std::uint8_t> classes_of(const Profile& profile, int layer) {
  std::vector<std::uint8_t> classes;
  for (const Part part : {Part::key, Part::value}) {
    const KvSite site{layer, part};
    const auto quarters = static_cast<int>(std::lround(4 * profile.layer_octaves[site.index()]));
    for (int head = 0; head < profile.shape.kv_heads; ++head) {
      for (const std::uint8_t which : profile.transform({layer, part, head}, {}).classes) {
        const int place = std::clamp(which % kDeviations + quarters, 0, kDeviations - 1);
        classes.push_back(static_cast<std::uint8_t>(which / kDeviations * kDeviations + place));
      }
    }
  }
  return classes;
}

}  // namespace

LayerTransform sorted_coordinates(const std::vector<std::uint8_t>& classes, std::size_t order,
                                  bool matrices) {
  const std::size_t n = classes.size();
  std::vector<std::size_t> places(n);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return classes[a] % kDeviations > classes[b] % kDeviations;
  });
  LayerTransform made;
  if (matrices) {
    made.predictor.assign(order * n * n, 0);
    made.rotation.assign(n * n, 0);
  }
  std::vector<std::uint8_t> sorted;
  for (std::size_t j = 0; j < n; ++j) {
    if (matrices) made.rotation[places[j] * n + j] = float_to_half(1.0f);
    sorted.push_back(classes[places[j]]);
    made.deviations.push_back(
        static_cast<std::int8_t>(sorted.back() % kDeviations - kProfileUnitPlace));
  }
  for (std::size_t rate = 0; rate < std::size(kLayerRates); ++rate) {
    made.classes.insert(made.classes.end(), sorted.begin(), sorted.end());
  }
  return made;
}

std::shared_ptr<const Profile> profile_of_heads(const Profile& profile, LayerRange range,
                                                Tier steps, int group) {
  auto made = std::make_shared<Profile>();
  static_cast<ProfileHead&>(*made) = static_cast<const ProfileHead&>(profile);
  made->variants = profile.variants;
  made->parts = profile.parts;
  made->layer_steps = profile.layer_transforms.empty() ? steps : profile.layer_steps;
  made->layer_octaves = octaves_of(profile, made->layer_steps);
  made->layer_shaping = kLayerShaping;
  made->layer_group = group;
  const int groups = made->layer_groups(), first = range.first / group, coded = range.count / group;
  made->layer_transforms.assign(2, std::vector<LayerTransform>(static_cast<std::size_t>(groups)));
  for (int at = 0; at < groups; ++at) {
    std::vector<std::uint8_t> classes;
    for (int layer = at * group; layer < (at + 1) * group; ++layer) {
      const std::vector<std::uint8_t> more = classes_of(*made, layer);
      classes.insert(classes.end(), more.begin(), more.end());
    }
    const bool matrices = at >= first && at - first < coded;
    for (std::size_t order = 0; order <= std::min<std::size_t>(1, static_cast<std::size_t>(at));
         ++order) {
      made->layer_transforms[order][static_cast<std::size_t>(at)] =
          sorted_coordinates(classes, order, matrices);
    }
  }
  return made;
}

}  // namespace kakeya
