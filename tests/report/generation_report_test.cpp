// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/generation_report.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"

namespace kakeya {
namespace {

GenerationSpeeds speeds_of(const std::vector<std::string>& codecs) {
  GenerationSpeeds speeds;
  speeds.model = "model-x";
  speeds.device = "cpu";
  speeds.dtype = "bf16";
  for (const std::string& codec : codecs) {
    GenerationSpeed row;
    row.codec = codec;
    row.context = 512;
    row.batch = 1;
    row.first_token_seconds = 1;
    row.tokens_per_second = codec == "identity" ? 4 : 2;
    row.tokens_per_cpu_second = row.tokens_per_second;
    row.live_bytes = row.peak_live_bytes = codec == "identity" ? 100 : 25;
    row.bf16_bytes = 100;
    speeds.rows.push_back(row);
  }
  return speeds;
}

TEST(GenerationReport, NamesNoDigestWhereverTheKeyStands) {
  const std::vector<std::pair<std::string, std::string>> shown = {
      {"identity", "identity"},
      {"klt:bits=3,page=128,profile=0123456789abcdef", "klt:bits=3,page=128"},
      {"klt:profile=0123456789abcdef,bits=3", "klt:bits=3"},
      {"klt:profile=0123456789abcdef", "klt"},
      {"klt:bits=4,profile=none", "klt:bits=4,profile=none"},
      {"K klt:bits=3,profile=0123456789abcdef, V fp8", "K klt:bits=3, V fp8"},
      {"K fp8, V klt:bits=3,profile=none", "K fp8, V klt:bits=3,profile=none"},
      {"K klt:bits=3,profile=ab, V klt:bits=3,profile=none",
       "K klt:bits=3, V klt:bits=3,profile=none"},
      {"no spec, profile=ab", "no spec, profile=ab"}};
  std::vector<std::string> codecs;
  for (const auto& [codec, name] : shown) codecs.push_back(codec);
  const Table table = generation_table(speeds_of(codecs));
  ASSERT_EQ(table.rows.size(), shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_EQ(table.rows[i].front().text, "`" + shown[i].second + "`");
    EXPECT_EQ(without_profiles(shown[i].first), shown[i].second);
  }
}

TEST(GenerationReport, ComparesWithBf16OfTheSameContextAndBatch) {
  GenerationSpeeds speeds = speeds_of({"identity", "fp8"});
  speeds.rows.push_back(speeds.rows.back());
  speeds.rows.back().context = 1024;  // of which there is no bf16
  const Table table = generation_table(speeds);
  EXPECT_EQ(table.rows[1][5].text, "0.50");
  EXPECT_EQ(table.rows[1][9].text, "0.250");
  EXPECT_EQ(table.rows[2][5].text, "-");
  EXPECT_THROW((void)make_generation_report({}, {}), InputError);
}

}  // namespace
}  // namespace kakeya
