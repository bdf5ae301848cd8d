// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/cold_report.h"

#include <gtest/gtest.h>

#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

ColdRow row(const std::string& library, const std::string& codec, std::optional<int> layers,
            double ratio, double decode, double restore) {
  ColdRow made;
  made.library = library, made.codec = codec;
  made.layers = layers;
  made.ratio = ratio, made.bits_per_value = 16 / ratio;
  made.encode = made.decode = made.break_even = decode;
  made.restore = restore, made.of_link = restore / ratio / 50, made.over_bf16 = restore / 50;
  made.prefill_links = {{"a model", 4 / ratio}, {"a slow one", std::nullopt}};
  return made;
}

ColdRun two_codecs() {
  ColdRun run;
  run.device = "a GPU", run.made_with = "libraries", run.cache = "a cache";
  run.to_device = 50;
  run.rows = {row("nvcomp", "ans", std::nullopt, 1.5, 1800, 74),
              row("kakeya", "klt:bits=3", 1, 5, 90, 244),
              row("kakeya", "klt:bits=3", 6, 5, 280, 188)};
  run.prefills = {{"a model", "1x2", 16384, 50, 4}, {"a slow one", "1x2", 16384, 50, 400}};
  return run;
}

TEST(ColdReport, ChartsTheBestOfLaunches) {
  const Document report = make_cold_report(two_codecs());
  ASSERT_EQ(report.charts.size(), 1u);
  const Chart& chart = report.charts[0];
  ASSERT_EQ(chart.panels.size(), 2u);
  for (const ChartPanel& panel : chart.panels) {
    ASSERT_EQ(panel.series.size(), 2u) << panel.title;
    EXPECT_EQ(panel.series[0].name, "nvcomp ans");
    EXPECT_EQ(panel.series[1].name, "klt:bits=3");
    EXPECT_DOUBLE_EQ(panel.series[1].points.at(0).x, 5);
  }
  EXPECT_DOUBLE_EQ(chart.panels[0].series[1].points.at(0).y, 280);
  EXPECT_DOUBLE_EQ(chart.panels[1].series[1].points.at(0).y, 244);
  const auto& link = chart.panels[1].references.at(0).points;
  EXPECT_DOUBLE_EQ(link.front().second, 50);  // nothing packed
  EXPECT_DOUBLE_EQ(link.back().second, 50 * 5.2);
}

TEST(ColdReport, HasEveryLaunchInDetails) {
  const Document report = make_cold_report(two_codecs());
  EXPECT_EQ(report.markdown.find(" 188 |"), std::string::npos);
  EXPECT_NE(report.markdown.find(" 244 |"), std::string::npos);
  EXPECT_NE(report.details.find(" 188 |"), std::string::npos);
  EXPECT_NE(report.details.find("sooner than the prefill of a slow one from"), std::string::npos);
  EXPECT_NE(report.csv.find("kakeya | `klt:bits=3` | 6"), std::string::npos);
  EXPECT_NE(report.details.find(" - |"),
            std::string::npos);  // on no link sooner than the prefill
  ColdRun alone = two_codecs();
  alone.prefills = {};
  EXPECT_EQ(make_cold_report(alone).details.find("sooner than the prefill of"), std::string::npos);
  EXPECT_NE(report.csv.find("nvcomp | `ans` | all"), std::string::npos);
}

TEST(ColdReport, RefusesARunOfNothing) { EXPECT_THROW(make_cold_report({}), InputError); }

}  // namespace
}  // namespace kakeya
