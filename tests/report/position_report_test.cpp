// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/position_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "kakeya/core/error.h"
#include "report/synthetic.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::read_text;
using testing::ScratchFolder;

/// A window whose tokens lose `kld` nats up to position 63, and twice, four times that further on; the
/// NLL changes by half of it. 100 tokens, of which the window numbered `window` scores all but the first.
Sample window_of(const std::string& spec, int window, double kld) {
  Sample sample;
  sample.key = {spec, spec, window, "inforward"};
  sample.positions = {{1, 63, 3.0 + window, 3.0 + window + kld / 2, kld, 0.75},
                      {64, 36, 2.0, 2.0 + kld, 2 * kld, 0.5}};
  return sample;
}

class PositionReports : public ::testing::Test {
 protected:
  PositionReports() {
    StoredResults stored = synthetic::results("out/long", "inforward", 1);
    stored.samples.clear();
    stored.plan.context = 1;
    stored.plan.scored = 99;
    for (int window = 0; window < 3; ++window) {
      stored.samples.push_back(window_of("identity", window, 0));
      stored.samples.push_back(window_of("e8:q=10", window, 0.25 * (window + 1)));
      stored.samples.push_back(window_of("fp8", window, 1));
    }
    results_ = {stored};
  }
  std::vector<StoredResults> results_;
};

TEST_F(PositionReports, MeansAreOverTokensAndIntervalsOverWindows) {
  const std::vector<PositionLosses> codecs = losses_by_position(results_);
  ASSERT_EQ(codecs.size(), 2u);
  EXPECT_EQ(codecs[0].label, "e8:q=10");
  EXPECT_EQ(codecs[1].label, "fp8");
  EXPECT_EQ(codecs[0].windows, 3u);
  ASSERT_EQ(codecs[0].octaves.size(), 2u);
  const OctaveLosses &near = codecs[0].octaves[0], &far = codecs[0].octaves[1];
  EXPECT_EQ(near.first, 1u);
  EXPECT_EQ(near.last, 63u);
  EXPECT_EQ(far.first, 64u);
  EXPECT_EQ(far.last, 99u);  // where the window ends
  EXPECT_EQ(near.tokens, 3u * 63);
  EXPECT_DOUBLE_EQ(near.kld.mean, 0.5);
  EXPECT_DOUBLE_EQ(far.kld.mean, 1.0);
  // 0.25, 0.5, 0.75: deviation 0.25; t of two degrees of freedom 4.3027.
  EXPECT_NEAR(near.kld.half_width, 4.302652729911275 * 0.25 / std::sqrt(3), 1e-9);
  // Paired: that the windows' own NLL differ by whole nats does not matter.
  EXPECT_DOUBLE_EQ(near.nll_change.mean, 0.25);
  EXPECT_NEAR(near.nll_change.half_width, 4.302652729911275 * 0.125 / std::sqrt(3), 1e-9);
  EXPECT_DOUBLE_EQ(near.top1, 0.75);
  EXPECT_EQ(codecs[1].octaves[0].kld.half_width, 0);
}

// A window that scores fewer tokens of an octave counts for less.
TEST_F(PositionReports, WindowsAreWeightedWithTheirTokens) {
  results_[0].samples[1].positions.erase(results_[0].samples[1].positions.begin());
  results_[0].samples[4].positions[0].tokens = 21;
  const std::vector<PositionLosses> codecs = losses_by_position(results_);
  const OctaveLosses& near = codecs[0].octaves[0];
  EXPECT_EQ(near.kld.count, 2u);
  EXPECT_EQ(near.tokens, 84u);
  EXPECT_DOUBLE_EQ(near.kld.mean, (21 * 0.5 + 63 * 0.75) / 84);
}

// Windows that begin to score in the middle of an octave.
TEST_F(PositionReports, RowsBeginWhereTokensAreScored) {
  for (Sample& sample : results_[0].samples) {
    sample.positions[0].first = 40;
    sample.positions[0].tokens = 24;
  }
  results_[0].samples[1].positions[0].first = 50;
  const OctaveLosses near = losses_by_position(results_)[0].octaves[0];
  EXPECT_EQ(near.first, 40u);
  EXPECT_EQ(near.last, 63u);
  EXPECT_EQ(near.kld.count, 3u);
}

