// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/part_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/lattice/hadamard.h"
#include "kakeya/stats/central_moments.h"
#include "kakeya/stats/quantile.h"

namespace kakeya {
namespace {

constexpr double kPublishedPercentile = 2.326;  // as written; of |z| it would be 2.576

AuditShape checked(const AuditShape& shape) {
  if (shape.vectors < 2 || shape.heads == 0) {
    throw InputError("audit: " + std::to_string(shape.vectors) + " vectors of " +
                     std::to_string(shape.heads) +
                     " heads: expected at least two vectors and one head");
  }
  if (!is_power_of_two(shape.dim)) {
    throw InputError("audit: vectors of " + std::to_string(shape.dim) +
                     " values: expected a power of two, for the Hadamard transform");
  }
  return shape;
}

/// The samples of every coordinate side by side, those of a head together: [dim, heads, vectors].
class Columns {
 public:
  Columns(std::span<const float> values, const AuditShape& shape)
      : shape_(shape), values_(values.size()) {
    for (std::size_t n = 0, from = 0; n < shape.vectors; ++n) {
      for (std::size_t h = 0; h < shape.heads; ++h) {
        for (std::size_t d = 0; d < shape.dim; ++d, ++from)
          values_[(d * shape.heads + h) * shape.vectors + n] = values[from];
      }
    }
  }

  /// Of all heads, one after the other.
  void read(std::size_t coordinate, std::vector<double>& into) const {
    const std::size_t length = shape_.heads * shape_.vectors;
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(coordinate * length);
    into.assign(from, from + static_cast<std::ptrdiff_t>(length));
  }

 private:
  AuditShape shape_;
  std::vector<float> values_;
};

/// A mean over those channels that had something to say.
class Mean {
 public:
  void add(double number) {
    sum_ += number;
    ++count_;
  }
  double value() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

/// Largest over smallest.
class Ratio {
 public:
  void add(double number) {
    smallest_ = std::min(smallest_, number);
    largest_ = std::max(largest_, number);
  }
  bool varies() const { return largest_ > 0; }
  double value() const { return largest_ / smallest_; }

