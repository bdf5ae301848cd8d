// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/chart_families.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/looks.h"
#include "report/noiseless.h"

namespace kakeya {
namespace {

using Legends = std::set<std::string>;

/// The grid has e8, d4, tq and fp8; these make it eight families of six codecs.
StoredResults crowded() {
  StoredResults results = synthetic::noiseless();
  const auto at = [](double bits, double factor) {
    return [=](const Sample& s) {
      return 60 * factor * std::exp2(-2 * bits) * (s.key.passage % 2 == 0 ? 1.01 : 0.99);
    };
  };
  for (const double bits : {3.0, 4.0}) {  // below every other one
    const std::string rate = std::to_string(static_cast<int>(bits));
    synthetic::add(results, "ece8:bits=" + rate + ",center=mean", "fp8", bits, at(bits, 0.3));
    synthetic::add(results, "ece8:bits=" + rate, "fp8", bits + 0.01, at(bits + 0.01, 0.5));
  }
  synthetic::add(results, "kivi:b=4", "fp8", 5.1, at(5.1, 3));
  synthetic::add(results, "q4_0", "fp8", 4.5, at(4.5, 9));
  return results;
}

std::vector<const ResultGroup*> pointers(const std::vector<ResultGroup>& groups) {
  std::vector<const ResultGroup*> list;
  for (const ResultGroup& group : groups) list.push_back(&group);
  return list;
}

Legends legends(const std::map<std::string, std::string>& families) {
  Legends all;
  for (const auto& [legend, shown] : families) all.insert(legend);
  return all;
}

TEST(ChartFamilies, AllWhereThereAreSixOrFewer) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::vector<ResultGroup> groups = group_results(stored);
  EXPECT_EQ(legends(chart_families(pointers(groups), metric("kld_mean"))),
            (Legends{"e8", "d4", "tq", "fp8"}));
}

TEST(ChartFamilies, OfMoreOneACodecFirstByTheirSettingsOnTheFront) {
  const std::vector<StoredResults> stored = {crowded()};
  const std::vector<ResultGroup> groups = group_results(stored);
  // Seven codecs for six places: of ece8 the one that is on the front, and of the three codecs
  // without a setting there (fp8, kivi, q4_0) the first two.
  EXPECT_EQ(legends(chart_families(pointers(groups), metric("kld_mean"))),
            (Legends{"e8", "d4", "tq", "fp8", "ece8:center=mean", "kivi"}));
}

TEST(ChartFamilies, ThoseThatPatternsName) {
  const std::vector<StoredResults> stored = {crowded()};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<std::string> patterns = {"ece8*", "q4_0"};
  EXPECT_EQ(legends(chart_families(pointers(groups), metric("kld_mean"), patterns)),
            (Legends{"ece8", "ece8:center=mean", "q4_0"}));
}

TEST(ChartFamilies, AChartOfAllStandsBesideOneOfSix) {
  const std::vector<StoredResults> stored = {crowded()};
  const std::vector<Chart> charts = hero_charts(group_results(stored));
  std::vector<std::string> names;
  for (const Chart& chart : charts) names.push_back(chart.name);
  EXPECT_EQ(names, (std::vector<std::string>{"kld_inforward", "kld_inforward_all",
                                             "delta_ppl_inforward", "delta_ppl_inforward_all"}));
  EXPECT_EQ(charts[0].panels[0].series.size(), 6u);
  EXPECT_EQ(charts[1].panels[0].series.size(), 8u);
  EXPECT_EQ(charts[0].front_name, "Pareto front of these 6 of 8 families");
  EXPECT_EQ(charts[1].front_name, "Pareto front");
  for (const ChartSeries& few : charts[0].panels[0].series) {
    for (const ChartSeries& all : charts[1].panels[0].series) {
      if (few.name != all.name) continue;
      EXPECT_EQ(few.colour, all.colour);
      EXPECT_EQ(few.marker, all.marker);
    }
  }
}

TEST(ChartFamilies, AChoiceMayNameWhatTheKeyShows) {
  const std::vector<StoredResults> stored = {crowded()};
  const std::vector<std::string> choices = {"ece8:* -> centred", "q4_0"};
  const std::vector<Chart> charts = hero_charts(group_results(stored), choices);
  std::vector<std::string> names;
  for (const ChartSeries& series : charts[0].panels[0].series) names.push_back(series.name);
  EXPECT_EQ(names, (std::vector<std::string>{"centred (bits)", "q4_0"}));
}

TEST(ChartFamilies, ChosenOnesHaveTheFirstMarkersOfTheirCodec) {
  const std::vector<StoredResults> stored = {crowded()};
  const std::vector<ResultGroup> groups = group_results(stored);
  const auto markers = [&](const std::string& chosen) {
    std::vector<int> found;
    for (const Chart& chart : hero_charts(groups, std::vector<std::string>{chosen})) {
      for (const ChartSeries& series : chart.panels[0].series) {
        if (series.name == chosen + " (bits)") found.push_back(series.marker);
      }
    }
    return found;
  };
  const int first = Looks().of("ece8").marker;
  for (const char* chosen : {"ece8", "ece8:center=mean"})  // in charts of it alone and of all
    EXPECT_EQ(markers(chosen), (std::vector<int>(4, first))) << chosen;
}

TEST(ChartFamilies, APatternOfNothingIsRefused) {
  const std::vector<StoredResults> stored = {crowded()};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<std::string> patterns = {"e8", "klt*"};
  EXPECT_THROW(hero_charts(groups, patterns), SpecError);
}

TEST(ChartFamilies, AFamilyAnswersToTheNameThatTablesShow) {
  EXPECT_TRUE(family_matches("klt:page=32", "klt:page=32,profile=0123456789abcdef"));
  EXPECT_TRUE(family_matches("klt", "klt:profile=0123456789abcdef"));
  EXPECT_FALSE(family_matches("klt", "klt:page=32,profile=0123456789abcdef"));
}

TEST(ChartFamilies, PatternsHaveStars) {
  for (const auto& [pattern, text] :
       std::vector<std::pair<std::string, std::string>>{{"e8", "e8"},
                                                        {"*", ""},
                                                        {"*", "e8:pack=joint"},
                                                        {"e8:*", "e8:pack=joint"},
                                                        {"*joint", "e8:pack=joint"},
                                                        {"e*p*t", "e8:pack=joint"}}) {
    EXPECT_TRUE(pattern_matches(pattern, text)) << pattern;
  }
  for (const auto& [pattern, text] : std::vector<std::pair<std::string, std::string>>{
           {"e8", "e8:pack=joint"}, {"", "e8"}, {"e8:*", "e8"}, {"e*z", "e8:pack=joint"}}) {
    EXPECT_FALSE(pattern_matches(pattern, text)) << pattern;
  }
}

}  // namespace
}  // namespace kakeya
