// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "kakeya/core/worker_pool.h"
#include "kakeya/studies/audit/measure.h"
#include "kakeya/studies/audit/part_audit.h"

namespace kakeya {

/// What the audit measures of Gaussian vectors of independent coordinates of equal variance, as
/// many as a part has and of its shape: what a measure is worth has to be seen beside that. Tokens
/// of a text are not independent, so that K and V that were Gaussian would spread more than this.
struct NullDistribution {
  AuditShape shape;
  std::uint64_t seed = 0;
  std::size_t replicates = 0;
  std::array<std::vector<double>, kMeasures> sorted;  ///< of every measure, rising

  const std::vector<double>& of(Measure measure) const {
    return sorted[static_cast<std::size_t>(measure)];
  }

  /// The share of replicates above `gate` (strictly).
  double share_above(Measure measure, double gate) const;

  /// How far a value is from what noise gives, as heat maps show it: the distance from the null's
  /// median where the measure is two-sided, else the value, which is >= 0, itself.
  double departure(const MeasureFacts& facts, double value) const;

  /// Probability of a value as large under the null: (1 + number at least as large) / (replicates +
  /// 1), never below 1 / (replicates + 1); twice the smaller tail, at most 1, where the measure is
  /// two-sided (Davison and Hinkley 1997, 4.2.3).
  double p_value(const MeasureFacts& facts, double value) const;
};

/// Replicate r draws from Random(seed, r), so that neither their number nor threads change a value.
/// `told` is called with the number done, from any thread, one at a time. Throws InputError when
/// replicates is 0.
NullDistribution simulate_null(const PartMeter& meter, std::size_t replicates, std::uint64_t seed,
                               WorkerPool& pool, const std::function<void(std::size_t)>& told = {});

}  // namespace kakeya