 private:
  double smallest_ = std::numeric_limits<double>::infinity(), largest_ = 0;
};

std::span<const double> head_of(const std::vector<double>& column, const AuditShape& shape,
                                std::size_t head) {
  return std::span(column).subspan(head * shape.vectors, shape.vectors);
}

double mean_square(const CentralMoments& moments) {
  return moments.mean * moments.mean + moments.variance;
}

void set(PartAudit& audit, Measure measure, double value) {
  audit.values[static_cast<std::size_t>(measure)] = value;
}

/// What is seen before the transform. False where no channel varies.
bool measure_channels(const Columns& columns, const AuditShape& shape, PartAudit& audit) {
  Mean kurtosis;
  Ratio ratio;
  double energy = 0, energy_of_means = 0;
  std::vector<double> column, squares(shape.heads * shape.dim);
  for (std::size_t d = 0; d < shape.dim; ++d) {
    columns.read(d, column);
    const CentralMoments pooled = central_moments(column);
    ratio.add(pooled.variance);
    if (pooled.variance > 0) kurtosis.add(std::fabs(pooled.kurtosis() - 3));
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const CentralMoments moments = central_moments(head_of(column, shape, h));
      if (!(moments.variance > 0)) ++audit.constant_channels;
      energy += squares[h * shape.dim + d] = mean_square(moments);
      energy_of_means += moments.mean * moments.mean;
    }
  }
  if (!ratio.varies()) return false;
  set(audit, Measure::stage_kurtosis, kurtosis.value());
  set(audit, Measure::stage_isotropic_ratio, ratio.value());
  set(audit, Measure::channel_mean, energy_of_means / energy);
  audit.channel_ratio = std::move(squares);
  return true;
}

/// From mean squares to ratios, head by head.
void measure_outliers(const AuditShape& shape, PartAudit& audit) {
  std::size_t outliers = 0;
  for (std::size_t h = 0; h < shape.heads; ++h) {
    const std::span<double> head(audit.channel_ratio.data() + h * shape.dim, shape.dim);
    std::vector<double> sizes;
    for (double& square : head) {
      square = std::sqrt(square);
      if (square > 0) sizes.push_back(square);
    }
    if (sizes.empty()) continue;
    std::sort(sizes.begin(), sizes.end());
    const double median = quantile(sizes, 0.5);
    for (double& size : head) {
      size /= median;
      if (size >= kOutlierRatio) ++outliers;
    }
  }
  const auto largest = std::max_element(audit.channel_ratio.begin(), audit.channel_ratio.end());
  audit.largest_channel = static_cast<std::size_t>(largest - audit.channel_ratio.begin());
  set(audit, Measure::outlier_channels, static_cast<double>(outliers));
  set(audit, Measure::outlier_ratio, *largest);
}

/// What the second published definition sees after the transform, of vectors as long as they were.
void measure_rotated(const Columns& columns, const AuditShape& shape, PartAudit& audit) {
  Mean square;
  Ratio ratio;
  std::vector<double> column;
  const double unbiased = static_cast<double>(shape.heads * shape.vectors) /
                          static_cast<double>(shape.heads * shape.vectors - 1);
  for (std::size_t d = 0; d < shape.dim; ++d) {
    columns.read(d, column);
    const double variance = central_moments(column).variance;
    ratio.add(variance);
    if (!(variance > 0)) continue;
    for (double& number : column) number = std::fabs(number);
    const auto at = static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(column.size() - 1));
    std::nth_element(column.begin(), column.begin() + at, column.end());
    // quantile() looks at two neighbours: what is below stays unsorted, above is the least only.
    if (at + 1 < std::ssize(column)) {
      std::iter_swap(column.begin() + at + 1,
                     std::min_element(column.begin() + at + 1, column.end()));
    }
    const double percentile = quantile(column, 0.99) / std::sqrt(variance * unbiased);
    const double off = percentile / kPublishedPercentile - 1;
    square.add(off * off);
  }
  set(audit, Measure::stage_hadamard_ratio, ratio.value());
  set(audit, Measure::stage_w2, std::sqrt(square.value()));
}

/// What is seen of vectors of norm 1 after the transform, as a fixed codebook meets them: of every
/// head by itself, and, as published, of all heads pooled.
void measure_unit(const Columns& columns, const AuditShape& shape, const NormalDistance& of_head,
                  const NormalDistance& of_all, PartAudit& audit) {
  Mean pooled_kurtosis, pooled_distance, kurtosis, total, form;
  Ratio ratio;
  std::vector<double> column;
  const double sigma = 1 / std::sqrt(static_cast<double>(shape.dim));
  for (std::size_t d = 0; d < shape.dim; ++d) {
    columns.read(d, column);
    const CentralMoments pooled = central_moments(column);
    ratio.add(pooled.variance);
    if (pooled.variance > 0) pooled_kurtosis.add(pooled.kurtosis() - 3);
    for (std::size_t h = 0; h < shape.heads; ++h) {
      const auto first = column.begin() + static_cast<std::ptrdiff_t>(h * shape.vectors);
      const auto last = first + static_cast<std::ptrdiff_t>(shape.vectors);
      std::sort(first, last);
      const std::span<const double> head = head_of(column, shape, h);
      total.add(of_head.squared(head, 0, sigma) / (sigma * sigma));
      if (const CentralMoments moments = central_moments(head); moments.variance > 0) {
        kurtosis.add(moments.kurtosis() - 3);
        form.add(of_head.shape_squared(head));
      }
      std::inplace_merge(column.begin(), first, last);
    }
    pooled_distance.add(std::sqrt(of_all.midpoint_squared(column, sigma)) / sigma);
  }
  set(audit, Measure::study_kurtosis, std::fabs(pooled_kurtosis.value()));
  set(audit, Measure::study_w2, pooled_distance.value());
  set(audit, Measure::study_variance_ratio, ratio.value());
  set(audit, Measure::excess_kurtosis, kurtosis.value());
  set(audit, Measure::w2, std::sqrt(total.value()));
  set(audit, Measure::w2_shape, std::sqrt(form.value()));
}

}  // namespace

PartMeter::PartMeter(const AuditShape& shape)
    : shape_(checked(shape)), of_head_(shape.vectors), of_all_(shape.vectors * shape.heads) {}

std::optional<PartAudit> PartMeter::measure(std::span<const float> values) const {
  const std::size_t dim = shape_.dim, vectors = shape_.vectors * shape_.heads;
  if (values.size() != vectors * dim) {
    throw InputError("audit: " + std::to_string(values.size()) + " values: expected " +
                     std::to_string(vectors * dim));
  }
  for (const float value : values) {
    if (!std::isfinite(value)) throw InputError("audit: a value is not finite");
  }
  PartAudit audit;
  if (!measure_channels(Columns(values, shape_), shape_, audit)) return std::nullopt;
  measure_outliers(shape_, audit);

  std::vector<float> rotated(values.begin(), values.end());
  std::vector<double> norms(vectors);
  double energy = 0, direct = 0;
  for (std::size_t n = 0; n < vectors; ++n) {
    const std::span<float> vector(rotated.data() + n * dim, dim);
    double sum = 0, square = 0;
    for (const float value : vector) {
      sum += value;
      square += static_cast<double>(value) * value;
    }
    energy += square;
    direct += sum * sum / static_cast<double>(dim);
    norms[n] = std::sqrt(square);
    hadamard(vector.data(), dim);
  }
  set(audit, Measure::direct_current, direct / energy);
  measure_rotated(Columns(rotated, shape_), shape_, audit);
  for (std::size_t n = 0; n < vectors; ++n) {
    for (std::size_t d = 0; d < dim && norms[n] > 0; ++d)
      rotated[n * dim + d] = static_cast<float>(rotated[n * dim + d] / norms[n]);
  }
  measure_unit(Columns(rotated, shape_), shape_, of_head_, of_all_, audit);
  return audit;
}

}  // namespace kakeya
