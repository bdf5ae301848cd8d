// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/klt/head_learner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kakeya/codecs/klt/fixed_order.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/codecs/klt/moments.h"
#include "kakeya/core/error.h"
#include "kakeya/entropy/point_model.h"
#include "kakeya/simd/matrix.h"
#include "kakeya/simd/tile.h"

namespace kakeya {
namespace {

constexpr std::size_t kPairs = kSummedTogether / 2, kRows = 64;

}  // namespace

HeadLearner::HeadLearner(const HeadLesson& lesson)
    : lesson_(lesson),
      dim_(lesson.known->mean.size()),
      step_(static_cast<double>(step_of_fineness(lesson.fineness))),
      products_(rotates() ? dim_ * dim_ : dim_, 0.0),
      sums_(dim_, 0.0),
      point_products_(products_),
      point_sums_(dim_, 0.0),
      point_squares_(dim_, 0.0),
      pairs_(rotates() ? dim_ * kPairs : 0),
      grains_(dim_),
      means_(dim_, 0.0),
      classes_(lesson.known->classes),
      shapes_(classes_) {
  for (std::size_t j = 0; j < dim_; ++j) {
    const double variance = variance_of_quarters(classes_[j] % kDeviations - kProfileUnitPlace);
    variances_.push_back(variance);
    grains_[j] = std::max(0.5f, grain_of(variance / (step_ * step_)));
    products_[rotates() ? j * dim_ + j : j] = lesson_.prior_tokens * variance;
  }
  if (rotates()) {
    std::ranges::stable_sort(
        shapes_, [](std::uint8_t a, std::uint8_t b) { return a % kDeviations > b % kDeviations; });
  }
  for (std::uint8_t& shape : shapes_) shape = static_cast<std::uint8_t>(shape / kDeviations);
}

std::size_t HeadLearner::held_bytes() const {
  return bytes_held(products_, sums_, point_products_, point_sums_, point_squares_, pairs_,
                    grains_) +
         bytes_held(vectors_, means_, variances_, classes_, shapes_);
}

void HeadLearner::add(const HeadChain::Memory& memory, std::size_t vectors, const bool* kept) {
  bool there[kTileRows] = {};
  for (std::size_t t = 0; t < vectors; ++t) {
    there[t] = !kept[t];
    recent_ += there[t] ? 1 : 0;
  }
  for (std::size_t j = 0; j < dim_; ++j) {
    const Lanes points = lanes_of(memory.points[0].data() + j * kTileRows, there);
    point_sums_[j] += sum_of(points);
    point_squares_[j] += sum_of_squares(points);
    if (rotates()) to_pairs(points, 1 / grains_[j], &pairs_[j * kPairs + waiting_ / 2]);
  }
  if (!rotates()) return;
  waiting_ += kTileRows;
  if (waiting_ == kSummedTogether) add_waiting();
}

// To the upper triangle of point_products_.
void HeadLearner::add_waiting() {
  if (waiting_ == 0) return;
  const std::size_t pairs = waiting_ / 2;
  const std::vector<std::int32_t> turned = transposed(pairs_, kPairs);
  std::vector<std::int32_t> sums;
  for (std::size_t first = 0; first < dim_; first += kRows) {
    const std::size_t rows = std::min(kRows, dim_ - first), columns = dim_ - first;
    sums.assign(rows * columns, 0);
    add_pair_product({&pairs_[first * kPairs], rows, pairs, kPairs},
                     {&turned[first], pairs, columns, dim_},
                     dense_rows(sums.data(), rows, columns));
    for (std::size_t i = 0; i < rows; ++i) {
      double* const into = &point_products_[(first + i) * dim_ + first];
      for (std::size_t j = i; j < columns; ++j) {
        into[j] += static_cast<double>(sums[i * columns + j]) *
                   (double{grains_[first + i]} * double{grains_[first + j]});
      }
    }
  }
  waiting_ = 0;
}

// R squares R^T, squares [dim, dim].
std::vector<float> HeadLearner::in_known(const std::vector<double>& squares) const {
  std::vector<float> values(squares.begin(), squares.end());
  if (vectors_.empty()) return values;
  const std::vector<float> rotation = transposed(vectors_, dim_);
  return symmetric_product(ordered_product(rotation, values, dim_, dim_), vectors_, dim_);
}

// Adds the points since the last update, and what rounding took from them, to sums_ and products_.
void HeadLearner::add_points() {
  add_waiting();
  std::vector<double> sums(dim_, 0.0);  // of y less what is subtracted of it now
  for (std::size_t j = 0; j < dim_; ++j) {
    const CoordinateShape& shape = kCoordinateShapes[classes_[j] / kDeviations];
    const LastPoints last = last_points(lesson_.lattice, shape, point_squares_[j], recent_,
                                        variances_[j] / (step_ * step_));
    const double lost = recent_ * (last.variance - last.energy);
    if (rotates()) {
      point_products_[j * dim_ + j] += lost;
    } else {
      point_products_[j] = recent_ * last.variance;
    }
    const double sum = point_sums_[j] * step_;
    if (vectors_.empty()) {
      sums[j] = sum;
    } else {
      for (std::size_t i = 0; i < dim_; ++i) sums[i] += double{vectors_[j * dim_ + i]} * sum;
    }
    point_sums_[j] = point_squares_[j] = 0;
  }
  for (double& square : point_products_) square *= step_ * step_;
  const auto add_product = [&](std::size_t i, std::size_t j, double product, double& to) {
    to += product + sums[i] * means_[j] + means_[i] * sums[j] + recent_ * means_[i] * means_[j];
  };
  if (rotates()) {
    for (std::size_t i = 0; i < dim_; ++i) {
      for (std::size_t j = 0; j < i; ++j)
        point_products_[i * dim_ + j] = point_products_[j * dim_ + i];
    }
    const std::vector<float> squares = in_known(point_products_);
    for (std::size_t i = 0; i < dim_; ++i) {
      for (std::size_t j = i; j < dim_; ++j)
        add_product(i, j, double{squares[i * dim_ + j]}, products_[i * dim_ + j]);
    }
  } else {
    for (std::size_t j = 0; j < dim_; ++j) add_product(j, j, point_products_[j], products_[j]);
  }
  for (std::size_t i = 0; i < dim_; ++i) sums_[i] += sums[i] + recent_ * means_[i];
  std::ranges::fill(point_products_, 0.0);
  tokens_ += recent_;
  recent_ = 0;
}

// Of the lower triangle what ordered_eigen() reads.
std::vector<float> HeadLearner::covariance(const std::vector<double>& means, double all) const {
  std::vector<float> squares(dim_ * dim_);
  for (std::size_t i = 0; i < dim_; ++i) {
    for (std::size_t j = i; j < dim_; ++j) {
      squares[j * dim_ + i] =
          static_cast<float>((products_[i * dim_ + j] - sums_[i] * means[j]) / all);
    }
  }
  return squares;
}

// The shape is that of the profile's coordinate of this rank.
void HeadLearner::set_scale(std::size_t j, double variance) {
  variances_[j] = std::max(variance, variance_of_quarters(-32));
  classes_[j] = static_cast<std::uint8_t>(shapes_[j] * kDeviations + kProfileUnitPlace +
                                          quarters_of_variance(variances_[j]));
}

void HeadLearner::update(HeadChain& chain) {
  add_points();
  const SiteTransform& known = *lesson_.known;
  const double all = lesson_.prior_tokens + tokens_,
               seen = std::min(lesson_.prior_tokens, 64.0) + tokens_;
  std::vector<double> means(dim_);
  for (std::size_t j = 0; j < dim_; ++j) means[j] = sums_[j] / seen;
  SiteTransform learnt = known;
  std::vector<double> variances(dim_);
  OrderedEigen eigen;
  if (rotates()) {
    const std::vector<float> squares = covariance(means, all);
    if (!all_finite(squares)) return;
    eigen = ordered_eigen(squares, dim_);
    variances = eigen.values;
    learnt.forward = ordered_product(known.forward, transposed(eigen.vectors, dim_), dim_, dim_);
    learnt.backward = ordered_product(eigen.vectors, known.backward, dim_, dim_);
    learnt.stored_forward = {};
  } else {
    for (std::size_t j = 0; j < dim_; ++j)
      variances[j] = (products_[j] - sums_[j] * means[j]) / all;
  }
  for (std::size_t i = 0; i < dim_; ++i) {
    double mean = double{known.mean[i]};
    for (std::size_t j = 0; j < dim_; ++j) mean += means[j] * double{known.backward[j * dim_ + i]};
    learnt.mean[i] = static_cast<float>(mean);
  }
  if (!all_finite(learnt.mean) || !all_finite(learnt.forward) || !all_finite(learnt.backward) ||
      !all_finite(variances))
    return;
  const std::vector<double> before = variances_;
  const std::vector<std::uint8_t> classes = classes_;
  for (std::size_t j = 0; j < dim_; ++j) set_scale(j, variances[j]);
  learnt.classes = classes_;
  try {
    chain = HeadChain(learnt, lesson_.lattice, lesson_.fineness, lesson_.exact);
  } catch (const InputError&) {  // no inverse in 8 bits
    variances_ = before;
    classes_ = classes;
    return;
  }
  means_ = std::move(means);
  vectors_ = std::move(eigen.vectors);
  for (std::size_t j = 0; j < dim_; ++j)
    grains_[j] = std::max(0.5f, grain_of(variances_[j] / (step_ * step_)));
}

}  // namespace kakeya
