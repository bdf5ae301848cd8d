// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/metric.h"

#include <Eigen/Core>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr int kDistances = 128;  // to average over

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// W of "rotate-half of W", where the layout is that and fits heads of `dim`.
std::optional<std::size_t> turned_part(std::string_view layout, std::size_t dim) {
  constexpr std::string_view kPrefix = "rotate-half of ";
  if (!layout.starts_with(kPrefix)) return std::nullopt;
  layout.remove_prefix(kPrefix.size());
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(layout.data(), layout.data() + layout.size(), width);
  const bool whole = error == std::errc() && end == layout.data() + layout.size();
  if (!whole || width == 0 || width % 2 != 0 || width > dim) return std::nullopt;
  return width;
}

}  // namespace

RopePairs rope_pairs_of(std::string_view layout, std::size_t dim) {
  std::optional<std::size_t> turned = turned_part(layout, dim);
  if (layout == "rotate-half") turned = dim;
  if (layout == "interleaved") turned = 0;
  if (!turned) {
    throw InputError("RoPE of layout '" + std::string(layout) +
                     "': expected rotate-half, rotate-half of an even number of coordinates or "
                     "interleaved, or keys after RoPE");
  }
  RopePairs pairs;
  for (std::size_t i = 0; i < *turned / 2; ++i) pairs.emplace_back(i, i + *turned / 2);
  for (std::size_t i = *turned; i < dim; i += 2) pairs.emplace_back(i, i + 1);
  return pairs;
}

std::vector<double> rotated_metric(std::span<const double> queries,
                                   std::span<const double> frequencies, double farthest,
                                   const RopePairs& pairs) {
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
        const auto [ia, ib] = pairs[i];
        const auto [ja, jb] = pairs[j];
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
