// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/hero_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

const ChartPoint& point_of(const Chart& chart, std::size_t panel, std::size_t series,
                           const std::string& label) {
  const auto& points = chart.panels.at(panel).series.at(series).points;
  return *std::find_if(points.begin(), points.end(),
                       [&](const ChartPoint& point) { return point.label == label; });
}

// The table of the pull request has 1.67, 8.61 and 39.7 %; its chart draws 0.130, 0.18 and 2.5.
TEST(HeroChart, AsPrintedAndRight) {
  const PublishedRecord record = read_published_record(KAKEYA_SOURCE_DIR "/data/published");
  const std::vector<Chart> charts = published_hero_charts(record);
  ASSERT_EQ(charts.size(), 2u);
  const Chart &printed = charts[0], &right = charts[1];
  EXPECT_EQ(printed.name, "hero_printed");
  EXPECT_EQ(right.name, "hero");
  for (const Chart& chart : charts) {
    ASSERT_EQ(chart.panels.size(), 4u);
    for (const ChartPanel& panel : chart.panels) {
      ASSERT_EQ(panel.series.size(), 2u);
      EXPECT_EQ(panel.series[0].points.size(), 8u) << panel.title;
      EXPECT_EQ(panel.series[1].points.size(), 6u) << panel.title;
    }
  }
  EXPECT_NEAR(point_of(right, 0, 0, "Q10").y, 1.667, 5e-4);
  EXPECT_NEAR(point_of(printed, 0, 0, "Q10").y, 0.130, 5e-4);
  EXPECT_NEAR(point_of(right, 0, 0, "Q10").x, 2.769, 5e-4);
  EXPECT_NEAR(point_of(right, 3, 0, "Q4").y, 8.61, 1e-2);
  EXPECT_NEAR(point_of(printed, 3, 0, "Q4").y, 0.182, 5e-4);
  EXPECT_NEAR(point_of(right, 1, 1, "b3").y, 39.68, 1e-2);
  EXPECT_NEAR(point_of(printed, 1, 1, "b3").y, 2.511, 5e-4);
  EXPECT_EQ(point_of(printed, 1, 1, "b3").low, point_of(printed, 1, 1, "b3").high);
  EXPECT_LT(point_of(right, 1, 1, "b3").low, 39.68);
  EXPECT_NE(printed.panels[3].title.find("47.4"), std::string::npos);
}

TEST(HeroChart, NamesWhatTheRecordLacks) {
  PublishedRecord record;
  record.add(
      R"({"kind":"run","run":"isoppl-qwen3","layers":4,"head_dim":128,"kv_heads":2,"boundary":[0,3],"ppl_reference":[5,6]}
{"kind":"ppl","run":"isoppl-qwen3","codec":"d4:q=10","part":"kv","delta_ppl":[0.01,-0.03]}
)",
      "lines");
  try {
    published_hero_charts(record);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("tq:b="), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace kakeya
