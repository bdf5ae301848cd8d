// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/chain_learner.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "kakeya/codecs/klt/chain_seeds.h"
#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/codecs/klt/moments.h"
#include "kakeya/core/spare_threads.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/simd/matrix.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

std::vector<float> to_floats(const std::vector<double>& doubles) {
  return {doubles.begin(), doubles.end()};
}

}  // namespace

ChainLearner::ChainLearner(std::shared_ptr<const ChainPrior> prior, double prior_tokens,
                           bool scales_only)
    : prior_(std::move(prior)),
      scales_only_(scales_only),
      prior_tokens_(prior_tokens),
      width_(prior_->width) {
  for (const ChainPrior::Group& from : prior_->groups) {
    Group group;
    for (std::vector<double>* sums :
         {&group.sum, &group.points, &group.squares, &group.energy, &group.offset}) {
      sums->assign(width_, 0.0);
    }
    if (!scales_only_) {
      for (const float value : from.own) group.own.push_back(prior_tokens_ * double{value});
      for (const float value : from.cross) group.cross.push_back(prior_tokens_ * double{value});
      group.lost.assign(width_ * width_, 0.0f);
      group.waiting.assign(width_ * kSummedTogether / 2, 0);
      group.grains.resize(width_);
      for (std::size_t i = 0; i < width_; ++i) {
        group.grains[i] = grain_of(double{from.own[i * width_ + i]} + prior_->noise);
      }
    }
    for (const std::int8_t deviation : from.deviations) {
      group.variances.push_back(variance_of_quarters(deviation));
    }
    group.deviations = from.deviations;
    group.classes = from.classes;
    groups_.push_back(std::move(group));
  }
}

std::size_t ChainLearner::held_bytes() const {
  std::size_t bytes = 0;
  for (const Group& group : groups_) {
    bytes += bytes_held(group.own, group.cross, group.lost, group.waiting, group.grains, group.sum,
                        group.points, group.squares) +
             bytes_held(group.energy, group.offset, group.variances, group.deviations,
                        group.classes, group.rotation);
  }
  return bytes;
}

// Nothing that one group's work reads is written by another's.
void ChainLearner::for_each_group(const std::function<void(std::size_t)>& work) {
  const int threads = std::min(spare_threads(), static_cast<int>(groups_.size()));
  if (threads > 1 && !pool_.workers) {
    pool_.workers = std::make_unique<WorkerPool>(threads);  // in this thread's rounding
  }
  if (pool_.workers) return pool_.workers->run(groups_.size(), work);
  for (std::size_t index = 0; index < groups_.size(); ++index) work(index);
}

// A direction counts as prior_tokens_ tokens along it, as the prior does. So does the mean, made so much smaller
// that the second moment about it stays the prior's.
void ChainLearner::begin(const ChainSeeds& seeds, LayerChain& chain) {
  const auto share = static_cast<float>(std::sqrt(mean_tokens() / prior_tokens_));
  std::vector<std::vector<float>> rows(groups_.size());
  for_each_group([&](std::size_t index) {
    Group& group = groups_[index];
    rows[index] = seed_rows(seeds.groups[index], seed_units(*prior_, index));
    for (std::size_t i = 0; i < width_ && !rows[index].empty(); ++i) {
      group.sum[i] = mean_tokens() * double{rows[index][i]};
      rows[index][i] *= share;
    }
  });
  const auto add_product_of = [&](std::size_t first, std::size_t second, std::vector<double>& to) {
    const std::size_t values = std::min(rows[first].size(), rows[second].size());
    if (values == 0) return;
    const std::span<const float> a(rows[first].data(), values), b(rows[second].data(), values);
    const std::vector<float> more =
        ordered_product(transposed(a, width_), b, values / width_, width_);
    for (std::size_t i = 0; i < more.size(); ++i) to[i] += prior_tokens_ * double{more[i]};
  };
  for_each_group([&](std::size_t index) {
    Group& group = groups_[index];
    add_product_of(index, index, group.own);
    if (!group.cross.empty()) add_product_of(index - 1, index, group.cross);
  });
  recode_all(chain);
}

