// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

TEST(Number, Significant) {
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(0.02467), "0.0247");
  EXPECT_EQ(significant(-1.5), "-1.50");
  EXPECT_EQ(significant(1234.5), "1234");
  EXPECT_EQ(significant(2.104e-05), "2.10e-05");
  EXPECT_EQ(significant(1454321), "1.45e+06");
  EXPECT_EQ(significant(std::numeric_limits<double>::infinity()), "∞");
}

TEST(Number, WithInterval) {
  EXPECT_EQ(with_interval({8, 0.02467, 0.001, 0.00312}), "0.0247 ± 0.0031");
  EXPECT_EQ(with_interval({8, 12.34, 1, 2.5}, true), "+12.3 ± 2.5");
  EXPECT_EQ(with_interval({8, -0.5, 1, 30}, true), "-0 ± 30");
  EXPECT_EQ(with_interval({8, 2.104e-05, 1e-6, 3.5e-06}), "(2.10 ± 0.35)e-05");
  EXPECT_EQ(with_interval({8, 0, 0, 0}), "0");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(with_interval({1, 0.5, inf, inf}, true), "+0.500 (n=1)");
}

TEST(Number, FullPrecisionReadsBack) {
  for (double number : {0.1, 1.0 / 3, 6.02214076e23, 5e-324, -2.5})
    EXPECT_EQ(std::strtod(full_precision(number).c_str(), nullptr), number);
  EXPECT_EQ(full_precision(std::nan("")), "");
  EXPECT_EQ(grouped(131072), "131,072");
  EXPECT_EQ(grouped(999), "999");
}

Table small() {
  Table table;
  table.name = "small";
  table.source = "a, b";
  table.mode = "mode";
  table.columns = {{"codec", "codec", false}, {"bits", "bits", true}, {"", "hidden (1)", true}};
  table.rows = {
      {text_cell("d4:q=38,pack=joint"), number_cell(1.0 / 3, "0.33"), number_cell(2, "")},
      {text_cell("|Δ|"), interval_cell({8, 0.5, 0.1, 0.25}, "0.5 ± 0.2"), text_cell("say \"no\"")}};
  return table;
}

TEST(Table, MarkdownIsAlignedByCharacters) {
  EXPECT_EQ(to_markdown(small()),
            "| codec              |      bits |\n"
            "|--------------------|----------:|\n"
            "| d4:q=38,pack=joint |      0.33 |\n"
            "| \\|Δ\\|              | 0.5 ± 0.2 |\n");
}

TEST(Table, CsvHasEveryCellInFullPrecision) {
  EXPECT_EQ(csv_header() + to_csv(small()),
            "table,source,mode,row,quantity,value,half_width,samples,text\n"
            "small,\"a, b\",mode,\"d4:q=38,pack=joint\",bits,0.3333333333333333,,,0.33\n"
            "small,\"a, b\",mode,\"d4:q=38,pack=joint\",hidden (1),2,,,\n"
            "small,\"a, b\",mode,|Δ|,bits,0.5,0.25,8,0.5 ± 0.2\n"
            "small,\"a, b\",mode,|Δ|,hidden (1),,,,\"say \"\"no\"\"\"\n");
}

TEST(Table, ARowOfAnotherLengthIsAnError) {
  Table table = small();
  table.rows[0].pop_back();
  EXPECT_THROW(to_markdown(table), InputError);
  EXPECT_THROW(to_csv(table), InputError);
}

}  // namespace
}  // namespace kakeya