// The far octave loses twice what the near one does, in each of the windows that have both.
TEST_F(PositionReports, GrowthIsPaired) {
  const OctaveLosses near = losses_by_position(results_)[0].octaves[0];
  EXPECT_EQ(near.growth.text, "2.00 (2.00 to 2.00)");
  EXPECT_EQ(near.growth.samples, 3u);
  std::vector<Sample>& samples = results_[0].samples;
  samples[1].positions.pop_back();
  samples[4].positions[1].kld *= 4;
  const Cell some = losses_by_position(results_)[0].octaves[0].growth;
  EXPECT_EQ(some.samples, 2u);
  EXPECT_DOUBLE_EQ(some.value.value(), 2);  // log2 of 8 and 2
  samples[4].positions[0].kld = 0;
  EXPECT_EQ(losses_by_position(results_)[0].octaves[0].growth.text, "-");
}

TEST_F(PositionReports, OnlyWindowsOfAllCodecsCount) {
  std::erase_if(results_[0].samples, [](const Sample& sample) {
    return sample.key.codec_k == "fp8" && sample.key.passage == 2;
  });
  const std::vector<PositionLosses> codecs = losses_by_position(results_);
  EXPECT_EQ(codecs[0].windows, 2u);
  EXPECT_DOUBLE_EQ(codecs[0].octaves[0].kld.mean, 0.375);
  EXPECT_NE(make_position_report(codecs, results_[0].runs[0])
                .details.find("2 of 3 windows (not all codecs have finished the others) of 100"),
            std::string::npos);
}

TEST_F(PositionReports, WhatCannotBeSaidIsRefused) {
  std::vector<StoredResults> broken = results_;
  broken[0].samples[0].positions[1].kld = 1e-9;
  EXPECT_NE(message_of<InputError>([&] { losses_by_position(broken); }).find("identity, window 0"),
            std::string::npos);
  broken = results_;
  for (Sample& sample : broken[0].samples) sample.positions.clear();
  EXPECT_NE(message_of<InputError>([&] { losses_by_position(broken); }).find("out/long: no codec"),
            std::string::npos);
  broken = results_;
  broken[0].samples[5].positions.clear();
  EXPECT_NE(message_of<InputError>([&] {
              losses_by_position(broken);
            }).find("out/long: fp8, window 1: without means by position"),
            std::string::npos);
  broken = results_;
  std::erase_if(broken[0].samples, [](const Sample& sample) {
    return (sample.key.codec_k == "fp8") == (sample.key.passage == 0);
  });
  EXPECT_NE(message_of<InputError>([&] { losses_by_position(broken); }).find("no window"),
            std::string::npos);
}

/// A control that loses `kld` nats up to position 63 and three times that further on.
ControlSample control_of(const std::string& name, int window, double kld) {
  ControlSample control;
  control.control = name;
  control.passage = window;
  control.positions = {{1, 63, 3, 3 + kld, kld, 0.75}, {64, 36, 2, 2, 3 * kld, 0.5}};
  return control;
}

