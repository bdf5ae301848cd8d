// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/audit/audit_dump.h"
#include "kakeya/report/document.h"

namespace kakeya {

/// What a published gate decides, and what it would decide of noise.
struct GateVerdict {
  Measure measure = Measure::study_kurtosis;
  double gate = 0;
  double of_noise = 0;               ///< share of the null's replicates above the gate
  std::size_t keys = 0, values = 0;  ///< layers of K and of V above it
};

/// One verdict a published gate.
std::vector<GateVerdict> gate_verdicts(const DumpAudit& audit);

/// The NullDistribution::departure() that a Gaussian exceeds once in twenty times: what a gate at
/// the 5 % level would be. Where the measure is two-sided, that is a distance from the median.
double noise_level(const NullDistribution& null, const MeasureFacts& facts);

/// The report: gates, every measure beside its null, a table a part, outlier channels, and heat
/// maps: measures by layer over what noise gives, and channel sizes by layer. `name` is the dump's.
Document make_audit_report(const DumpAudit& audit, const std::string& name, const Provenance& self);

}  // namespace kakeya
