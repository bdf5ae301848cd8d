// SPDX-License-Identifier: Apache-2.0
#include "kakeya/audit/audit_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/core/random.h"

namespace kakeya {
namespace {

/// Two layers: layer 0 noise, layer 1 noise with one channel of K ten times as large.
DumpAudit small_audit() {
  DumpAudit audit;
  audit.facts.model_name = "drawn";
  audit.facts.layers = 2;
  audit.facts.kv_heads = 1;
  audit.facts.head_dim = 16;
  audit.facts.passages = 1;
  audit.facts.tokens = 600;
  const PartMeter meter({600, 1, 16});
  WorkerPool pool(1);
  audit.null = simulate_null(meter, 39, 1, pool);
  for (const char part : {'k', 'v'}) {
    for (int layer = 0; layer < 2; ++layer) {
      const Random random(2, audit.parts.size());
      std::vector<float> values(600 * 16);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(random.normal(i));
        if (part == 'k' && layer == 1 && i % 16 == 3) values[i] *= 10;
      }
      audit.parts.push_back({layer, part, meter.measure(values)});
    }
  }
  return audit;
}

const GateVerdict& verdict_of(const std::vector<GateVerdict>& verdicts, Measure measure) {
  return *std::find_if(verdicts.begin(), verdicts.end(),
                       [&](const GateVerdict& each) { return each.measure == measure; });
}

TEST(AuditReport, GatesCountLayersAndNoise) {
  const DumpAudit audit = small_audit();
  const std::vector<GateVerdict> verdicts = gate_verdicts(audit);
  EXPECT_EQ(verdicts.size(), 7u);
  const GateVerdict& ratio = verdict_of(verdicts, Measure::stage_isotropic_ratio);
  EXPECT_EQ(ratio.keys, 1u);
  EXPECT_EQ(ratio.values, 0u);
  EXPECT_LT(ratio.of_noise, 0.5);
  const GateVerdict& w2 = verdict_of(verdicts, Measure::stage_w2);
  EXPECT_EQ(w2.keys + w2.values, 4u);
  EXPECT_EQ(w2.of_noise, 1);
}

TEST(AuditReport, NoiseLevelIsByMagnitudeWhereTwoSided) {
  NullDistribution null;
  for (auto& values : null.sorted) values = {-3, -2, -1, 0, 1};
  EXPECT_NEAR(noise_level(null, measures()[static_cast<std::size_t>(Measure::w2)]), 0.8, 1e-12);
  EXPECT_NEAR(noise_level(null, measures()[static_cast<std::size_t>(Measure::excess_kurtosis)]),
              2.8, 1e-12);
}

TEST(AuditReport, MapsAndTablesHaveEveryLayer) {
  DumpAudit audit = small_audit();
  const std::size_t ratio = static_cast<std::size_t>(Measure::stage_isotropic_ratio);
  audit.parts[0].audit.values[ratio] = std::numeric_limits<double>::infinity();
  audit.parts[0].audit.channel_ratio[0] = 0;
  const Document document = make_audit_report(audit, "d", Provenance{});
  ASSERT_EQ(document.heat_maps.size(), 3u);
  const HeatMap& map = document.heat_maps[0];
  EXPECT_EQ(map.panels.size(), 2u);
  EXPECT_EQ(map.panels[0].values.size(), (kMeasures - 1) * 2);
  EXPECT_TRUE(std::isfinite(map.high));
  const HeatMap& channels = document.heat_maps[1];
  EXPECT_TRUE(std::isnan(channels.panels[0].values[0]));
  EXPECT_NEAR(channels.panels[0].values[16 + 3], 20, 1);  // ten times is 20 dB
  EXPECT_NE(document.markdown.find("| K 1 "), std::string::npos);
  EXPECT_NE(document.markdown.find("∞"), std::string::npos);
  EXPECT_EQ(document.csv.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
