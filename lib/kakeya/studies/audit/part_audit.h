// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "kakeya/stats/normal_distance.h"
#include "kakeya/studies/audit/measure.h"

namespace kakeya {

/// How many vectors a part of a layer has, and of what shape.
struct AuditShape {
  std::size_t vectors = 0;  ///< of each head: tokens of all passages
  std::size_t heads = 0, dim = 0;
};

/// What is known of one layer and part.
struct PartAudit {
  MeasureValues values{};
  std::vector<double> channel_ratio;  ///< [heads, dim]: root mean square over the head's median
  std::size_t largest_channel = 0;    ///< where that is largest: head * dim + channel
  std::size_t constant_channels = 0;  ///< of a head: they do not vary, have no kurtosis
};

/// A channel stands out when its root mean square is this many times its head's median.
inline constexpr double kOutlierRatio = 3;

/// Measures parts of one shape. Sums are in double; the Hadamard transform is the codecs' own, in
/// float. Immutable once built, so that threads may share one.
class PartMeter {
 public:
  /// Throws InputError unless every count is positive, vectors at least 2, and dim a power of two,
  /// which the transform needs.
  explicit PartMeter(const AuditShape& shape);

  const AuditShape& shape() const { return shape_; }

  /// `values` is [vectors, heads, dim]. A vector of zeros stays zero where others are scaled to
  /// norm 1. Channels that do not vary have no part in means over channels, all-zero ones none in a
  /// head's median. Nothing where no channel varies over the vectors of all heads. Throws
  /// InputError when the shape is another or a value is not finite. Memory: five times that of
  /// `values`. Cost: two sorts of it.
  std::optional<PartAudit> measure(std::span<const float> values) const;

 private:
  AuditShape shape_;
  NormalDistance of_head_, of_all_;
};

}  // namespace kakeya