TEST_F(PositionReports, ControlsStandBehindTheCodecs) {
  const Document without = make_position_report(losses_by_position(results_), results_[0].runs[0]);
  for (const int window : {2, 0, 1, 7}) {  // 7: of no codec
    results_[0].controls.push_back(control_of("bf16", window, 0.01 * (window + 1)));
    if (window != 1) results_[0].controls.push_back(control_of("fp32", window, 0.02));
    results_[0].controls.push_back(control_of("fused", window, 0.001));
  }
  std::vector<PositionLosses> codecs = losses_by_position(results_);
  ASSERT_EQ(codecs.size(), 5u);
  EXPECT_EQ(codecs[1].control, "");
  EXPECT_EQ(codecs[2].control, "bf16");
  EXPECT_EQ(codecs[2].label, "nothing coded: bf16 arithmetic");
  EXPECT_EQ(codecs[3].label, "nothing coded: fp32 arithmetic");
  EXPECT_EQ(codecs[4].label, "nothing coded: another attention (fused)");
  EXPECT_EQ(codecs[2].windows, 3u);
  EXPECT_EQ(codecs[3].windows, 2u);
  ASSERT_EQ(codecs[2].octaves.size(), 2u);
  const OctaveLosses &near = codecs[2].octaves[0], &far = codecs[2].octaves[1];
  EXPECT_NEAR(near.kld.mean, 0.02, 1e-12);
  EXPECT_NEAR(far.kld.mean, 0.06, 1e-12);
  EXPECT_NEAR(near.nll_change.mean, 0.02, 1e-12);
  EXPECT_EQ(near.growth.text, "3.00 (3.00 to 3.00)");
  EXPECT_EQ(near.tokens, 3u * 63);
  const Document document = make_position_report(codecs, results_[0].runs[0]);
  EXPECT_NE(document.details.find("## long, nothing coded: bf16 arithmetic"), std::string::npos);
  EXPECT_NE(document.markdown.find("nothing coded: another attention (fused)"), std::string::npos);
  EXPECT_NE(
      document.csv.find("positions,long,inforward,nothing coded: bf16 arithmetic | 1–63,kld_mean "
                        "(nats),0.02,"),
      std::string::npos)
      << document.csv;
  ASSERT_EQ(document.charts.size(), 1u);
  ASSERT_EQ(document.charts[0].panels.size(), 1u);
  const ChartPanel& panel = document.charts[0].panels[0];
  EXPECT_EQ(panel.series.size(), 2u);
  ASSERT_EQ(panel.references.size(), 2u);  // not the attention, 80 times below what any codec loses
  EXPECT_NE(panel.references[0].dash, panel.references[1].dash);
  EXPECT_EQ(panel.references[0].points[0].first, 3);  // the middle of 1 to 63 in logarithms
  EXPECT_NEAR(panel.references[0].points[1].second, 0.06, 1e-12);
  EXPECT_TRUE(document.charts[0].floors);
  EXPECT_FALSE(without.charts[0].floors);
  EXPECT_EQ(document.csv.find(without.csv), 0u);  // what codecs do is the same
  const ScratchFolder folder;
  write_document(document, folder / "r", false);
  EXPECT_NE(read_text(folder / "r/positions.gp").find("nothing coded: bf16 arithmetic"),
            std::string::npos);
}

TEST_F(PositionReports, ControlsOfAnOlderVersionAreLeftOutAndSaid) {
  for (int window = 0; window < 3; ++window) {
    results_[0].controls.push_back(control_of("bf16", window, 0.01));
    results_[0].controls.back().positions.clear();
  }
  const std::vector<PositionLosses> codecs = losses_by_position(results_);
  EXPECT_EQ(codecs.size(), 2u);
  const Document document = make_position_report(codecs, results_[0].runs[0]);
  for (const std::string* page : {&document.markdown, &document.details}) {
    EXPECT_NE(page->find("long: 3 controls have no means by position"), std::string::npos);
  }
}

TEST_F(PositionReports, HaveATableACodecAndAChart) {
  const ScratchFolder folder;
  const std::vector<PositionLosses> codecs = losses_by_position(results_);
  const Document document = make_position_report(codecs, results_[0].runs[0]);
  EXPECT_NE(document.details.find("## long, e8:q=10"), std::string::npos);
  EXPECT_NE(document.details.find("64–99 |"), std::string::npos);
  EXPECT_NE(document.details.find("3 windows of 100 tokens"), std::string::npos);
  EXPECT_NE(document.csv.find("positions,long,inforward,e8:q=10 | 1–63,kld_mean (nats),0.5,0.62"),
            std::string::npos)
      << document.csv;
  EXPECT_NE(document.csv.find("fp8 | 64–99,nll - nll_reference (nats),1,"), std::string::npos)
      << document.csv;
  write_document(document, folder / "r", false);
  const std::string data = read_text(folder / "r/positions.dat"),
                    script = read_text(folder / "r/positions.gp");
  EXPECT_NE(data.find("\n3 0.5 "), std::string::npos);                        // sqrt(1 x 64) = 2^3
  EXPECT_NE(data.find("\n6.321928094887362 1 "), std::string::npos) << data;  // sqrt(64 x 100)
  EXPECT_NE(script.find("set xtics ('8' 3, '16' 4, '32' 5, '64' 6) nomirror"), std::string::npos)
      << script;
  EXPECT_NE(script.find("set logscale y"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
