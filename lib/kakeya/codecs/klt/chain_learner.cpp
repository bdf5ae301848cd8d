// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/chain_learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/codecs/klt/point_energy.h"
#include "kakeya/core/half.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

std::vector<float> to_floats(const std::vector<std::uint16_t>& halves) {
  std::vector<float> values(halves.size());
  std::transform(halves.begin(), halves.end(), values.begin(), half_to_float);
  return values;
}

std::vector<float> to_floats(const std::vector<double>& doubles) {
  return {doubles.begin(), doubles.end()};
}

// R diag(weights) R^T.
std::vector<float> weighted_square(const std::vector<float>& rotation,
                                   const std::vector<float>& weights) {
  const std::size_t n = weights.size();
  std::vector<float> scaled = rotation;
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= weights[i % n];
  return ordered_product(scaled, transposed(rotation, n), n, n);
}

// Of 2^(quarters / 4).
double squared(int quarters) { return quarter_octaves(2 * quarters); }

// The nearest number of quarter octaves to the deviation of this variance, as profiles have them.
std::int8_t quarters_of(double variance) {
  int quarters = -32;
  while (quarters < 31 && variance >= quarter_octaves(2 * quarters + 1)) ++quarters;
  return static_cast<std::int8_t>(quarters);
}

template <typename Number>
bool finite(const std::vector<Number>& values) {
  return std::ranges::all_of(values, [](Number value) { return std::isfinite(value); });
}

}  // namespace

std::shared_ptr<const ChainPrior> make_chain_prior(const Profile& profile, const KltChoice& choice,
                                                   LayerRange layers, int order, int fineness) {
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
      variances.push_back(static_cast<float>(squared(deviation)));
    }
    group.rotation = to_floats(made.rotation);
    group.own = weighted_square(group.rotation, variances);
    if (used > 0) {
      const std::vector<float> predictor = to_floats(made.predictor);
      std::vector<float> decoded = prior->groups.back().own;
      for (std::size_t i = 0; i < n; ++i) decoded[i * n + i] += static_cast<float>(prior->noise);
      group.cross = ordered_product(decoded, predictor, n, n);
      const std::vector<float> known = ordered_product(transposed(predictor, n), group.cross, n, n);
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

ChainLearner::ChainLearner(std::shared_ptr<const ChainPrior> prior, double prior_tokens)
    : prior_(std::move(prior)),
      prior_tokens_(prior_tokens),
      width_(prior_->width),
      blocks_(width_ / kBlock),
      before_(blocks_ * kBatch),
      here_(blocks_ * kBatch) {
  const auto fill = [&](const std::vector<float>& from, std::size_t a, std::size_t b, Blocks& to) {
    for (std::size_t j = 0; j < kBlock; ++j) {
      for (std::size_t i = 0; i < kBlock; ++i) {
        to.push_back(prior_tokens_ * double{from[(a * kBlock + i) * width_ + b * kBlock + j]});
      }
    }
  };
  for (const ChainPrior::Group& from : prior_->groups) {
    Group group;
    for (std::size_t a = 0; a < blocks_; ++a) {
      for (std::size_t b = a; b < blocks_; ++b) fill(from.own, a, b, group.own);
      for (std::size_t b = 0; b < blocks_ && !from.cross.empty(); ++b) {
        fill(from.cross, a, b, group.cross);
      }
    }
    group.sum.assign(width_, 0.0);
    group.squares.assign(width_, 0.0);
    group.lost.assign(width_ * width_, 0.0f);
    for (const std::int8_t deviation : from.deviations) {
      group.variances.push_back(squared(deviation));
    }
    group.deviations = from.deviations;
    group.classes = from.classes;
    groups_.push_back(std::move(group));
  }
}

std::size_t ChainLearner::pair_of(std::size_t a, std::size_t b) const {
  return a * blocks_ - a * (a + 1) / 2 + b;
}

void ChainLearner::add(const TokenTiles& tiles, std::size_t vectors, const bool* kept) {
  for (std::size_t first = 0; first < vectors; first += kBatch) {
    add_batch(tiles, first, std::min(kBatch, vectors - first), kept);
  }
}

void ChainLearner::add_batch(const TokenTiles& tiles, std::size_t first, std::size_t vectors,
                             const bool* kept) {
  const auto add_product = [&](const float* a, const float* b, double* sums) {
    alignas(64) float product[kBlock * kTileRows];
    multiply_tile(a, kBatch, b, kBlock, product);
    for (std::size_t i = 0; i < kBlock * kTileRows; ++i) sums[i] += double{product[i]};
  };
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    Group& group = groups_[index];
    std::swap(before_, here_);
    for (std::size_t i = 0; i < width_; ++i) {
      float* to = here_.data() + i / kBlock * kBatch * kBlock + i % kBlock;
      for (std::size_t t = 0; t < kBatch; ++t) {
        const std::size_t token = first + t;
        const bool there = t < vectors && !kept[token];
        const float value =
            there
                ? tiles.decoded[index][token / kTileRows].data()[i * kTileRows + token % kTileRows]
                : 0.0f;
        to[t * kBlock] = value;
        group.sum[i] += double{value};
        const std::size_t coordinate = index * width_ + i;
        const double point =
            there
                ? tiles.points[token / kTileRows].data()[coordinate * kTileRows + token % kTileRows]
                : 0.0f;
        group.squares[i] += point * point;
      }
    }
    for (std::size_t a = 0; a < blocks_; ++a) {
      const float* of = here_.data() + a * kBatch * kBlock;
      for (std::size_t b = a; b < blocks_; ++b) {
        add_product(of, here_.data() + b * kBatch * kBlock,
                    &group.own[pair_of(a, b) * kBlock * kBlock]);
      }
      for (std::size_t b = 0; b < blocks_ && !group.cross.empty(); ++b) {
        add_product(before_.data() + a * kBatch * kBlock, here_.data() + b * kBatch * kBlock,
                    &group.cross[(a * blocks_ + b) * kBlock * kBlock]);
      }
    }
  }
  for (std::size_t t = 0; t < vectors; ++t) recent_ += kept[first + t] ? 0 : 1;
}

