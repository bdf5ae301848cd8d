// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "kakeya/report/choose.h"
#include "kakeya/report/sweep_report.h"
#include "report/noiseless.h"

namespace kakeya {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

SweepReport report_of(std::span<const StoredResults> stored) {
  return make_sweep_report(
      stored, {"0.1.0", "feedbeef0123", "", "", "cpu", 1, "", {"kakeya-report", "a"}, {}});
}

TEST(WhatToUse, TheFirstTableSaysWhatToUse) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  for (Sample& sample : stored[0].samples) sample.decode_seconds = 1.056;
  const SweepReport report = report_of(stored);
  const std::string table = report.markdown.substr(report.markdown.find("\n| ") + 1);
  EXPECT_LT(report.markdown.find("## What to use\n\n| of"), report.markdown.find("!["));
  std::vector<std::string> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line) && line.starts_with("|");) rows.push_back(line);
  ASSERT_EQ(rows.size(), 4u) << table;
  // What choose answers: tests/report/choose_test.cpp.
  for (const char* part :
       {"synthetic-135m, in-forward (hot) |", " 0.02 | e8:q=22 ", "7.225 (7.225 to 7.225) |",
        "|               500 |", "| tq ", " 1.076x |"}) {
    EXPECT_TRUE(holds(rows[2], part)) << part << " in " << rows[2];
  }
  EXPECT_TRUE(holds(rows[3], " 0.005 | ")) << rows[3];
  EXPECT_FALSE(holds(rows[3], "synthetic-135m")) << rows[3];
  EXPECT_FALSE(holds(report.markdown, "No setting keeps to"));
  EXPECT_TRUE(holds(report.markdown,
                    "Decoding is summed over threads of the run's machine, beside other jobs "
                    "perhaps, and compares no codecs."));
}

TEST(WhatToUse, AKlThatNothingReachesIsNoRow) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  std::erase_if(stored[0].samples, [](const Sample& s) {
    return s.key.codec_k != "fp8" && s.key.codec_k != "e8:q=22" && s.key.codec_k != "identity";
  });
  const std::string page = report_of(stored).markdown;
  EXPECT_TRUE(holds(page, "(hot) |       0.02 | e8:q=22 ")) << page;
  EXPECT_TRUE(
      holds(page,
            "No setting keeps to 0.005 in synthetic-135m, in-forward (hot): the least is 0.0174 "
            "(e8:q=22)."))
      << page;
  std::erase_if(stored[0].samples, [](const Sample& s) { return s.key.codec_k == "e8:q=22"; });
  const std::string coarse = report_of(stored).markdown;
  EXPECT_FALSE(holds(coarse, "## What to use"));
  EXPECT_TRUE(holds(coarse, "No setting keeps to 0.02 in ")) << coarse;
}

TEST(WhatToUse, OfManyGroupsWhatToUseIsARowEach) {
  std::vector<StoredResults> stored;
  for (int i = 0; i < 13; ++i)
    stored.push_back(synthetic::results("out/" + std::to_string(i), "inforward", 1));
  EXPECT_EQ(report_of({stored.data(), 12}).choices.size(), 24u);
  const SweepReport report = report_of(stored);
  ASSERT_EQ(report.choices.size(), 13u);
  for (const Choice& choice : report.choices) EXPECT_EQ(choice.options.kl, 0.005);
}

TEST(WhatToUse, WhatIsBeatenIsTheCheapestSettingOfAnotherCodec) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  const auto chosen = [&](double kl) {
    const std::vector<ResultGroup> groups = group_results(stored);
    return choose_for(groups[0], "a model", {kl, {}, {}});
  };
  // A family of e8 just behind e8's own: between it and tq.
  synthetic::add(stored[0], "e8:q=22,pack=rans", "e8:q=22", 6,
                 [](const Sample&) { return 0.0174; });
  const Choice choice = chosen(0.02);
  EXPECT_EQ(choice.of, "a model, in-forward (hot)");
  ASSERT_EQ(choice.settings[1].legend, "e8:pack=rans");
  const auto row = choices_table({&choice, 1}).rows.at(0);
  EXPECT_EQ(row[2].text, "e8:q=22");
  EXPECT_EQ(row[6].text, "tq");
  EXPECT_NEAR(*row[7].value, (26 * 6.51 + 4 * 16) / (26 * 5.875 + 4 * 16), 1e-6);
  // Without another codec the next family; alone, nothing.
  std::erase_if(stored[0].samples,
                [](const Sample& s) { return !s.key.codec_k.starts_with("e8:"); });
  const Choice of_one_codec = chosen(0.02);
  EXPECT_EQ(choices_table({&of_one_codec, 1}).rows.at(0)[6].text, "e8:pack=rans");
  const Choice alone = chosen(0.01);
  EXPECT_EQ(choices_table({&alone, 1}).rows.at(0)[6].text, "-");
  const Choice nothing = chosen(1e-9);
  EXPECT_TRUE(nothing.settings.empty());
  EXPECT_TRUE(choices_table({&nothing, 1}).rows.empty());
}

}  // namespace
}  // namespace kakeya
