// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace kakeya {

/// What the audit measures of the vectors of one layer and part, in the order of measures().
enum class Measure {
  study_kurtosis,
  study_w2,
  study_variance_ratio,
  stage_kurtosis,
  stage_isotropic_ratio,
  stage_hadamard_ratio,
  stage_w2,
  excess_kurtosis,
  w2,
  w2_shape,
  direct_current,
  channel_mean,
  outlier_channels,
  outlier_ratio,
};

inline constexpr std::size_t kMeasures = 14;

/// A measure as reports name it.
struct MeasureFacts {
  Measure measure;
  const char* key;         ///< in JSON and CSV
  const char* heading;     ///< of a column
  const char* definition;  ///< one sentence, with the formula and its source
  /// Published: above it K and V were called non-Gaussian or anisotropic.
  std::optional<double> gate = std::nullopt;
  /// Small values are as remarkable as large ones; otherwise only large ones are.
  bool two_sided = false;
};

/// All of them, at the places that Measure numbers.
std::span<const MeasureFacts> measures();

/// One number a measure. A variance ratio is +infinity where some channel does not vary.
using MeasureValues = std::array<double, kMeasures>;

inline double value_of(const MeasureValues& values, Measure measure) {
  return values[static_cast<std::size_t>(measure)];
}

}  // namespace kakeya
