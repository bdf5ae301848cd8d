// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/layer_transforms.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "kakeya/calibrate/classes.h"
#include "kakeya/calibrate/rounding.h"
#include "kakeya/codecs/klt/klt_plan.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

using Matrix = Eigen::MatrixXd;
using Tokens = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

constexpr double kDesignRate = 2.0;  // nominal, of predictors

// Rounds to binary16 and keeps the rounded values.
std::vector<std::uint16_t> round_to_halves(const Matrix& matrix) {
  std::vector<std::uint16_t> halves;
  halves.reserve(static_cast<std::size_t>(matrix.size()));
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      halves.push_back(float_to_half(static_cast<float>(matrix(i, j))));
      if (!std::isfinite(half_to_float(halves.back()))) {
        throw InputError("calibration: a predictor beyond the range of binary16");
      }
    }
  }
  return halves;
}

// As rows, as round_to_int8() takes matrices; moments are the same either way.
Int8Matrix to_int8(const Matrix& matrix, const Matrix& moments) {
  const Matrix rows = matrix.transpose();
  return round_to_int8({rows.data(), static_cast<std::size_t>(rows.size())},
                       static_cast<std::size_t>(matrix.cols()),
                       {moments.data(), static_cast<std::size_t>(moments.size())});
}

Tokens from_halves(const std::vector<std::uint16_t>& halves, Index columns) {
  Tokens matrix(static_cast<Index>(halves.size()) / columns, columns);
  std::transform(halves.begin(), halves.end(), matrix.data(), half_to_float);
  return matrix;
}

Matrix product_of(const LayerMoments& moments, std::size_t group, std::size_t back) {
  const std::vector<double> product = moments.product(group, back);
  const auto n = static_cast<Index>(moments.width());
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      product.data(), n, n);
}

// Covariances of the `order` groups before `group` as they are decoded, and with u of the group.
struct Before {
  Matrix own, cross;  // [order n, order n], [order n, n]
};

Before moments_before(const LayerMoments& moments, std::size_t group, std::size_t order,
                      double noise) {
  const auto n = static_cast<Index>(moments.width()), all = static_cast<Index>(order) * n;
  Before before{Matrix::Zero(all, all), Matrix(all, n)};
  for (std::size_t a = 1; a <= order; ++a) {
    const Index row = static_cast<Index>(a - 1) * n;
    before.cross.middleRows(row, n) = product_of(moments, group, a).transpose();
    for (std::size_t b = a; b <= order; ++b) {
      const Index column = static_cast<Index>(b - 1) * n;
      const Matrix product = product_of(moments, group - a, b - a);
      before.own.block(row, column, n, n) = product;
      before.own.block(column, row, n, n) = product.transpose();
    }
  }
  before.own.diagonal().array() += noise;
  return before;
}

// LayerTransform::deviations has room for what profiles know.
std::int8_t quarter_octaves_of(double variance) {
  const double octaves = 0.5 * std::log2(std::max(variance, 0x1p-40));
  return static_cast<std::int8_t>(std::clamp(std::lround(4 * octaves), -32L, 31L));
}

// Predictor and rotation of one group.
LayerTransform design(const LayerMoments& moments, std::size_t group, std::size_t order,
                      double noise, MatrixFormat format) {
  LayerTransform made;
  const bool bytes = format == MatrixFormat::int8;
  Matrix residual = product_of(moments, group, 0);
  if (order > 0) {
    const Before before = moments_before(moments, group, order, noise);
    const Matrix predictor = before.own.ldlt().solve(before.cross);
    if (bytes) {
      made.stored_predictor = to_int8(predictor, before.own);
    } else {
      made.predictor = round_to_halves(predictor);
    }
    residual -= before.cross.transpose() * predictor;
  }
  residual = (residual + residual.transpose()).eval() / 2;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(residual);
  const Matrix rotation = solver.eigenvectors().rowwise().reverse();  // largest first
  for (const double variance : solver.eigenvalues().reverse()) {
    made.deviations.push_back(quarter_octaves_of(variance));
  }
  if (bytes) {
    residual.diagonal().array() += noise;
    made.stored_rotation = to_int8(rotation, residual);
    made.unpack();
  } else {
    made.rotation = round_to_halves(rotation);
  }
  return made;
}