void ChainLearner::add(const TokenTiles& tiles, std::size_t vectors, const bool* kept) {
  for (std::size_t first = 0; first < vectors; first += kTileRows) {
    const std::size_t count = std::min(kTileRows, vectors - first);
    bool some[kTileRows] = {};
    const auto here =
        static_cast<std::size_t>(std::count(kept + first, kept + first + count, false));
    for (std::size_t t = 0; t < count; ++t) some[t] = !kept[first + t];
    const bool* const there = here == kTileRows ? nullptr : some;
    recent_ += static_cast<double>(here);
    const float* points = tiles.points[first / kTileRows].data();
    for (std::size_t index = 0; index < groups_.size(); ++index, points += width_ * kTileRows) {
      Group& group = groups_[index];
      for (std::size_t i = 0; i < width_; ++i) {
        const Lanes point = lanes_of(points + i * kTileRows, there);
        group.points[i] += sum_of(point);
        group.squares[i] += sum_of_squares(point);
      }
      if (scales_only_) continue;
      const float* decoded = tiles.decoded[index][first / kTileRows].data();
      for (std::size_t i = 0; i < width_; ++i) {
        const Lanes values = lanes_of(decoded + i * kTileRows, there);
        group.sum[i] += sum_of(values);
        to_pairs(values, 1 / group.grains[i], &group.waiting[(i * kSummedTogether + waiting_) / 2]);
      }
    }
    if (scales_only_) continue;
    waiting_ += kTileRows;
    if (waiting_ == kSummedTogether) add_waiting();
  }
}

void ChainLearner::add_waiting() {
  constexpr std::size_t kRows = 64, kPairs = kSummedTogether / 2;
  if (waiting_ == 0) return;
  const std::size_t pairs = waiting_ / 2;
  for_each_group([&](std::size_t index) {
    Group& group = groups_[index];
    const std::vector<std::int32_t> here = transposed(group.waiting, kPairs);
    std::vector<std::int32_t> sums;
    // Adds first^T here, of coordinates `row` to row + kRows of the first and from `column` on of those here.
    const auto add_products = [&](const Group& first, std::size_t row, std::size_t column,
                                  std::vector<double>& to) {
      const std::size_t rows = std::min(kRows, width_ - row), columns = width_ - column;
      sums.assign(rows * columns, 0);
      add_pair_product({&first.waiting[row * kPairs], rows, pairs, kPairs},
                       {&here[column], pairs, columns, width_},
                       dense_rows(sums.data(), rows, columns));
      for (std::size_t i = 0; i < rows; ++i) {
        double* const into = &to[(row + i) * width_ + column];
        const std::int32_t* const from = &sums[i * columns];
        const double grain = double{first.grains[row + i]};
        for (std::size_t j = 0; j < columns; ++j) {
          into[j] += static_cast<double>(from[j]) * (grain * double{group.grains[column + j]});
        }
      }
    };
    for (std::size_t row = 0; row < width_; row += kRows) {
      add_products(group, row, row, group.own);
      if (!group.cross.empty()) add_products(groups_[index - 1], row, 0, group.cross);
    }
  });
  waiting_ = 0;
}

double ChainLearner::step_of(const Group& group, std::size_t j) const {
  return step_of_fineness(prior_->fineness +
                          16 * shaping_gain(group.deviations[j], prior_->shaping));
}

// Of each coordinate, in steps, the mean square that the points of the last tokens stand for. What was
// expected counts too, in group.squares as well, which becomes a mean.
std::vector<double> ChainLearner::variances_of_points(Group& group) const {
  std::vector<double> variances;
  for (std::size_t j = 0; j < width_; ++j) {
    const double step = step_of(group, j);
    const LastPoints last =
        last_points(prior_->lattice, kCoordinateShapes[group.classes[j] / kDeviations],
                    group.squares[j], recent_, group.variances[j] / (step * step));
    group.squares[j] = last.energy;
    variances.push_back(last.variance);
  }
  return variances;
}

// What rounding the last tokens took from the moments: of each coordinate the variance that an energy of
// points stands for, less that energy.
void ChainLearner::add_lost(std::size_t index) {
  Group& group = groups_[index];
  std::vector<float> weights;
  const std::vector<double> variances = variances_of_points(group);
  for (std::size_t j = 0; j < width_; ++j) {
    const double step = step_of(group, j);
    weights.push_back(
        static_cast<float>(recent_ * (variances[j] - group.squares[j]) * (step * step)));
    group.squares[j] = group.points[j] = 0;
  }
  const std::vector<float> added = weighted_square(
      group.rotation.empty() ? prior_->groups[index].rotation : group.rotation, weights);
  for (std::size_t i = 0; i < added.size(); ++i) group.lost[i] += added[i];
}

// The shape is that of the profile's coordinate of this rank.
void ChainLearner::set_scale(Group& group, std::size_t index, std::size_t j,
                             double variance) const {
  group.variances[j] = std::max(variance, variance_of_quarters(-32));
  group.deviations[j] = quarters_of_variance(group.variances[j]);
  group.classes[j] =
      static_cast<std::uint8_t>(prior_->groups[index].classes[j] / kDeviations * kDeviations +
                                kProfileUnitPlace + group.deviations[j]);
}

