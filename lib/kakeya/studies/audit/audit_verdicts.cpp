// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/audit_verdicts.h"

#include <fmt/format.h>

#include <algorithm>

#include "kakeya/stats/quantile.h"

namespace kakeya {

double noise_level(const NullDistribution& null, const MeasureFacts& facts) {
  std::vector<double> values = null.of(facts.measure);
  if (facts.two_sided) {
    for (double& value : values) value = null.departure(facts, value);
    std::sort(values.begin(), values.end());
  }
  return quantile(values, 0.95);
}

std::vector<std::string> audit_warnings(const DumpAudit& audit) {
  std::vector<std::string> warnings;
  for (const AuditedPart& each : audit.parts) {
    if (each.audit) continue;
    warnings.push_back(
        fmt::format("{} of layer {} is constant: none of its channels varies, so "
                    "that there is nothing to measure",
                    each.part == Part::key ? "K" : "V", each.layer));
  }
  return warnings;
}

std::size_t measured_layers(const DumpAudit& audit, Part part) {
  return static_cast<std::size_t>(std::count_if(
      audit.parts.begin(), audit.parts.end(),
      [&](const AuditedPart& each) { return each.part == part && each.audit.has_value(); }));
}

std::vector<GateVerdict> gate_verdicts(const DumpAudit& audit) {
  std::vector<GateVerdict> verdicts;
  for (const MeasureFacts& facts : measures()) {
    if (!facts.gate) continue;
    GateVerdict verdict;
    verdict.measure = facts.measure;
    verdict.gate = *facts.gate;
    verdict.of_noise = audit.null.share_above(facts.measure, *facts.gate);
    for (const AuditedPart& each : audit.parts) {
      if (!each.audit || !(value_of(each.audit->values, facts.measure) > *facts.gate)) continue;
      ++(each.part == Part::key ? verdict.keys : verdict.values);
    }
    verdicts.push_back(verdict);
  }
  return verdicts;
}

}  // namespace kakeya
