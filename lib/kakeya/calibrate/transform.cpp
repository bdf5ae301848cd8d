// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/transform.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr double kMetricFloor = 1e-4, kDeviationFloor = 1e-5;

Eigen::MatrixXd symmetric(std::span<const double> values, std::size_t dim) {
  const auto n = static_cast<Eigen::Index>(dim);
  const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(values.data(), n, n);
  return (matrix + matrix.transpose()) / 2;
}

Eigen::MatrixXd square_root(const Eigen::MatrixXd& metric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(metric);
  const Eigen::VectorXd& values = solver.eigenvalues();
  const double largest = values.maxCoeff();
  if (!(largest > 0) || !std::isfinite(largest)) {
    throw InputError("calibration: an error metric without a positive eigenvalue");
  }
  const Eigen::VectorXd roots = values.cwiseMax(kMetricFloor * largest).cwiseSqrt();
  return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace

KarhunenLoeve karhunen_loeve(std::span<const double> covariance, std::span<const double> metric,
                             std::size_t dim) {
  const auto n = static_cast<Eigen::Index>(dim);
  const Eigen::MatrixXd root = metric.empty() ? Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n))
                                              : square_root(symmetric(metric, dim));
  const Eigen::MatrixXd weighted = root * symmetric(covariance, dim) * root;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver((weighted + weighted.transpose()) /
                                                              2);
  const Eigen::MatrixXd vectors = solver.eigenvectors().rowwise().reverse();  // largest first
  const Eigen::MatrixXd forward = root * vectors;
  KarhunenLoeve result;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) result.forward.push_back(forward(i, j));
    result.deviation.push_back(std::sqrt(std::max(solver.eigenvalues()(n - 1 - i), 0.0)));
  }
  return result;
}

double geometric_mean_deviation(std::span<const KarhunenLoeve> heads) {
  double largest = 0, sum = 0, count = 0;
  for (const KarhunenLoeve& head : heads) largest = std::max(largest, head.deviation.front());
  if (!(largest > 0)) throw InputError("calibration: vectors that never change");
  for (const KarhunenLoeve& head : heads) {
    for (const double deviation : head.deviation) {
      sum += std::log2(std::max(deviation, kDeviationFloor * largest));
      ++count;
    }
  }
  return std::exp2(sum / count);
}

}  // namespace kakeya