// What rounding the last tokens took from the moments: of each coordinate the variance that an energy of
// points stands for, less that energy. What was expected counts as some tokens.
void ChainLearner::add_lost(std::size_t index) {
  constexpr double kTrust = 64;
  Group& group = groups_[index];
  std::vector<float> weights;
  for (std::size_t j = 0; j < width_; ++j) {
    const int gain = shaping_gain(group.deviations[j], prior_->shaping);
    const double step = step_of_fineness(prior_->fineness + 16 * gain);
    const CoordinateShape& shape = kCoordinateShapes[group.classes[j] / kDeviations];
    const double expected = group.variances[j] / (step * step);
    const double likely = kTrust * point_energy(prior_->lattice, shape, expected);
    const double energy = (group.squares[j] + likely) / (recent_ + kTrust);
    const double variance = variance_of_points(prior_->lattice, shape, energy, expected);
    weights.push_back(static_cast<float>(recent_ * (variance - energy) * (step * step)));
    group.squares[j] = 0;
  }
  const std::vector<float> added = weighted_square(
      group.rotation.empty() ? prior_->groups[index].rotation : group.rotation, weights);
  for (std::size_t i = 0; i < added.size(); ++i) group.lost[i] += added[i];
}

std::vector<float> ChainLearner::decoded_of(std::size_t index) const {
  const Group& group = groups_[index];
  const double all = prior_tokens_ + tokens_;
  std::vector<float> own(width_ * width_);
  const double means = (mean_tokens() + tokens_) * all;
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = i; j < width_; ++j) {
      const std::size_t pair = pair_of(i / kBlock, j / kBlock);
      const double sum = group.own[(pair * kBlock + j % kBlock) * kBlock + i % kBlock];
      const double value = sum / all - group.sum[i] * group.sum[j] / means;
      own[i * width_ + j] = own[j * width_ + i] = static_cast<float>(value);
    }
  }
  return own;
}

