// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/against_baseline.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/sweep_report.h"
#include "kakeya/stats/holm.h"
#include "report/noiseless.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

using synthetic::add;
using synthetic::noiseless;
using synthetic::setting;
using Verdict = BaselineComparison::Verdict;

const Metric& kld() { return metric("kld_mean"); }

// On 4^-bits the baseline between its settings is known, so that only the factors are left: 1 of
// e8, 1.45 of tq, 60 of fp8 over 1.07.
TEST(AgainstBaseline, OnlyTheFactorsAreLeft) {
  const std::vector<StoredResults> stored = {noiseless()};
  const ResultGroup group = group_results(stored)[0];
  const BaselineComparisons comparisons = compare_with_baseline(group, kld(), {});
  EXPECT_EQ(comparisons.baseline, "d4");
  EXPECT_TRUE(comparisons.left_out.empty());
  EXPECT_EQ(comparisons.settings.size(), 8u + 7 + 1);
  for (const auto& [label, factor] : {std::pair("e8:q=10", 1.0), std::pair("e8:q=76", 1.0),
                                      std::pair("tq:b=5", 1.45), std::pair("fp8", 60.0)}) {
    const BaselineComparison& each = setting(comparisons, label);
    EXPECT_NE(each.below, each.above);
    EXPECT_EQ(each.passages.size(), 8u);
    EXPECT_NEAR(each.log2_loss.test.difference.mean, std::log2(factor / 1.07), 1e-6) << label;
    EXPECT_NEAR(each.log2_loss.test.difference.half_width, 0, 1e-9);
    EXPECT_NEAR(each.log2_loss.bca->low, std::log2(factor / 1.07), 1e-6);
  }
  // 1 / 1.07 is less, but less than 4^0.1 = 1.149 less.
  EXPECT_EQ(setting(comparisons, "e8:q=10").verdict, Verdict::better_within);
  EXPECT_EQ(setting(comparisons, "tq:b=5").verdict, Verdict::worse);
  EXPECT_EQ(compare_with_baseline(group, kld(), {"", 0.04}).settings[2].verdict, Verdict::better);
  EXPECT_THROW(compare_with_baseline(group, kld(), {"", 0}), SpecError);
}

TEST(AgainstBaseline, TheBaselineCanBeChosen) {
  std::vector<StoredResults> stored = {noiseless()};
  ResultGroup group = group_results(stored)[0];
  EXPECT_EQ(baseline_family(group, kld(), {}), "d4");
  const BaselineComparisons by_tq = compare_with_baseline(group, kld(), {.baseline = "tq"});
  EXPECT_EQ(by_tq.baseline, "tq");
  EXPECT_NEAR(setting(by_tq, "e8:q=10").log2_loss.test.difference.mean, -std::log2(1.45), 1e-6);
  for (const char* wrong : {"d5", "identity"}) {
    EXPECT_THROW(baseline_family(group, kld(), {.baseline = wrong}), SpecError) << wrong;
  }
  std::erase_if(stored[0].samples, [](const Sample& s) { return s.key.codec_k[0] == 'd'; });
  group = group_results(stored)[0];
  EXPECT_EQ(baseline_family(group, kld(), {}), "e8");
  std::erase_if(stored[0].samples, [](const Sample& s) { return s.key.codec_k[0] == 'e'; });
  group = group_results(stored)[0];
  EXPECT_EQ(baseline_family(group, kld(), {}), "tq");  // the most settings
}

