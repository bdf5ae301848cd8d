// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/verdict.h"

#include <gtest/gtest.h>

namespace kakeya {
namespace {

using Values = std::vector<FormulaValue>;

TEST(Verdict, RoundsToTheDigitsPrinted) {
  EXPECT_EQ(judge("3.60", Values{3.5951}), Verdict::reproduces);
  EXPECT_EQ(judge("3.60", Values{3.6049}), Verdict::reproduces);
  EXPECT_EQ(judge("3.60", Values{3.605}), Verdict::reproduces);
  EXPECT_EQ(judge("3.60", Values{3.6051}), Verdict::rounding);
  EXPECT_EQ(judge("3.60", Values{3.591}), Verdict::rounding);
  EXPECT_EQ(judge("3.60", Values{3.589}), Verdict::differs);
  EXPECT_EQ(judge("-2.2", Values{-2.24}), Verdict::reproduces);
  EXPECT_EQ(judge("+36.6", Values{36.63}), Verdict::reproduces);
  EXPECT_EQ(judge("1.25e-2", Values{0.01254}), Verdict::reproduces);
  EXPECT_EQ(judge("1.25e-2", Values{0.01256}), Verdict::rounding);
  EXPECT_EQ(judge("1.25e-2", Values{0.0127}), Verdict::differs);
}

TEST(Verdict, ACountIsExact) {
  EXPECT_EQ(judge("5", Values{5.0}), Verdict::reproduces);
  EXPECT_EQ(judge("5", Values{4.0}), Verdict::differs);
  EXPECT_EQ(judge("331", Values{330.46}), Verdict::rounding);
}

TEST(Verdict, TheWorstPartCounts) {
  EXPECT_EQ(judge("3.60 ± 1.02", Values{3.6, 1.02}), Verdict::reproduces);
  EXPECT_EQ(judge("3.60±1.02", Values{3.6, 1.03}), Verdict::rounding);
  EXPECT_EQ(judge("3.60 ± 1.02", Values{3.6, 1.05}), Verdict::differs);
  EXPECT_EQ(judge("3.60 ± 1.02", Values{3.6, {}}), Verdict::no_data);
  EXPECT_EQ(judge("3.60 ± 1.02", Values{3.6}), Verdict::differs);
}

TEST(Verdict, WordsAreCompared) {
  EXPECT_EQ(judge("d4:q=38", Values{std::string("d4:q=38")}), Verdict::reproduces);
  EXPECT_EQ(judge("d4:q=38", Values{std::string("d4:q=44")}), Verdict::differs);
  EXPECT_EQ(judge("oor", Values{std::string("oor"), std::string("oor")}), Verdict::reproduces);
  EXPECT_EQ(judge("oor", Values{1.7}), Verdict::differs);
  EXPECT_EQ(judge("1.71", Values{std::string("oor")}), Verdict::differs);
}

TEST(Verdict, OursInTheSameDigits) {
  EXPECT_EQ(in_digits_of("3.60 ± 1.02", Values{3.5951, 1.0249}), "3.60 ± 1.02");
  EXPECT_EQ(in_digits_of("8.37e-3", Values{0.0083649}), "8.36e-3");
  EXPECT_EQ(in_digits_of("+2.2", Values{2.24}), "+2.2");
  EXPECT_EQ(in_digits_of("1.71", Values{FormulaValue{}}), "-");
}

}  // namespace
}  // namespace kakeya
