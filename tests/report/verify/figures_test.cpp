// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/verify/figures.h"

#include <gtest/gtest.h>

namespace kakeya {
namespace {

std::vector<std::string> texts_of(std::string_view markdown) {
  std::vector<std::string> texts;
  for (const QuotedFigure& figure : figures_of(markdown)) texts.push_back(figure.text);
  return texts;
}

TEST(Figures, AreDecimalsThousandsAndPercents) {
  EXPECT_EQ(
      texts_of("It takes 0.568 (.556–.581) of 1,957 cells, 12 % less, in 24 passages of 2048."),
      (std::vector<std::string>{"0.568", ".556", ".581", "1,957", "12"}));
  EXPECT_EQ(texts_of("1.10e-3 and 2.5%"), (std::vector<std::string>{"2.5"}));
}

TEST(Figures, LeaveOutWhatNamesOrSetsSomething) {
  EXPECT_TRUE(
      texts_of("Q4_1 v0.1.0 1.5B E8 `bits=2.5` [a](b-1.5.md) <!-- 3.7 --> x=0.25 1.2.3 7/8.5")
          .empty());
  EXPECT_TRUE(texts_of("```\n0.125\n```\nan interval of 95 %").empty());
  EXPECT_EQ(texts_of("```\n0.125\n```\n0.5"), (std::vector<std::string>{"0.5"}));
}

TEST(Figures, KnowTheirValueAndPlace) {
  const auto figures =
      figures_of("# Rates\n\ntext\n\n| a | bits |\n|---|--:|\n| klt | 2.50 |\n| | 1,234.5 |\n");
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].line, 7U);
  EXPECT_EQ(figures[0].value, 2.5);
  EXPECT_EQ(figures[0].decimals, 2);
  EXPECT_EQ(figures[0].context, "| klt | ");
  EXPECT_FALSE(figures[0].percent);
  for (const char* const word : {"Rates", "bits", "klt"}) {
    EXPECT_NE(figures[1].around.find(word), std::string::npos) << word;
  }
  EXPECT_EQ(figures[1].value, 1234.5);
  EXPECT_EQ(figures[1].decimals, 1);
}

}  // namespace
}  // namespace kakeya
