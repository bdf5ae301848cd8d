// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/layer_maps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/report/sweep_report.h"
#include "report/noiseless.h"

namespace kakeya {
namespace {

/// The synthetic folder with layers 2 to 27 coded: rel-MSE of keys 10^(-layer / 10) at passage 0 and
/// three times that at the others, cosine of values 0.99; layer 5 of values not measured.
StoredResults with_layers(const std::string& folder = "a", const std::string& mode = "inforward") {
  StoredResults stored = synthetic::results(folder, mode, 2);
  for (Sample& sample : stored.samples) {
    for (int layer = 2; layer < 28; ++layer) {
      const double error = std::pow(10, -layer / 10.0) * (sample.key.passage == 0 ? 1 : 3);
      sample.layers.push_back(
          {layer, error, layer == 5 ? kNotMeasured : 0.01, 1 - error / 2, 0.99});
    }
  }
  return stored;
}

std::size_t row(const HeatMap& map, const std::string& name) {
  const auto at = std::find(map.rows.begin(), map.rows.end(), name);
  if (at == map.rows.end()) throw InputError("no row " + name);
  return static_cast<std::size_t>(at - map.rows.begin());
}

TEST(LayerMaps, MeansOfEveryLayerInDecibels) {
  const std::vector<StoredResults> stored = {with_layers()};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<HeatMap> maps = layer_maps(groups);
  ASSERT_EQ(maps.size(), 2u);
  const HeatMap& errors = maps[0];
  EXPECT_EQ(errors.name, "layers_rel_mse_inforward");
  EXPECT_EQ(maps[1].name, "layers_cosine_inforward");
  EXPECT_EQ(errors.columns, 30u);
  ASSERT_EQ(errors.panels.size(), 2u);
  const std::size_t first = row(errors, "tq:b=4") * 30;
  for (int layer = 2; layer < 28; ++layer) {
    const double expected = -layer + 10 * std::log10(2);  // the mean of 1 and 3
    EXPECT_NEAR(errors.panels[0].values[first + static_cast<std::size_t>(layer)], expected, 1e-9);
  }
  for (const std::size_t skipped : {0u, 1u, 28u, 29u})
    EXPECT_TRUE(std::isnan(errors.panels[0].values[first + skipped]));
  EXPECT_TRUE(std::isnan(errors.panels[1].values[first + 5]));
  EXPECT_NEAR(errors.panels[1].values[first + 6], -20, 1e-9);
  EXPECT_NEAR(maps[1].panels[1].values[first + 6], -2, 1e-9);
  EXPECT_EQ(errors.low, -25);  // of -24 to 1 decibels, in steps of 5
  EXPECT_EQ(errors.high, 5);
}

TEST(LayerMaps, ManySettingsAreThinnedAndTheControlIsLeftOut) {
  const std::vector<StoredResults> stored = {with_layers()};
  const std::vector<HeatMap> maps = layer_maps(group_results(stored));
  EXPECT_LE(maps[0].rows.size(), kLayerMapRows);
  EXPECT_EQ(std::count(maps[0].rows.begin(), maps[0].rows.end(), "identity"), 0);
  for (const char* end : {"e8:q=4", "e8:q=152", "tq:b=2", "tq:b=8", "fp8"})
    EXPECT_EQ(std::count(maps[0].rows.begin(), maps[0].rows.end(), end), 1) << end;
  const std::vector<std::string> only = {"tq"};
  EXPECT_EQ(layer_maps(group_results(stored), only)[0].rows.size(), 7u);
}

TEST(LayerMaps, GroupsOfOneModeHaveFilesOfTheirOwn) {
  const std::vector<StoredResults> stored = {
      with_layers("runs/a b"), with_layers("runs/c", "prefix"), with_layers("runs/d")};
  std::vector<std::string> names;
  for (const HeatMap& map : layer_maps(group_results(stored))) names.push_back(map.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"layers_rel_mse_inforward_a_b", "layers_cosine_inforward_a_b",
                                      "layers_rel_mse_prefix", "layers_cosine_prefix",
                                      "layers_rel_mse_inforward_d", "layers_cosine_inforward_d"}));
}

TEST(LayerMaps, SamplesWithoutLayersHaveNone) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  EXPECT_TRUE(layer_maps(group_results(stored)).empty());
}

TEST(LayerMaps, TheReportLinksThemWhereAsked) {
  const std::vector<StoredResults> stored = {with_layers()};
  const Provenance self = make_provenance({"kakeya-report"}, 1);
  SweepReportOptions asked;
  EXPECT_TRUE(make_sweep_report(stored, self, {}, {}, asked).heat_maps.empty());
  asked.layer_maps = true;
  const SweepReport report = make_sweep_report(stored, self, {}, {}, asked);
  ASSERT_EQ(report.heat_maps.size(), 2u);
  EXPECT_NE(report.details.find("(layers_rel_mse_inforward.svg)"), std::string::npos);
  EXPECT_NE(report.details.find("(layers_cosine_inforward.svg)"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
