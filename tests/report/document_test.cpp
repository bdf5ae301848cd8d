// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/document.h"

#include <gtest/gtest.h>

namespace kakeya {
namespace {

Document made() {
  Document out;
  Table long_table = named_table("everything", "All of it");
  long_table.columns = {{"what", "what", false}, {"how much", "bits"}};
  for (int row = 0; row < 9; ++row) {
    long_table.rows.push_back({text_cell("row " + std::to_string(row)), fixed_cell(row, 1)});
  }
  out.paragraph("# A report");
  out.charts.resize(2);
  out.charts[0].name = "first", out.charts[0].title = "The first";
  out.charts[1].name = "second", out.charts[1].title = "The second";
  out.table(long_table, "##");
  Table few = long_table;
  few.rows.resize(1);
  out.put_behind(
      {{"# A report", "Of this."}, "second", {"It is so."}, few, "---\n\n<sub>By</sub>"});
  return out;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Document, HasOneScreenInFrontOfTheRest) {
  const Document out = made();
  EXPECT_TRUE(holds(out.details, "row 8"));
  EXPECT_FALSE(holds(out.markdown, "row 8"));
  for (const char* part : {"# A report\n\nOf this.\n\n", "(details.md)", "- It is so.\n", "row 0",
                           "![The second](second.svg)", "More charts: [first](first.svg)."}) {
    EXPECT_TRUE(holds(out.markdown, part)) << part << "\n" << out.markdown;
  }
  EXPECT_FALSE(holds(out.markdown, "![The first]"));
  for (const std::string& page : {out.markdown, out.details}) {
    EXPECT_TRUE(page.ends_with("---\n\n<sub>By</sub>\n\n")) << page;
  }
}

TEST(Document, CountsTheTableOfTheFrontOnce) {
  const std::string csv = made().csv;
  const std::size_t first = csv.find("row 0,");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(csv.find("row 0,", first + 1), std::string::npos);
}

}  // namespace
}  // namespace kakeya