// u of the samples as decoded at one nominal rate; adds the classes at that rate to `classes`.
Tokens close_loop(const Eigen::Ref<const Tokens>& u, const Tokens& prediction,
                  const LayerTransform& made, double shaping, double rate,
                  std::vector<std::uint8_t>& classes) {
  Tokens forward = from_halves(made.rotation, u.cols()), back = forward.transpose();
  std::vector<int> gains;
  for (Index j = 0; j < u.cols(); ++j) {
    gains.push_back(shaping_gain(made.deviations[static_cast<std::size_t>(j)], shaping));
    const auto finer = static_cast<float>(std::exp2(gains.back() / 4.0));
    forward.col(j) *= finer;
    back.row(j) /= finer;
  }
  Tokens v = (u - prediction) * forward;
  const Rows<float> rows =
      dense_rows(v.data(), static_cast<std::size_t>(v.rows()), static_cast<std::size_t>(v.cols()));
  const int quarters = static_cast<int>(std::lround(4 * rate));
  classes = choose_classes(rows, quarters);
  for (std::size_t j = 0; j < classes.size(); ++j) {
    const int place = classes[j] % kDeviations;
    classes[j] = static_cast<std::uint8_t>(classes[j] - place +
                                           std::clamp(place - gains[j], 0, kDeviations - 1));
  }
  round_to_points(rows, quarters);
  return prediction + v * back;
}

}  // namespace

std::vector<double> octaves_of_layers(const Profile& profile) {
  std::vector<double> octaves;
  const bool prefix = profile.layer_steps == Tier::cold;
  for (const double offset : prefix ? profile.prefix_rate_offsets() : profile.rate_offsets()) {
    octaves.push_back(offset - kNormalEntropy);
  }
  return octaves;
}

void build_layer_transforms(const LayerMoments& moments, Profile& profile, WorkerPool& pool,
                            const std::function<void(std::size_t)>& done) {
  const auto groups = static_cast<std::size_t>(profile.layer_groups());
  const double step = std::exp2(-kDesignRate);
  const double noise = cell_second_moment(Lattice::e8) * step * step;
  profile.layer_transforms.clear();
  std::size_t steps = 0;
  for (std::size_t order = 0; order <= moments.most_order(); ++order) {
    auto& all = profile.layer_transforms.emplace_back(groups);
    pool.run(groups - std::min(groups, order), [&](std::size_t task) {
      all[order + task] = design(moments, order + task, order, noise, profile.matrices);
    });
    // Where a group has fewer before it, what it is coded with is of a lower order.
    std::vector<std::vector<Tokens>> decoded(std::size(kLayerRates), std::vector<Tokens>(groups));
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t used = std::min(group, order);
      LayerTransform& made = profile.layer_transforms[used][group];
      LayerTransform scratch = made;
      LayerTransform& to = used == order ? made : scratch;
      to.classes.clear();
      const std::vector<float>& samples = moments.samples(group);
      const auto n = static_cast<Index>(moments.width());
      const Eigen::Map<const Tokens> u(samples.data(), static_cast<Index>(samples.size()) / n, n);
      std::vector<std::vector<std::uint8_t>> classes(std::size(kLayerRates));
      const Tokens predictor = from_halves(to.predictor, n);
      pool.run(std::size(kLayerRates), [&](std::size_t rate) {
        Tokens prediction = Tokens::Zero(u.rows(), n);
        for (std::size_t back = 1; back <= used; ++back) {
          prediction += decoded[rate][group - back] *
                        predictor.middleRows(static_cast<Index>(back - 1) * n, n);
        }
        decoded[rate][group] =
            close_loop(u, prediction, to, profile.layer_shaping, kLayerRates[rate], classes[rate]);
        if (group >= kMostOrder) decoded[rate][group - kMostOrder].resize(0, 0);
      });
      for (const auto& each : classes)
        to.classes.insert(to.classes.end(), each.begin(), each.end());
      done(++steps);
    }
  }
}

}  // namespace kakeya
