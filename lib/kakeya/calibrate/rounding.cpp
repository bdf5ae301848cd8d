// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/rounding.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kMostSteps = 127;
constexpr double kFloor = 1e-6;  // of the mean moment: coordinates that never change get this

}  // namespace

Int8Matrix round_to_int8(std::span<const double> matrix, std::size_t columns,
                         std::span<const double> moments) {
  const auto width = static_cast<Index>(columns),
             rows = static_cast<Index>(matrix.size()) / std::max<Index>(width, 1);
  const Eigen::Map<const RowMajor> wanted(matrix.data(), rows, width);
  const Eigen::Map<const RowMajor> given(moments.data(), rows, rows);
  if (!wanted.allFinite() || !given.allFinite()) {
    throw InputError("calibration: a matrix with a value that is not finite");
  }
  Int8Matrix rounded;
  Eigen::RowVectorXd inverse(width);
  for (Index j = 0; j < width; ++j) {
    const auto scale = static_cast<float>(wanted.col(j).cwiseAbs().maxCoeff() / kMostSteps);
    rounded.scale.push_back(scale);
    inverse(j) = scale > 0 ? 1.0 / scale : 0.0;
  }
  // Strongest coordinate last: |x E|^2 = |L^T E|^2 with moments = L L^T, whose last row has the
  // error of the last coordinate alone, the one before it the last two, and so on.
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return given(a, a) < given(b, b); });
  Eigen::MatrixXd sorted(rows, rows);
  for (Index a = 0; a < rows; ++a) {
    for (Index b = 0; b < rows; ++b) {
      sorted(a, b) = given(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
    }
  }
  sorted.diagonal().array() += kFloor * sorted.trace() / static_cast<double>(rows);
  const Eigen::LLT<Eigen::MatrixXd> factors(sorted);
  if (factors.info() != Eigen::Success) {
    throw InputError("calibration: moments of a matrix's vectors that none have");
  }
  const Eigen::MatrixXd lower = factors.matrixL();
  RowMajor errors(rows, width);
  rounded.steps.resize(matrix.size());
  for (Index a = rows - 1; a >= 0; --a) {
    const Index after = rows - 1 - a, row = order[static_cast<std::size_t>(a)];
    Eigen::RowVectorXd target = wanted.row(row);
    if (after > 0) {
      target.noalias() -=
          lower.col(a).tail(after).transpose() * errors.bottomRows(after) / lower(a, a);
    }
    for (Index j = 0; j < width; ++j) {
      const double step =
          std::clamp(std::nearbyint(target(j) * inverse(j)), -kMostSteps, kMostSteps);
      rounded.steps[static_cast<std::size_t>(row * width + j)] = static_cast<std::int8_t>(step);
      errors(a, j) = step * rounded.scale[static_cast<std::size_t>(j)] - wanted(row, j);
    }
  }
  return rounded;
}

}  // namespace kakeya
