// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

TEST(CompressionChart, CountsTheWholeCache) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const std::vector<std::string> patterns = {"e8 -> lattice", "tq"};
  const Chart chart = compression_chart(group_results(stored), patterns);
  EXPECT_EQ(chart.name, "hero_ours");
  ASSERT_EQ(chart.panels.size(), 1u);
  const std::vector<ChartSeries>& series = chart.panels[0].series;
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].name, "lattice (q)");
  EXPECT_NE(series[0].colour, series[1].colour);
  EXPECT_TRUE(chart.stacked);
  EXPECT_NE(chart.x_label.find("of the whole cache of 131072 tokens"), std::string::npos)
      << chart.x_label;
  const ChartPoint& b8 = series[1].points.back();
  EXPECT_EQ(b8.label, "8");
  EXPECT_NEAR(b8.x, 16 / ((26 * 8.51 + 4 * 16) / 30), 1e-3);  // 26 of 30 layers coded
  EXPECT_GT(b8.y, 0);
  EXPECT_LT(b8.low, b8.y);
}

TEST(CompressionChart, Refuses) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")},
                                   plain = {synthetic::results("a", "distortion")};
  const std::vector<std::string> none = {"klt*"}, all = {"*"};
  EXPECT_THROW(compression_chart(group_results(stored), none), SpecError);
  EXPECT_THROW(compression_chart(group_results(plain), all), InputError);
}

TEST(CompressionChart, NamesASampleWithoutACache) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  for (Sample& sample : stored[0].samples) sample.cache_bytes = sample.cache_values = 0;
  EXPECT_THROW(compression_chart(group_results(stored), {}), InputError);
}

}  // namespace
}  // namespace kakeya
