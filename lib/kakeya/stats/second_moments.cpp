// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/second_moments.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

SecondMoments::SecondMoments(std::size_t dim) : sum_(dim), product_(dim * dim) {
  if (dim == 0) throw InputError("second moments: vectors of 0 scalars: expected at least 1");
}

void SecondMoments::add(Rows<const float> x) {
  if (x.dim != dim()) {
    throw InputError("second moments: vectors of " + std::to_string(x.dim) +
                     " scalars given, expected " + std::to_string(dim()));
  }
  const auto n = static_cast<Eigen::Index>(dim());
  Eigen::Map<Eigen::VectorXd> sum(sum_.data(), n);
  Eigen::Map<Eigen::MatrixXd> product(product_.data(), n, n);
  constexpr std::size_t kBlock = 256;  // vectors at a time, so that the copy in double stays small
  for (std::size_t first = 0; first < x.count; first += kBlock) {
    const auto rows = static_cast<Eigen::Index>(std::min(kBlock, x.count - first));
    const Eigen::MatrixXd block = Eigen::Map<const Eigen::MatrixXf, 0, Eigen::OuterStride<>>(
                                      x.data + first * x.stride, n, rows,
                                      Eigen::OuterStride<>(static_cast<Eigen::Index>(x.stride)))
                                      .cast<double>();
    sum += block.rowwise().sum();
    product.selfadjointView<Eigen::Lower>().rankUpdate(block);
  }
  vectors_ += x.count;
}

void SecondMoments::add_sums(std::span<const double> sum, std::span<const double> product,
                             std::uint64_t vectors) {
  if (sum.size() != dim() || product.size() != dim() * dim()) {
    throw InputError("second moments: sums of " + std::to_string(sum.size()) + " and " +
                     std::to_string(product.size()) + " scalars given, expected " +
                     std::to_string(dim()) + " and its square");
  }
  for (std::size_t i = 0; i < sum.size(); ++i) sum_[i] += sum[i];
  for (std::size_t i = 0; i < product.size(); ++i) product_[i] += product[i];  // symmetric
  vectors_ += vectors;
}

double SecondMoments::mean_square() const {
  if (vectors_ == 0) return 0;
  double trace = 0;
  for (std::size_t i = 0; i < dim(); ++i) trace += product_[i * dim() + i];
  return trace / static_cast<double>(vectors_ * dim());
}

double SecondMoments::mean_square_of_mean() const {
  if (vectors_ == 0) return 0;
  const double count = static_cast<double>(vectors_);
  double total = 0;
  for (const double each : sum_) total += (each / count) * (each / count);
  return total / static_cast<double>(dim());
}

std::vector<double> SecondMoments::mean() const {
  if (vectors_ == 0) throw InputError("second moments: no vector was added");
  std::vector<double> mean = sum_;
  for (double& value : mean) value /= static_cast<double>(vectors_);
  return mean;
}

std::vector<double> SecondMoments::matrix(bool centred) const {
  const std::vector<double> centre = mean();
  const auto n = static_cast<Eigen::Index>(dim());
  std::vector<double> all(dim() * dim());
  Eigen::Map<Eigen::MatrixXd> matrix(all.data(), n, n);
  matrix = Eigen::Map<const Eigen::MatrixXd>(product_.data(), n, n) / static_cast<double>(vectors_);
  if (centred) {
    matrix.selfadjointView<Eigen::Lower>().rankUpdate(
        Eigen::Map<const Eigen::VectorXd>(centre.data(), n), -1.0);
  }
  matrix.triangularView<Eigen::StrictlyUpper>() = matrix.transpose();
  return all;
}

std::vector<double> SecondMoments::eigenvalues(bool centred) const {
  const auto n = static_cast<Eigen::Index>(dim());
  const std::vector<double> all = this->matrix(centred);
  const Eigen::Map<const Eigen::MatrixXd> matrix(all.data(), n, n);
  if (!matrix.triangularView<Eigen::Lower>().toDenseMatrix().allFinite()) {
    throw InputError("second moments: a vector holds NaN or infinity");
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
  std::vector<double> values(solver.eigenvalues().data(), solver.eigenvalues().data() + n);
  for (double& value : values) value = std::max(value, 0.0);
  return values;
}

}  // namespace kakeya