// With noise: one setting's row recomputed from the samples, and the corrections over all rows.
TEST(AgainstBaseline, OneRowByHand) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 24, 60, 5)};
  const ResultGroup group = group_results(stored)[0];
  const BaselineComparisons comparisons = compare_with_baseline(group, kld(), {});
  const BaselineComparison& each = setting(comparisons, "tq:b=5");
  ASSERT_LE(each.below->rates.measured, each.codec->rates.measured);
  ASSERT_GE(each.above->rates.measured, each.codec->rates.measured);
  const double share = (each.codec->rates.measured - each.below->rates.measured) /
                       (each.above->rates.measured - each.below->rates.measured);
  const std::vector<double> own = series(*each.codec, kld()), below = series(*each.below, kld()),
                            above = series(*each.above, kld()),
                            own_ppl = series(*each.codec, metric("delta_ppl")),
                            below_ppl = series(*each.below, metric("delta_ppl")),
                            above_ppl = series(*each.above, metric("delta_ppl"));
  const double mean_below = t_interval(below).mean, mean_above = t_interval(above).mean;
  const double there = std::exp((1 - share) * std::log(mean_below) + share * std::log(mean_above));
  const double weight = (mean_below - there) / (mean_below - mean_above);
  std::vector<double> logs, signs, folds;
  for (std::size_t i = 0; i < own.size(); ++i) {
    logs.push_back(std::log2(own[i] / (std::pow(below[i], 1 - share) * std::pow(above[i], share))));
    signs.push_back(own_ppl[i] - (1 - weight) * below_ppl[i] - weight * above_ppl[i]);
    folds.push_back(std::fabs(own_ppl[i]) - (1 - weight) * std::fabs(below_ppl[i]) -
                    weight * std::fabs(above_ppl[i]));
  }
  EXPECT_NEAR(each.log2_loss.test.difference.mean, t_interval(logs).mean, 1e-12);
  EXPECT_NEAR(each.log2_loss.test.difference.half_width, t_interval(logs).half_width, 1e-12);
  EXPECT_NEAR(each.log2_loss.bca->low, bca_mean_interval(logs, 2000, 1).low, 1e-9);
  EXPECT_NEAR(each.delta_ppl->test.difference.mean, t_interval(signs).mean, 1e-12);
  EXPECT_NEAR(each.delta_ppl->test.difference.half_width, t_interval(signs).half_width, 1e-12);
  EXPECT_NEAR(each.abs_delta_ppl->test.difference.mean, t_interval(folds).mean, 1e-12);
  EXPECT_NEAR(each.equivalence.p_value(), equivalence_test(logs, 0.2).p_value(), 1e-12);
  std::vector<double> p_values, equivalences;
  for (const BaselineComparison& other : comparisons.settings) {
    p_values.push_back(other.log2_loss.test.p_value);
    equivalences.push_back(other.equivalence_p);
    EXPECT_GT(other.log2_loss.detectable_holm, other.log2_loss.detectable);
  }
  for (std::size_t i = 0; i < p_values.size(); ++i) {
    EXPECT_EQ(comparisons.settings[i].log2_loss.holm, holm_adjusted(p_values)[i]);
    EXPECT_EQ(comparisons.settings[i].equivalence_holm, holm_adjusted(equivalences)[i]);
  }
}

// Cheaper than all of the baseline's settings, 3.48 bits on: only some findings say something.
TEST(AgainstBaseline, OutOfTheBaselinesRange) {
  StoredResults results = noiseless();
  const auto times = [](double factor, double wiggle) {
    return [=](const Sample& s) {
      return *s.kld_mean * factor * (s.key.passage % 4 < 2 ? 1 + wiggle : 1 - wiggle);
    };
  };
  add(results, "lloyd:b=1", "d4:q=4", 2, times(0.5, 0.05));
  add(results, "lloyd:b=2", "d4:q=4", 2.1, times(2, 0.05));
  add(results, "lloyd:b=3", "d4:q=4", 2.2, times(1, 0.05));
  add(results, "lloyd:b=4", "d4:q=4", 2.3, times(1, 0.9));
  add(results, "lloyd:b=5", "d4:q=152", 10, times(2, 0.05));
  add(results, "lloyd:b=6", "d4:q=152", 11, times(0.5, 0.05));
  const std::vector<StoredResults> stored = {results};
  const ResultGroup group = group_results(stored)[0];
  const ComparisonOptions options;
  const BaselineComparisons comparisons = compare_with_baseline(group, kld(), options);
  EXPECT_NEAR(setting(comparisons, "lloyd:b=1").bits_apart(), 2 - 3.48, 1e-6);
  EXPECT_EQ(setting(comparisons, "lloyd:b=1").above->label, "d4:q=4");
  const std::pair<const char*, const char*> expected[] = {
      {"lloyd:b=1", "**better, at fewer bits**"}, {"lloyd:b=2", "trade-off: fewer bits, more loss"},
      {"lloyd:b=3", "no worse, at fewer bits"},   {"lloyd:b=4", "not resolved, at fewer bits"},
      {"lloyd:b=5", "worse, at more bits"},       {"lloyd:b=6", "trade-off: more bits, less loss"}};
  const Table table = paired_table(group, kld(), comparisons, options);
  for (const auto& [label, verdict] : expected) {
    for (const auto& row : table.rows) {
      if (row[0].text == label) {
        EXPECT_EQ(row[10].text, verdict) << label;
      }
    }
  }
  const std::string in_short =
      comparison_in_short(kld(), bd_rates(group, kld(), options), comparisons, options);
  EXPECT_NE(in_short.find("; 1 no worse, at fewer bits;"), std::string::npos) << in_short;
  EXPECT_EQ(setting(comparisons, "lloyd:b=1").verdict, Verdict::better);
  EXPECT_EQ(setting(comparisons, "lloyd:b=3").verdict, Verdict::equivalent);
}

