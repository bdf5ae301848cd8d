// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/inverse.h"

#include <Eigen/LU>

#include "kakeya/core/error.h"

namespace kakeya {

std::vector<float> inverse(std::span<const float> matrix, std::size_t dim) {
  const auto n = static_cast<Eigen::Index>(dim);
  // Rows taken for columns: the transpose of the inverse is the inverse of the transpose.
  const Eigen::MatrixXd given =
      Eigen::Map<const Eigen::MatrixXf>(matrix.data(), n, n).cast<double>();
  const Eigen::MatrixXf result = given.partialPivLu().inverse().cast<float>();
  if (!result.allFinite()) throw InputError("a matrix without an inverse");
  return {result.data(), result.data() + result.size()};
}

}  // namespace kakeya
