// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/metric.h"

#include <Eigen/Core>
#include <cmath>

namespace kakeya {
namespace {

constexpr int kDistances = 128;  // to average over

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

std::vector<double> rotated_metric(std::span<const double> queries,
                                   std::span<const double> frequencies, double farthest) {
  const std::size_t half = frequencies.size(), dim = 2 * half;
  std::vector<double> metric(dim * dim, 0.0), cosine(half), sine(half);
  const auto at = [&](std::size_t i, std::size_t j) { return queries[i * dim + j]; };
  for (int step = 0; step < kDistances; ++step) {
    const double distance = std::round(step * farthest / (kDistances - 1));
    for (std::size_t i = 0; i < half; ++i) {
      cosine[i] = std::cos(distance * frequencies[i]);
      sine[i] = std::sin(distance * frequencies[i]);
    }
    for (std::size_t i = 0; i < half; ++i) {
      for (std::size_t j = 0; j < half; ++j) {
        // The block of pairs i and j: first R_i from the left, then R_j^T from the right.
        const double aa = at(i, j), ab = at(i, j + half), ba = at(i + half, j),
                     bb = at(i + half, j + half);
        const double la = cosine[i] * aa - sine[i] * ba, lb = cosine[i] * ab - sine[i] * bb;
        const double ra = sine[i] * aa + cosine[i] * ba, rb = sine[i] * ab + cosine[i] * bb;
        metric[i * dim + j] += la * cosine[j] - lb * sine[j];
        metric[i * dim + j + half] += la * sine[j] + lb * cosine[j];
        metric[(i + half) * dim + j] += ra * cosine[j] - rb * sine[j];
        metric[(i + half) * dim + j + half] += ra * sine[j] + rb * cosine[j];
      }
    }
  }
  for (double& value : metric) value /= kDistances;
  return metric;
}

std::vector<double> value_metric(std::span<const float> output, std::size_t columns,
                                 std::size_t dim, std::size_t first, std::size_t count) {
  const auto n = static_cast<Eigen::Index>(dim);
  const Eigen::Map<const RowMajor> matrix(output.data(),
                                          static_cast<Eigen::Index>(output.size() / columns),
                                          static_cast<Eigen::Index>(columns));
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t h = first; h < first + count; ++h) {
    const Eigen::MatrixXd head =
        matrix.middleCols(static_cast<Eigen::Index>(h * dim), n).cast<double>();
    sum += head.transpose() * head;
  }
  return {sum.data(), sum.data() + sum.size()};
}

}  // namespace kakeya
