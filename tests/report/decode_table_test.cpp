// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/decode_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/report/sweep_report.h"
#include "synthetic.h"

namespace kakeya {
namespace {

constexpr std::uint64_t kOfToken = 26ull * 2 * 3 * 64;  // values of the coded layers

/// Samples of mode decode of the same cells: a quarter of the KL divergence; of 2112 tokens 64 in an open
/// page of 128, of `fp8` 200.5 of 1024; e8:q=152 as in the forward on the even passages.
std::vector<Sample> decoded(const StoredResults& stored) {
  std::vector<Sample> samples;
  for (Sample sample : stored.samples) {
    sample.key.mode = "decode";
    const bool same = sample.key.codec_k == "e8:q=152" && sample.key.passage % 2 == 0;
    if (!same) {
      sample.kld_mean = *sample.kld_mean / 4;
      sample.nll = *sample.nll - 0.125;
    }
    const bool long_page = sample.key.codec_k == "fp8";
    const std::uint64_t values = long_page ? kOfToken * 401 / 2 : kOfToken * 64;
    sample.open_page = OpenPages{values, sample.bytes_written * values / sample.values,
                                 kOfToken * (long_page ? 1024 : 128)};
    samples.push_back(sample);
  }
  return samples;
}

std::vector<StoredResults> both_modes() {
  std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward")};
  stored[0].plan.policy.sinks = 4;
  stored[0].plan.policy.residual_window = 16;
  const std::vector<Sample> samples = decoded(stored[0]);
  stored[0].samples.insert(stored[0].samples.end(), samples.begin(), samples.end());
  return stored;
}

const std::vector<Cell>& row_of(const Table& table, const std::string& codec) {
  return *std::find_if(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return row[0].text == codec; });
}

TEST(DecodeTable, SaysWhatDiffersAndWhichTokensAreBf16InOneModeAlone) {
  const std::vector<StoredResults> stored = both_modes();
  const std::vector<ResultGroup> groups = group_results(stored);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_TRUE(decode_table(groups[0], groups).rows.empty());
  const Table table = decode_table(groups[1], groups);
  ASSERT_EQ(table.rows.size(), 25u);
  for (const std::vector<Cell>& row : table.rows) {
    if (row[0].text == "e8:q=152") continue;
    const bool identity = row[0].text == "identity", fp8 = row[0].text == "fp8";
    EXPECT_EQ(row[1].text, "0 of 8");
    EXPECT_EQ(row[4].text, identity ? "-" : "0.25 (0.25 to 0.25)");
    EXPECT_DOUBLE_EQ(*row[5].value, -0.125) << row[0].text;
    EXPECT_EQ(row[6].text, fp8 ? "1891.5" : "2,028");  // 2112 less 4, 16 and the open page
    EXPECT_EQ(row[7].text, fp8 ? "200.5" : "64");
    EXPECT_EQ(row[8].text, fp8 ? "1,024" : "128");
    if (!identity) {
      EXPECT_GT(*row[9].value, *row[10].value);  // what is open is bf16
    }
  }
  EXPECT_EQ(row_of(table, "e8:q=152")[1].text, "4 of 8");
  EXPECT_NE(table.note.find("4 sink tokens and a residual window of 16, bf16 in both"),
            std::string::npos)
      << table.note;
  EXPECT_NE(make_sweep_report(stored, {}).details.find("### Decoding beside the forward at once"),
            std::string::npos);
}

// In steps identity differs by the order of sums, so that a chart of them does not call it 0.
TEST(DecodeTable, ChartsOfStepsDoNotCallIdentityZero) {
  for (const Chart& chart : make_sweep_report(both_modes(), {}).charts) {
    const bool steps = chart.name.find("_decode") != std::string::npos;
    EXPECT_EQ(chart.subtitle.find("identity (bf16) is exactly 0") == std::string::npos, steps)
        << chart.name << ": " << chart.subtitle;
    EXPECT_EQ(chart.subtitle.find("identity (bf16) is not drawn") != std::string::npos, steps)
        << chart.name << ": " << chart.subtitle;
  }
}

// Of two folders where their plans are one; nothing beside another plan.
TEST(DecodeTable, FindsTheOtherModeInAnotherFolder) {
  std::vector<StoredResults> stored = {synthetic::results("out/once", "inforward"),
                                       synthetic::results("out/steps", "inforward")};
  stored[1].samples = decoded(stored[0]);
  std::vector<ResultGroup> groups = group_results(stored);
  const Table table = decode_table(groups[1], groups);
  EXPECT_EQ(table.rows.size(), 25u);
  EXPECT_NE(table.note.find("(in-forward: once)"), std::string::npos) << table.note;
  stored[1].plan.policy.sinks = 4;
  groups = group_results(stored);
  EXPECT_TRUE(decode_table(groups[1], groups).rows.empty());
}

TEST(DecodeTable, ItsNoteSaysWhatIsLeftInBf16) {
  std::vector<StoredResults> stored = both_modes();
  std::vector<ResultGroup> groups = group_results(stored);
  EXPECT_EQ(decode_note(groups[0]), "");
  const std::string note = decode_note(groups[1]);
  for (const char* said :
       {"Of the 2,112 tokens of a passage", "4 sink tokens; a residual window of 16; ",
        "64 of 128 tokens of an open page (", "`e8:q=10`",
        "200.5 of 1,024 tokens of an open page (`fp8`)"}) {
    EXPECT_NE(note.find(said), std::string::npos) << said << ": " << note;
  }
  std::erase_if(stored[0].samples, [](const Sample& s) { return s.key.mode != "decode"; });
  groups = group_results(stored);
  EXPECT_EQ(decode_note(groups[0]), note);  // alone too
  const SweepReport alone = make_sweep_report(stored, {});
  EXPECT_NE(alone.details.find("200.5 of 1,024 tokens"), std::string::npos);
  EXPECT_EQ(alone.details.find("### Decoding beside"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
