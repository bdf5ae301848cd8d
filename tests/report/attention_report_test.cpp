// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/attention_report.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

AttentionSpeed speed(const std::string& codec, const std::string& shape, std::size_t batch,
                     std::size_t tokens, double us, double bf16) {
  AttentionSpeed made;
  made.codec = codec, made.shape = shape;
  made.batch = batch, made.tokens = tokens;
  made.bits_per_value = 4.25;
  made.us = made.us_p99 = us;
  made.gb_per_second = made.of_copy = made.values_per_second = 1;
  made.bf16_us = bf16;
  return made;
}

AttentionSpeeds speeds_of(std::vector<AttentionSpeed> rows) {
  return {"a GPU", "CUDA 13", std::move(rows), "", "PyTorch"};
}

AttentionSpeeds two_codecs() {
  return speeds_of({speed("tq:b=4", "8x32x128", 1, 8192, 11, 17),
                    speed("tq:b=4", "8x32x128", 1, 131072, 40, 120),
                    speed("e8:q=10,profile=0000000000000000", "8x32x128", 1, 131072, 60, 120),
                    speed("tq:b=4", "2x8x256", 1, 131072, 10, 120)});
}

TEST(AttentionReport, ShowsWhatIsLostAgainstSpeed) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const std::vector<ResultGroup> losses = group_results(stored, BitsOf::whole_cache);
  const Document report = make_attention_report(two_codecs(), {}, losses);
  ASSERT_EQ(report.charts.size(), 2u);
  const Chart& chart = report.charts.back();
  EXPECT_EQ(chart.name, "choice");
  ASSERT_EQ(chart.panels.size(), 1u);
  const std::vector<ChartSeries>& series = chart.panels[0].series;
  ASSERT_EQ(series.size(), 2u);  // the other settings were not timed; their rows are in the table
  EXPECT_EQ(series[0].name, "e8:q=10");
  EXPECT_DOUBLE_EQ(series[0].points.at(0).x, 2);
  EXPECT_EQ(series[1].name, "tq:b=4");
  EXPECT_DOUBLE_EQ(series[1].points.at(0).x, 3);  // of the first shape, at the most tokens
  EXPECT_GT(series[1].points.at(0).y, 0);
  EXPECT_LT(series[1].points.at(0).low, series[1].points.at(0).y);
  EXPECT_NE(report.details.find("| `fp8`"), std::string::npos);
  EXPECT_NE(report.details.find("![KL divergence against the speed of attention](choice.svg)"),
            std::string::npos);
}

TEST(AttentionReport, RefusesLossesOfOtherCodecs) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")},
                                   plain = {synthetic::results("a", "distortion")};
  const AttentionSpeeds other = speeds_of({speed("e8:q=11", "8x32x128", 1, 8192, 11, 17)});
  const std::vector<ResultGroup> losses = group_results(stored, BitsOf::whole_cache),
                                 none = group_results(plain);
  EXPECT_THROW(make_attention_report(other, {}, losses), InputError);
  EXPECT_THROW(make_attention_report(two_codecs(), {}, none), InputError);
  EXPECT_THROW(make_attention_report(speeds_of({}), {}), InputError);
}

TEST(AttentionReport, ChartsOneCodec) {
  AttentionSpeeds speeds = two_codecs();
  const auto title = [&] { return make_attention_report(speeds, {}).charts.at(0).title; };
  EXPECT_NE(title().find("tq:b=4"), std::string::npos);  // the slower one has one shape of two
  speeds.charted = "e8:q=10,profile=0000000000000000";
  EXPECT_NE(title().find("e8:q=10"), std::string::npos);
  speeds.charted = "e8:q=11";
  EXPECT_THROW(make_attention_report(speeds, {}), InputError);
}

TEST(AttentionReport, SaysWhatAStepIs) {
  AttentionSpeeds step = two_codecs();
  EXPECT_NE(make_attention_report(step, {}).markdown.find("A launch is one query a head"),
            std::string::npos);
  for (AttentionSpeed& row : step.rows)
    row.layers = 32, row.shape = "32x" + row.shape, row.pack_us = 1.25;
  const Document report = make_attention_report(step, {});
  EXPECT_NE(report.markdown.find("A step is attention of all layers"), std::string::npos);
  EXPECT_NE(report.details.find("of them pages, us"), std::string::npos);
  EXPECT_NE(report.details.find(" 1.2 |"), std::string::npos) << report.details;
}

}  // namespace
}  // namespace kakeya
