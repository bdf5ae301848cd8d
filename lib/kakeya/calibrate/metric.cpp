// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/metric.h"

#include <Eigen/Core>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr int kDistances = 128;  // to average over

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

RopePairs rope_pairs_of(std::string_view layout) {
  if (layout == "rotate-half") return RopePairs::halves;
  if (layout == "interleaved") return RopePairs::neighbours;
  throw InputError("RoPE of layout '" + std::string(layout) +
                   "': expected rotate-half or interleaved, or keys after RoPE");
}

std::vector<double> rotated_metric(std::span<const double> queries,
                                   std::span<const double> frequencies, double farthest,
                                   RopePairs pairs) {
  const std::size_t half = frequencies.size(), dim = 2 * half;
  const bool halves = pairs == RopePairs::halves;
  const auto first = [&](std::size_t i) { return halves ? i : 2 * i; };
  const auto second = [&](std::size_t i) { return halves ? i + half : 2 * i + 1; };
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
        const std::size_t ia = first(i), ib = second(i), ja = first(j), jb = second(j);
        const double aa = at(ia, ja), ab = at(ia, jb), ba = at(ib, ja), bb = at(ib, jb);
        const double la = cosine[i] * aa - sine[i] * ba, lb = cosine[i] * ab - sine[i] * bb;
        const double ra = sine[i] * aa + cosine[i] * ba, rb = sine[i] * ab + cosine[i] * bb;
        metric[ia * dim + ja] += la * cosine[j] - lb * sine[j];
        metric[ia * dim + jb] += la * sine[j] + lb * cosine[j];
        metric[ib * dim + ja] += ra * cosine[j] - rb * sine[j];
        metric[ib * dim + jb] += ra * sine[j] + rb * cosine[j];
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
