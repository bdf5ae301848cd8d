// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/profile_cost.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/report/provenance_text.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

// 30 layers of 2 x 3 x 64 values, 4 of them skipped; 8192 tokens have 94,371,840 values.
constexpr double kValues = 30.0 * 2 * 3 * 64 * 8192;

const CodecResult& codec_of(const ResultGroup& group, const std::string& label) {
  return *std::find_if(group.codecs.begin(), group.codecs.end(),
                       [&](const CodecResult& codec) { return codec.label == label; });
}

TEST(ProfileCost, IsSharedByAsManyCaches) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  const std::vector<ResultGroup> groups = group_results(stored);
  const CodecResult& codec = codec_of(groups[0], "e8:q=10");
  const double many = *bits_with_profile(groups[0], codec, 1000000, 8192, 0);
  EXPECT_NEAR(many, (26 * 4.875 + 4 * 16) / 30, 1e-6);
  EXPECT_NEAR(*bits_with_profile(groups[0], codec, 1000000, 8192, 1), many + 8e6 / kValues, 1e-9);
  EXPECT_NEAR(*bits_with_profile(groups[0], codec, 1000000, 8192, 100), many + 8e4 / kValues, 1e-9);
  EXPECT_NEAR(*bits_with_profile(groups[0], codec, 1000000, 131072, 1), many + 8e6 / kValues / 16,
              1e-9);
}

// A page of 512 tokens in every coded layer: half of it is open, in bf16, and the rest costs what
// full pages do.
TEST(ProfileCost, HalfAPageIsOpenWhereTheCacheGrows) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  for (Sample& sample : stored[0].samples) {
    const std::uint64_t token = 26 * 2 * 3 * 64;
    sample.open_page = OpenPages{64 * token, 64 * token / 2, 512 * token};  // 4 bits a value
  }
  const auto bits_of = [&](const char* mode) {
    for (Sample& sample : stored[0].samples) sample.key.mode = mode;
    const std::vector<ResultGroup> groups = group_results(stored);
    return *bits_with_profile(groups[0], codec_of(groups[0], "e8:q=10"), 0, 8192, 0);
  };
  const double full = (2112 * 4.875 - 64 * 4) / 2048;
  EXPECT_NEAR(bits_of("inforward"), (26 * (256 * 16 + 7936 * full) / 8192 + 4 * 16) / 30, 1e-6);
  EXPECT_NEAR(bits_of("prefix"), (26 * 4.875 + 4 * 16) / 30, 1e-6);
}

// Runs that shared out codecs and passages: the record of one says too little.
TEST(ProfileCost, AProfileIsWhatAllRunsReadOfIt) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  Provenance first = stored[0].runs[0];
  first.profiles = {{std::string(64, 'c'), "other.txt", "", 4, 1024, 4, 0}};
  stored[0].runs.assign(3, first);
  stored[0].first_samples = {0, 1, 2};
  stored[0].runs[1].profiles[0].reader_bytes = 1000;
  stored[0].runs[1].profiles[0].shared_passages = std::vector<int>{1};
  stored[0].runs[2].profiles[0].reader_bytes = 10;
  stored[0].runs[2].profiles[0].shared_passages = std::vector<int>{0};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<ProfileRecord> records = profile_records(groups[0]);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].reader_bytes, 1000u);
  EXPECT_EQ(records[0].shared_passages, (std::vector<int>{0, 1}));
  EXPECT_TRUE(std::ranges::any_of(groups[0].warnings, [](const std::string& warning) {
    return warning.starts_with("SEEN IN CALIBRATION: 2 of 2 passages (0, 1)");
  }));
  const Table table = profiles_table(groups);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][3].text, "1000");
}

TEST(ProfileCost, TheTableHasEveryLengthAndNumberOfCaches) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  stored[0].runs[0].profiles = {{std::string(64, 'c'), "other.txt", "", 4, 1024, 4, 23592960}};
  stored[0].runs[0].profiles[0].uses = {{"e8:q=10", 1000000}};
  const std::vector<ResultGroup> groups = group_results(stored);
  EXPECT_EQ(profile_bytes_of(groups[0], codec_of(groups[0], "e8:q=10")), 1000000u);
  EXPECT_EQ(profile_bytes_of(groups[0], codec_of(groups[0], "e8:q=15")), 0u);
  const Table table = profile_cost_table(groups[0]);
  ASSERT_EQ(table.columns.size(), 11u);
  EXPECT_EQ(table.columns[2].heading, "8k, 1 cache");
  EXPECT_EQ(table.columns[10].heading, "128k, many caches");
  EXPECT_EQ(table.rows.size(), groups[0].codecs.size() - 1);
  for (const auto& row : table.rows) {
    const bool profile = row[0].text == "e8:q=10";
    EXPECT_EQ(row[1].text, profile ? "1,000,000" : "0");
    EXPECT_EQ(*row[2].value > *row[4].value, profile) << row[0].text;
  }
}

// Of a profile that was not recorded only what many caches pay is known.
TEST(ProfileCost, IsNotGuessed) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  for (Sample& sample : stored[0].samples) {
    if (sample.key.codec_k == "e8:q=10") {
      sample.key.codec_k = sample.key.codec_v = "klt:bits=2,profile=0123456789abcdef";
    }
  }
  const std::vector<ResultGroup> groups = group_results(stored);
  const Table table = profile_cost_table(groups[0]);
  const auto row = std::find_if(table.rows.begin(), table.rows.end(),
                                [](const auto& each) { return each[0].text.starts_with("klt"); });
  ASSERT_NE(row, table.rows.end());
  EXPECT_EQ((*row)[1].text, "not recorded");
  EXPECT_EQ((*row)[2].text, "-");
  EXPECT_TRUE((*row)[4].value.has_value());
}

}  // namespace
}  // namespace kakeya
