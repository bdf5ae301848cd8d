// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/noise_floor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kakeya/report/sweep_report.h"
#include "synthetic.h"

namespace kakeya {
namespace {

ControlSample control_of(const Sample& sample, const char* name, double kld) {
  ControlSample control;
  control.control = name;
  control.passage = sample.key.passage;
  control.kld_mean = kld;
  control.kld_max = 10 * kld;
  control.delta_ppl = 0.001;
  control.top1 = 1;
  return control;
}

/// Controls beside a made-up sweep: one as lossy as e8:q=38 with noise of its own, one far below all.
std::vector<StoredResults> with_controls() {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  for (const Sample& sample : stored[0].samples) {
    if (sample.key.codec_k != "e8:q=38") continue;
    const double wobble = sample.key.passage % 2 == 0 ? 1.1 : 0.9;
    stored[0].controls.push_back(control_of(sample, "bf16", *sample.kld_mean * wobble));
    stored[0].controls.push_back(control_of(sample, "decode", 1e-9 * wobble));
  }
  ControlSample elsewhere = stored[0].controls.front();
  elsewhere.passage = 99;  // not of these passages
  stored[0].controls.push_back(elsewhere);
  return stored;
}

TEST(NoiseFloor, SaysWhichSettingsDoNotExceedAControl) {
  const std::vector<StoredResults> stored = with_controls();
  const std::vector<ResultGroup> groups = group_results(stored);
  const Table table = noise_floor_table(groups.front());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0].text, "bf16 arithmetic");
  EXPECT_EQ(table.rows[0][1].text, "8");
  const std::string& within = table.rows[0].back().text;
  for (const char* fine : {"e8:q=38", "e8:q=76", "e8:q=152", "d4:q=152"})
    EXPECT_NE(within.find(fine), std::string::npos) << within;
  for (const char* coarse : {"e8:q=22", "tq:b=2", "identity", "fp8"})
    EXPECT_EQ(within.find(coarse), std::string::npos) << within;
  EXPECT_EQ(table.rows[1][0].text, "token by token (decode)");
  EXPECT_EQ(table.rows[1].back().text, "none of 24");
}

TEST(NoiseFloor, SaysHowManyTimesAControlACodecLoses) {
  const std::vector<StoredResults> stored = with_controls();
  const std::vector<ResultGroup> groups = group_results(stored);
  const Table table = above_floor_table(groups.front());
  ASSERT_EQ(table.rows.size(), 24u);  // without identity
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.columns[3].heading, "times bf16 arithmetic");
  for (const std::vector<Cell>& row : table.rows) {
    ASSERT_TRUE(row[3].value && row[4].value) << row[0].text;
    if (row[0].text != "e8:q=38") continue;
    // Over 1.1 and 0.9 of itself in turn: the mean of the logarithms is that of both.
    EXPECT_NEAR(*row[3].value, -std::log2(1.1 * 0.9) / 2, 1e-9);
    EXPECT_LT(*row[3].value - *row[3].half_width, 0);
    EXPECT_GT(*row[3].value + *row[3].half_width, 0);
    EXPECT_GT(*row[4].value - *row[4].half_width, 10);
  }
  std::vector<StoredResults> bare = stored;
  bare[0].controls.clear();
  EXPECT_TRUE(above_floor_table(group_results(bare).front()).rows.empty());
}

TEST(NoiseFloor, StandsBelowTheCodecsAndIsNoneOfThem) {
  const std::vector<StoredResults> stored = with_controls();
  Provenance self;
  const SweepReport with = make_sweep_report(stored, self);
  std::vector<StoredResults> bare = stored;
  bare[0].controls.clear();
  const SweepReport without = make_sweep_report(bare, self);
  EXPECT_EQ(with.codecs, without.codecs);
  EXPECT_EQ(with.markdown, without.markdown);
  EXPECT_LT(with.details.find("### Every codec"), with.details.find("### Noise floor"));
  EXPECT_EQ(without.details.find("Noise floor"), std::string::npos);
  const auto kld_chart = [](const SweepReport& report) {
    return *std::find_if(report.charts.begin(), report.charts.end(),
                         [](const Chart& chart) { return chart.name == "kld_inforward"; });
  };
  EXPECT_FALSE(kld_chart(without).floors);
  const Chart chart = kld_chart(with);
  ASSERT_EQ(chart.panels.size(), 1u);
  const std::vector<ChartLine>& lines = chart.panels[0].references;
  ASSERT_EQ(lines.size(), 1u);  // not the decoding at 1e-9, far below every codec
  EXPECT_EQ(lines[0].name, "nothing coded: bf16 arithmetic");
  EXPECT_NE(with.csv.find("noise_floor,a,inforward,token by token (decode),kld_mean (nats),"),
            std::string::npos);
  EXPECT_NE(with.csv.find("noise_floor,a,inforward,bf16 arithmetic,kld_mean (nats),"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
