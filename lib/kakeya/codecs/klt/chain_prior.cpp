// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kakeya/codecs/klt/chain_learner.h"
#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/codecs/klt/gradual_underflow.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/point_model.h"

namespace kakeya {
namespace {

std::vector<float> floats_of(const std::vector<std::uint16_t>& halves) {
  std::vector<float> values(halves.size());
  std::transform(halves.begin(), halves.end(), values.begin(), half_to_float);
  return values;
}

}  // namespace

std::shared_ptr<const ChainPrior> make_chain_prior(const Profile& profile, const KltChoice& choice,
                                                   LayerRange layers, int order, int fineness) {
  const GradualUnderflow exact;
  auto prior = std::make_shared<ChainPrior>();
  const std::size_t n = profile.group_width();
  const double step = step_of_fineness(fineness), nominal = fineness / 64.0;
  prior->width = n;
  prior->lattice = choice.lattice;
  prior->shaping = choice.shaping;
  prior->fineness = fineness;
  prior->noise = cell_second_moment(choice.lattice) * step * step;
  const int first = layers.first / profile.layer_group, count = layers.count / profile.layer_group;
  for (int before = 0; before < count; ++before) {
    ChainPrior::Group group;
    const int used = std::min(before, order);
    const LayerTransform& made = profile.layer_transform(used, first + before);
    std::vector<float> variances;
    for (const std::int8_t deviation : made.deviations) {
      variances.push_back(static_cast<float>(quarter_octaves(2 * deviation)));
    }
    group.rotation = floats_of(made.rotation);
    group.own = weighted_square(group.rotation, variances);
    if (used > 0) {
      const std::vector<float> predictor = floats_of(made.predictor);
      std::vector<float> decoded = prior->groups.back().own;
      for (std::size_t i = 0; i < n; ++i) decoded[i * n + i] += static_cast<float>(prior->noise);
      group.cross = ordered_product(decoded, predictor, n, n);
      const std::vector<float> known = symmetric_product(transposed(predictor, n), group.cross, n);
      for (std::size_t i = 0; i < known.size(); ++i) group.own[i] += known[i];
    }
    group.deviations = made.deviations;
    for (std::size_t j = 0; j < n; ++j) {
      const ShapedStep shaped = shaped_step(profile, choice, made.deviations[j], nominal);
      group.classes.push_back(made.classes[shaped.rate * n + j]);
    }
    prior->groups.push_back(std::move(group));
  }
  return prior;
}

}  // namespace kakeya