std::vector<float> ChainLearner::cross_of(std::size_t index) const {
  const Group &before = groups_[index - 1], &group = groups_[index];
  const double all = prior_tokens_ + tokens_;
  const double means = (mean_tokens() + tokens_) * all;
  std::vector<float> cross(width_ * width_);
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = 0; j < width_; ++j) {
      const std::size_t pair = i / kBlock * blocks_ + j / kBlock;
      const double sum = group.cross[(pair * kBlock + j % kBlock) * kBlock + i % kBlock];
      cross[i * width_ + j] = static_cast<float>(sum / all - before.sum[i] * group.sum[j] / means);
    }
  }
  return cross;
}

void ChainLearner::recode(std::size_t index, std::vector<float> before, std::vector<float> own,
                          LayerChain& chain) {
  Group& group = groups_[index];
  const ChainPrior::Group& prior = prior_->groups[index];
  const double all = prior_tokens_ + tokens_, seen = mean_tokens() + tokens_;
  GroupCoding coding;
  std::vector<double> offset(width_);
  for (std::size_t i = 0; i < width_; ++i) offset[i] = group.sum[i] / seen;
  for (std::size_t i = 0; i < own.size(); ++i) own[i] += group.lost[i] / static_cast<float>(all);
  if (!group.cross.empty()) {
    // The prior does not have the noise of decoding, the tokens do.
    const auto noise = static_cast<float>(prior_tokens_ / all * prior_->noise);
    for (std::size_t i = 0; i < width_; ++i) before[i * width_ + i] += noise;
    coding.predictor = cross_of(index);
    const std::vector<float> cross = transposed(coding.predictor, width_);
    if (!finite(before) || !finite(cross)) return;
    solve_in_place(before, coding.predictor, width_);
    const std::vector<float> known = ordered_product(cross, coding.predictor, width_, width_);
    for (std::size_t i = 0; i < known.size(); ++i) own[i] -= known[i];
    for (std::size_t i = 0; i < width_; ++i) {
      const double mean = groups_[index - 1].sum[i] / seen;
      for (std::size_t j = 0; j < width_; ++j)
        offset[j] -= mean * double{coding.predictor[i * width_ + j]};
    }
  }
  if (!finite(own)) return;
  OrderedEigen eigen = ordered_eigen(std::move(own), width_);
  for (double& value : eigen.values) value = std::max(value, squared(-32));
  coding.offset = to_floats(offset);
  coding.rotation = transposed(eigen.vectors, width_);
  for (std::size_t j = 0; j < width_; ++j) {
    coding.deviations.push_back(quarters_of(eigen.values[j]));
    // The shape is that of the profile's coordinate of this rank.
    coding.classes.push_back(static_cast<std::uint8_t>(
        prior.classes[j] / kDeviations * kDeviations + kProfileUnitPlace + coding.deviations[j]));
  }
  if (!finite(coding.predictor) || !finite(coding.offset) || !finite(coding.rotation)) return;
  chain.recode(index, coding);
  group.rotation = std::move(coding.rotation);
  group.deviations = std::move(coding.deviations);
  group.classes = std::move(coding.classes);
  group.variances = std::move(eigen.values);
}

void ChainLearner::update(LayerChain& chain) {
  for (std::size_t index = 0; index < groups_.size(); ++index) add_lost(index);
  tokens_ += recent_;
  recent_ = 0;
  std::vector<float> before;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    std::vector<float> decoded = decoded_of(index);
    recode(index, std::move(before), decoded, chain);
    before = std::move(decoded);
  }
}

}  // namespace kakeya