// A copy of the baseline with noise of 1 % is found equivalent; with noise of 60 % nothing is.
TEST(AgainstBaseline, EquivalenceNeedsData) {
  StoredResults results = noiseless();
  const auto noise = [](double size) {
    return [=](const Sample& s) {
      return *s.kld_mean * (s.key.passage % 4 < 2 ? 1 + size : 1 - size);
    };
  };
  add(results, "lloyd:b=3", "d4:q=10", 4.73, noise(0.01));
  add(results, "lloyd:b=4", "d4:q=10", 4.73, noise(0.6));
  const std::vector<StoredResults> stored = {results};
  const ResultGroup group = group_results(stored)[0];
  const BaselineComparisons comparisons = compare_with_baseline(group, kld(), {});
  EXPECT_EQ(setting(comparisons, "lloyd:b=3").verdict, Verdict::equivalent);
  EXPECT_EQ(setting(comparisons, "lloyd:b=4").verdict, Verdict::unresolved);
}

TEST(AgainstBaseline, WhatCannotBeComparedIsNamed) {
  StoredResults results = noiseless();
  add(results, "lloyd:b=3", "d4:q=10", 5,
      [](const Sample& s) { return s.key.passage == 3 ? 0 : *s.kld_mean; });
  std::erase_if(results.samples,
                [](const Sample& s) { return s.key.codec_k == "fp8" && s.key.passage > 0; });
  const std::vector<StoredResults> stored = {results};
  const ResultGroup group = group_results(stored)[0];
  const BaselineComparisons comparisons = compare_with_baseline(group, kld(), {});
  EXPECT_EQ(comparisons.left_out, (std::vector<std::string>{"fp8", "lloyd:b=3"}));
  EXPECT_NE(paired_table(group, kld(), comparisons, {}).note.find("fp8; lloyd:b=3"),
            std::string::npos);
}

// A factor f on the KL divergence costs log4(f) bits; the interval has no width without noise.
TEST(AgainstBaseline, BdRatesOfFamilies) {
  const std::vector<StoredResults> stored = {noiseless()};
  const ResultGroup group = group_results(stored)[0];
  const std::vector<FamilyBdRate> rates = bd_rates(group, kld(), {});
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0].family, "e8");  // fewest bits first, without a rate last
  EXPECT_EQ(rates[1].family, "tq");
  EXPECT_EQ(rates[2].family, "fp8");
  EXPECT_FALSE(rates[2].measured);
  EXPECT_NEAR(rates[0].measured->bits, -std::log2(1.07) / 2, 1e-6);
  EXPECT_NEAR(rates[1].measured->bits, std::log2(1.45 / 1.07) / 2, 1e-6);
  EXPECT_LT(rates[0].measured->ratio, 1);
  EXPECT_NEAR(rates[1].range->low, rates[1].measured->ratio, 1e-6);
  EXPECT_NEAR(rates[1].range->high, rates[1].measured->ratio, 1e-6);
  EXPECT_EQ(rates[1].ratios.size(), rate_kinds().size());
  EXPECT_EQ(*rates[1].ratios[0], rates[1].measured->ratio);
  EXPECT_FALSE(rates[1].ratios[2]);  // no exact rates recorded
  const Table table = bd_rate_table(group, kld(), "d4", rates);
  EXPECT_EQ(table.rows[2][2].text, "-");
  EXPECT_NEAR(*table.rows[1][2].value, rates[1].measured->ratio - 1, 1e-15);
}

TEST(AgainstBaseline, FewPassagesHaveNoBootstrap) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 7)};
  const ResultGroup group = group_results(stored)[0];
  EXPECT_FALSE(bd_rates(group, kld(), {})[0].range);
  EXPECT_FALSE(compare_with_baseline(group, kld(), {}).settings[0].log2_loss.bca);
  const std::vector<StoredResults> one = {synthetic::results("a", "inforward", 1)};
  EXPECT_TRUE(compare_with_baseline(group_results(one)[0], kld(), {}).settings.empty());
}

// Folders without likelihoods are compared by both distortions.
TEST(AgainstBaseline, DistortionsAreComparedToo) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "distortion")};
  const std::string markdown = make_sweep_report(stored, {}).details;
  for (const char* part :
       {"### Bits at equal rel-MSE K, on average: BD-rate against d4",
        "### Paired comparisons with d4 at equal measured bits of the coded values, rel-MSE V"}) {
    EXPECT_NE(markdown.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(markdown.find("less the baseline's"), std::string::npos);
  EXPECT_NE(make_sweep_report(stored, {}, {.baseline = "tq"}).details.find("BD-rate against tq"),
            std::string::npos);
  EXPECT_THROW(make_sweep_report(stored, {}, {.baseline = "nothing"}), SpecError);
}

}  // namespace
}  // namespace kakeya
