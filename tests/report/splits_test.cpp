// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/splits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/report/provenance_text.h"
#include "kakeya/report/sweep_report.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

// Passages 0 to 7 of development, 32 to 39 held out.
std::vector<StoredResults> two_splits() {
  std::vector<StoredResults> stored = {synthetic::results("out/seen", "inforward"),
                                       synthetic::results("out/kept", "inforward", 8, 60, 7)};
  stored[0].plan.split = "development";
  stored[1].plan.split = "held-out";
  for (Sample& sample : stored[1].samples) sample.key.passage += 32;
  return stored;
}

TEST(Splits, StandSideBySideAndAreNotPooled) {
  std::vector<StoredResults> stored = two_splits();
  std::erase_if(stored[1].samples, [](const Sample& s) { return s.key.codec_k == "fp8"; });
  const std::vector<ResultGroup> groups = group_results(stored);
  ASSERT_EQ(groups.size(), 2u);
  const std::vector<Table> tables = splits_tables(groups);
  ASSERT_EQ(tables.size(), 1u);
  const Table& table = tables[0];
  EXPECT_EQ(table.columns.size(), 11u);
  EXPECT_EQ(table.columns[1].heading, "development (seen): n");
  EXPECT_EQ(table.columns[6].heading, "held-out (kept): n");
  EXPECT_EQ(table.columns[9].quantity, "kld_mean of held-out, kept");
  EXPECT_EQ(table.rows.size(), groups[1].codecs.size() - 1);  // without identity and fp8
  for (const auto& row : table.rows) {
    EXPECT_EQ(row[1].text, "8");
    EXPECT_EQ(row[6].text, "8");
    for (std::size_t split = 0; split < 2; ++split) {
      const auto& codecs = groups[split].codecs;
      const auto codec = std::find_if(codecs.begin(), codecs.end(), [&](const CodecResult& each) {
        return each.label == row[0].text;
      });
      ASSERT_NE(codec, codecs.end());
      EXPECT_EQ(*row[4 + 5 * split].value, summary(*codec, metric("kld_mean")).mean);
    }
  }
  const SweepReport report = make_sweep_report(stored, {});
  EXPECT_TRUE(report.warnings.empty());
  for (const std::string& page : {report.markdown, report.details}) {
    EXPECT_NE(page.find("## Splits side by side: synthetic-135m, in-forward"), std::string::npos);
    EXPECT_NE(page.find("synthetic-135m (kept, held-out)"), std::string::npos);
  }
  EXPECT_EQ(report.charts[0].panels[1].title, "synthetic-135m (kept, held-out)");
  const Table facts = circumstances_table(groups);
  const auto row = std::find_if(facts.rows.begin(), facts.rows.end(),
                                [](const auto& cells) { return cells[0].text == "split"; });
  ASSERT_NE(row, facts.rows.end());
  EXPECT_EQ((*row)[1].text, "development: 0 to 7");
  EXPECT_EQ((*row)[2].text, "held-out: 32 to 39");
}

TEST(Splits, PassagesOfBothAreTold) {
  std::vector<StoredResults> stored = two_splits();
  for (Sample& sample : stored[1].samples) sample.key.passage -= 26;
  const std::vector<std::string> warnings = make_sweep_report(stored, {}).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0],
            "IN BOTH SPLITS: passages 6, 7 are development in seen and held-out in kept");
  stored[1].plan.origin.text.sha256 = std::string(64, 'c');  // passages of another text
  EXPECT_TRUE(make_sweep_report(stored, {}).warnings.empty());
}

TEST(Splits, WithoutThemNothingIsSaid) {
  const std::vector<StoredResults> stored = {synthetic::results("out/a", "inforward"),
                                             synthetic::results("out/b", "inforward")};
  EXPECT_TRUE(splits_tables(group_results(stored)).empty());
  EXPECT_EQ(make_sweep_report(stored, {}).details.find("split"), std::string::npos);
}

}  // namespace
}  // namespace kakeya