// Means and variances of v = (u - w P) R, the profile's, whose points are of v less an offset.
void ChainLearner::rescale(std::size_t index, LayerChain& chain) {
  Group& group = groups_[index];
  const double all = prior_tokens_ + tokens_ + recent_, seen = mean_tokens() + tokens_ + recent_;
  const std::vector<double> variances = variances_of_points(group);
  GroupCoding coding;
  coding.rotation = prior_->groups[index].rotation;
  std::vector<double> offset(width_, 0.0);
  for (std::size_t j = 0; j < width_; ++j) {
    const double step = step_of(group, j), before = group.offset[j],
                 expected = variance_of_quarters(prior_->groups[index].deviations[j]);
    const double sum = group.points[j] * step;  // of v less the offset
    group.sum[j] += sum + recent_ * before;
    group.energy[j] +=
        recent_ * (variances[j] * (step * step) + before * before) + 2 * before * sum;
    group.squares[j] = group.points[j] = 0;
    group.offset[j] = group.sum[j] / seen;
    set_scale(group, index, j,
              (prior_tokens_ * expected + group.energy[j] - group.sum[j] * group.offset[j]) / all);
  }
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = 0; j < width_; ++j)
      offset[i] += double{coding.rotation[i * width_ + j]} * group.offset[j];
  }
  coding.offset = to_floats(offset);
  coding.deviations = group.deviations;
  coding.classes = group.classes;
  if (all_finite(coding.offset)) chain.recode(index, coding);
}

std::vector<float> ChainLearner::decoded_of(std::size_t index) const {
  const Group& group = groups_[index];
  const double all = prior_tokens_ + tokens_, part = 1 / all,
               means = 1 / ((mean_tokens() + tokens_) * all);
  std::vector<float> own(width_ * width_);
  for (std::size_t i = 0; i < width_; ++i) {
    const double sum = group.sum[i] * means;
    for (std::size_t j = i; j < width_; ++j) {
      own[i * width_ + j] =
          static_cast<float>(group.own[i * width_ + j] * part - sum * group.sum[j]);
    }
    for (std::size_t j = 0; j < i; ++j) own[i * width_ + j] = own[j * width_ + i];
  }
  return own;
}

std::vector<float> ChainLearner::cross_of(std::size_t index) const {
  const Group &before = groups_[index - 1], &group = groups_[index];
  const double all = prior_tokens_ + tokens_, part = 1 / all,
               means = 1 / ((mean_tokens() + tokens_) * all);
  std::vector<float> cross(width_ * width_);
  for (std::size_t i = 0; i < width_; ++i) {
    const double sum = before.sum[i] * means;
    for (std::size_t j = 0; j < width_; ++j) {
      cross[i * width_ + j] =
          static_cast<float>(group.cross[i * width_ + j] * part - sum * group.sum[j]);
    }
  }
  return cross;
}

void ChainLearner::recode(std::size_t index, std::vector<float> before, std::vector<float> own,
                          LayerChain& chain) {
  Group& group = groups_[index];
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
    if (!all_finite(before) || !all_finite(cross)) return;
    solve_in_place(before, coding.predictor, width_);
    const std::vector<float> known = symmetric_product(cross, coding.predictor, width_);
    for (std::size_t i = 0; i < known.size(); ++i) own[i] -= known[i];
    for (std::size_t i = 0; i < width_; ++i) {
      const double mean = groups_[index - 1].sum[i] / seen;
      for (std::size_t j = 0; j < width_; ++j)
        offset[j] -= mean * double{coding.predictor[i * width_ + j]};
    }
  }
  if (!all_finite(own)) return;
  OrderedEigen eigen = ordered_eigen(std::move(own), width_);
  coding.offset = to_floats(offset);
  coding.rotation = transposed(eigen.vectors, width_);
  if (!all_finite(coding.predictor) || !all_finite(coding.offset) || !all_finite(coding.rotation))
    return;
  for (std::size_t j = 0; j < width_; ++j) set_scale(group, index, j, eigen.values[j]);
  coding.deviations = group.deviations;
  coding.classes = group.classes;
  chain.recode(index, coding);
  group.rotation = std::move(coding.rotation);
}

void ChainLearner::update(LayerChain& chain) {
  add_waiting();
  for_each_group(
      [&](std::size_t index) { scales_only_ ? rescale(index, chain) : add_lost(index); });
  tokens_ += recent_;
  recent_ = 0;
  if (!scales_only_) recode_all(chain);
}

void ChainLearner::recode_all(LayerChain& chain) {
  std::vector<std::vector<float>> decoded(groups_.size());
  for_each_group([&](std::size_t index) {
    decoded[index] = decoded_of(index);
    for (std::size_t i = 0; i < width_; ++i) {
      groups_[index].grains[i] = grain_of(double{decoded[index][i * width_ + i]});
    }
  });
  for_each_group([&](std::size_t index) {
    recode(index, index == 0 ? std::vector<float>() : decoded[index - 1], decoded[index], chain);
  });
}

}  // namespace kakeya
