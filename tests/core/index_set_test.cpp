// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/index_set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/core/layer_choice.h"

namespace kakeya {
namespace {

using Numbers = std::vector<int>;

IndexSet parse(const std::string& text) { return IndexSet::parse(text, "layers"); }

TEST(IndexSet, ReadsNumbersAndRunsInAnyOrder) {
  EXPECT_EQ(parse("0,5,10-12").numbers(), (Numbers{0, 5, 10, 11, 12}));
  EXPECT_EQ(parse("7").numbers(), (Numbers{7}));
  EXPECT_EQ(parse("3-3,1").numbers(), (Numbers{1, 3}));
  EXPECT_EQ(parse("65535").last(), 65535);
  EXPECT_EQ(parse("0,5,10-20").count(), 13u);
}

TEST(IndexSet, HasOneTextForEachSet) {
  EXPECT_EQ(parse("12,11,10,0-1").text(), "0,1,10-12");
  EXPECT_EQ(parse("0,1,2").text(), "0-2");
  EXPECT_EQ(parse("4,3"), parse("3-4"));
  EXPECT_EQ(IndexSet().text(), "");
  EXPECT_EQ(IndexSet::of(Numbers{5, 2, 2, 3}).text(), "2,3,5");
  for (const char* text : {"0", "0,1", "0-2", "1,3,5-9,65535"}) {
    EXPECT_EQ(parse(text).text(), text);
  }
}

TEST(IndexSet, KnowsWhatItHoldsAndWhatNot) {
  const IndexSet set = parse("2,5-7");
  EXPECT_FALSE(set.contains(1));
  EXPECT_TRUE(set.contains(2));
  EXPECT_FALSE(set.contains(4));
  EXPECT_TRUE(set.contains(6));
  EXPECT_FALSE(set.contains(8));
  EXPECT_EQ(set.others(9).text(), "0,1,3,4,8");
  EXPECT_EQ(IndexSet::below(4).text(), "0-3");
  EXPECT_TRUE(IndexSet::below(0).empty());
  EXPECT_TRUE(IndexSet::below(3).others(3).empty());
}

TEST(IndexSet, SaysWhatIsWrong) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      parse(text);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "(none)";
  };
  EXPECT_EQ(
      refusal("1,x"),
      "layers \"1,x\": 'x' is no number or run, expected numbers from 0 and runs of them, as in "
      "0,5,10-20");
  EXPECT_NE(refusal("5-3").find("runs backwards"), std::string::npos);
  EXPECT_NE(refusal("1-4,3").find("3 is there twice"), std::string::npos);
  for (const char* text : {"", ",", "1,", "-1", "1-", "1--2", " 1", "1 ", "1.5", "65536", "+1",
                           "1-2-3", "99999999999999999999"}) {
    EXPECT_NE(refusal(text), "(none)") << text;
  }
  EXPECT_THROW(IndexSet::of(Numbers{-1}), InputError);
  EXPECT_THROW(IndexSet::of(Numbers{65536}), InputError);
}

CachePolicy policy_of(const LayerChoice& choice, int layers, bool edges = false) {
  CachePolicy policy{.layers = layers, .skipped_layers = 2};
  choice.apply(policy, edges);
  return policy;
}

TEST(LayerChoice, SaysWhichLayersAreCoded) {
  EXPECT_EQ(policy_of({}, 10).all_skipped().text(), "0,1,8,9");
  EXPECT_EQ(policy_of({"3,5-6", {}}, 10).all_skipped().text(), "0-2,4,7-9");
  EXPECT_EQ(policy_of({{}, "0,9"}, 10), (CachePolicy{.layers = 10, .skipped_layers = 1}));
  EXPECT_EQ(policy_of({{}, "4"}, 10).coded_layers(), 9);
  EXPECT_EQ(policy_of({"0-9", {}}, 10), (CachePolicy{.layers = 10}));
}

TEST(LayerChoice, NamesTheLayersAskedFor) {
  EXPECT_TRUE((LayerChoice{}.of(4).empty()));
  EXPECT_EQ((LayerChoice{"0,2", {}}.of(4).text()), "0,2");
  EXPECT_EQ((LayerChoice{{}, "0,2"}.of(4).text()), "1,3");
  EXPECT_THROW((LayerChoice{"4", {}}.of(4)), SpecError);
}

TEST(LayerChoice, RefusesWhatCannotBeMeant) {
  EXPECT_THROW(policy_of({"1", "2"}, 10), SpecError);
  EXPECT_THROW(policy_of({"1", {}}, 10, true), SpecError);
  EXPECT_THROW(policy_of({{}, "1"}, 10, true), SpecError);
  EXPECT_THROW(policy_of({"10", {}}, 10), SpecError);
  EXPECT_THROW(policy_of({{}, "0-9"}, 10), SpecError);
  EXPECT_THROW((LayerChoice{"a", {}}.check(false)), SpecError);
  EXPECT_NO_THROW(policy_of({}, 10, true));
}

}  // namespace
}  // namespace kakeya
