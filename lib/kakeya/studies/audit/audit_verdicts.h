// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/studies/audit/audit_dump.h"

namespace kakeya {

/// What a published gate decides, and what it would decide of noise.
struct GateVerdict {
  Measure measure = Measure::study_kurtosis;
  double gate = 0;
  double of_noise = 0;               ///< share of the null's replicates above the gate
  std::size_t keys = 0, values = 0;  ///< layers of K and of V above it
};

/// "V of layer 3 is constant: ...", one a part without measures.
std::vector<std::string> audit_warnings(const DumpAudit& audit);

/// The layers of a part that have measures.
std::size_t measured_layers(const DumpAudit& audit, Part part);

/// One verdict a published gate.
std::vector<GateVerdict> gate_verdicts(const DumpAudit& audit);

/// The NullDistribution::departure() that a Gaussian exceeds once in twenty times: what a gate at
/// the 5 % level would be. Where the measure is two-sided, that is a distance from the median.
double noise_level(const NullDistribution& null, const MeasureFacts& facts);

}  // namespace kakeya
