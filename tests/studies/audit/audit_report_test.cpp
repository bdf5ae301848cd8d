// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/audit_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/core/random.h"
#include "kakeya/studies/audit/audit_verdicts.h"

namespace kakeya {
namespace {

/// Two layers: layer 0 noise, layer 1 noise with one channel of K ten times as large.
DumpAudit small_audit() {
  DumpAudit audit;
  audit.head.origin.model.name = "drawn";
  audit.head.shape.layers = 2;
  audit.head.shape.kv_heads = 1;
  audit.head.shape.head_dim = 16;
  audit.head.passages = 1;
  audit.head.tokens = 600;
  const PartMeter meter({600, 1, 16});
  WorkerPool pool(1);
  audit.null = simulate_null(meter, 39, 1, pool);
  for (const Part part : {Part::key, Part::value}) {
    for (int layer = 0; layer < 2; ++layer) {
      const Random random(2, audit.parts.size());
      std::vector<float> values(600 * 16);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(random.normal(i));
        if (part == Part::key && layer == 1 && i % 16 == 3) values[i] *= 10;
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

const MeasureFacts& facts_of(Measure measure) {
  return measures()[static_cast<std::size_t>(measure)];
}

TEST(AuditReport, NoiseLevelIsADistanceFromTheMedianWhereTwoSided) {
  NullDistribution null;
  for (auto& values : null.sorted) values = {-13, -12, -11, -10, -8};
  EXPECT_NEAR(noise_level(null, facts_of(Measure::w2)), -8.4, 1e-12);
  // From -11: 0, 1, 1, 2, 3.
  for (const Measure measure : {Measure::excess_kurtosis, Measure::direct_current}) {
    EXPECT_NEAR(noise_level(null, facts_of(measure)), 2.8, 1e-12);
    EXPECT_EQ(null.departure(facts_of(measure), -14), 3);
  }
  EXPECT_EQ(null.departure(facts_of(Measure::w2), 14), 14);
}

// Noise of dimension 16 has an excess kurtosis of -1/3 and a direct current of 1/16: 0 is far from
// both, twice that is as far, and what noise gives is white.
TEST(AuditReport, MapsShowTheDistanceFromNoiseOnEitherSide) {
  DumpAudit audit = small_audit();
  const std::size_t kurtosis = static_cast<std::size_t>(Measure::excess_kurtosis),
                    direct = static_cast<std::size_t>(Measure::direct_current);
  for (const std::size_t measure : {kurtosis, direct}) {
    const std::vector<double>& noise = audit.null.sorted[measure];
    const double median = noise[noise.size() / 2];
    audit.parts[0].audit->values[measure] = 0;
    audit.parts[1].audit->values[measure] = 2 * median;
    audit.parts[2].audit->values[measure] = noise[noise.size() / 2 + 2];
  }
  const HeatMap map = make_audit_report(audit, "d", Provenance{}).heat_maps[0];
  for (const char* name : {"|excess kurtosis - noise|", "|direct current - noise|"}) {
    const auto found = std::find(map.rows.begin(), map.rows.end(), name);
    ASSERT_NE(found, map.rows.end()) << name;
    const auto at = static_cast<std::size_t>(found - map.rows.begin()) * 2;
    EXPECT_GT(map.panels[0].values[at], 0.3) << name;
    EXPECT_NEAR(map.panels[0].values[at], map.panels[0].values[at + 1], 1e-9) << name;
    EXPECT_LT(map.panels[1].values[at], 0) << name;
  }
}

TEST(AuditReport, TwoSidedMeasuresCountBelowNoiseToo) {
  DumpAudit audit = small_audit();
  for (const std::size_t part : {0, 1})
    audit.parts[part].audit->values[static_cast<std::size_t>(Measure::direct_current)] = 0.001;
  const std::string csv = make_audit_report(audit, "d", Provenance{}).csv;
  EXPECT_NE(csv.find("measures,,,direct current,K layers beyond every draw,2,"), std::string::npos)
      << csv.substr(0, 4000);
}

TEST(AuditReport, MapsAndTablesHaveEveryLayer) {
  DumpAudit audit = small_audit();
  const std::size_t ratio = static_cast<std::size_t>(Measure::stage_isotropic_ratio);
  audit.parts[0].audit->values[ratio] = std::numeric_limits<double>::infinity();
  audit.parts[0].audit->channel_ratio[0] = 0;
  const Document document = make_audit_report(audit, "d", Provenance{});
  ASSERT_EQ(document.heat_maps.size(), 3u);
  const HeatMap& map = document.heat_maps[0];
  EXPECT_EQ(map.panels.size(), 2u);
  EXPECT_EQ(map.panels[0].values.size(), (kMeasures - 1) * 2);
  EXPECT_TRUE(std::isfinite(map.high));
  const HeatMap& channels = document.heat_maps[1];
  EXPECT_TRUE(std::isnan(channels.panels[0].values[0]));
  EXPECT_NEAR(channels.panels[0].values[16 + 3], 20, 1);  // ten times is 20 dB
  EXPECT_NE(document.details.find("| K 1 "), std::string::npos);
  EXPECT_NE(document.details.find("∞"), std::string::npos);
  EXPECT_EQ(document.csv.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
