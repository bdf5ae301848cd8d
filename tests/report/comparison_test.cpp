// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kakeya/core/error.h"
#include "kakeya/report/codec_tables.h"
#include "kakeya/report/storage.h"
#include "kakeya/stats/holm.h"
#include "kakeya/stats/iso_quality.h"
#include "kakeya/stats/winner.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

/// The synthetic grid with noise taken out: KL divergence is factor x 60 x 4^-bits on every
/// passage, +-1 % to keep intervals finite.
StoredResults noiseless() {
  StoredResults results = synthetic::results("a", "inforward");
  for (const synthetic::Setting& setting : synthetic::grid()) {
    for (Sample& s : results.samples) {
      if (s.key.codec_k != setting.spec) continue;
      s.kld_mean = 60 * setting.factor * std::exp2(-2 * setting.bits) *
                   (s.key.passage % 2 == 0 ? 1.01 : 0.99);
    }
  }
  return results;
}

const Cell& cell(const Table& table, const std::string& row, const std::string& quantity) {
  for (const auto& cells : table.rows) {
    std::string label = cells[0].text;
    for (std::size_t c = 1; c < table.label_columns; ++c) label += " | " + cells[c].text;
    if (label != row) continue;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (table.columns[c].quantity == quantity) return cells[c];
    }
  }
  throw InputError("table " + table.name + " has no " + row + ", " + quantity);
}

constexpr char kReal[] = "real_bits_per_value (written)",
               kCharged[] = "charged_bits_per_value (published formula)",
               kExact[] = "exact_bits_per_value (log2 of the codebook)",
               kEntropy[] = "entropy_bits_per_value (order-0, of the indices alone)";

class Comparison : public testing::Test {
 protected:
  const std::vector<StoredResults> stored_ = {noiseless()};
  const std::vector<ResultGroup> groups_ = group_results(stored_);
};

// A factor f on the KL divergence is worth log4(f) bits: tq needs log4(1.45) = 0.268 bits more, d4
// log4(1.07) = 0.0488.
TEST_F(Comparison, RealBitsAtEqualKld) {
  const Table table = equal_kld_table(groups_[0]);
  for (const std::string row : {"e8:q=10", "e8:q=15", "e8:q=22", "e8:q=38"}) {
    const double reference = *cell(table, row + " | itself", kReal).value;
    EXPECT_NEAR(*cell(table, row + " | tq", kReal).value, reference + std::log2(1.45) / 2, 1e-4);
    EXPECT_NEAR(*cell(table, row + " | d4", kReal).value, reference + std::log2(1.07) / 2, 1e-4);
    const Cell& ratio = cell(table, row + " | d4", "ratio of real bits");
    EXPECT_NEAR(*ratio.value, 1 + std::log2(1.07) / 2 / reference, 1e-4);
    // Without noise between passages every resample says the same.
    EXPECT_NEAR(*cell(table, row + " | d4", "ratio of real bits, low end").value, *ratio.value,
                1e-4);
    EXPECT_NEAR(*cell(table, row + " | d4", "ratio of real bits, high end").value, *ratio.value,
                1e-4);
  }
  EXPECT_NEAR(*cell(table, "fp8 | e8", kReal).value, 8.51 - std::log2(60.0) / 2, 1e-4);
  EXPECT_EQ(table.rows.size(), 4 * 3u + 4);  // itself, d4, tq; and for fp8 e8 too
}

// Every rate is read off its own curve: a family that is charged more than it writes needs more
// nominal bits, and one whose settings have no entropy shows none.
TEST_F(Comparison, TheOtherRatesAtEqualKld) {
  const Table table = equal_kld_table(groups_[0]);
  const double real = *cell(table, "e8:q=22 | tq", kReal).value;
  EXPECT_NEAR(*cell(table, "e8:q=22 | tq", kCharged).value, real - 0.01, 1e-4);
  EXPECT_NEAR(*cell(table, "e8:q=22 | tq", kEntropy).value, real - 0.7, 1e-4);
  EXPECT_EQ(cell(table, "e8:q=22 | tq", kExact).text, "-");
  EXPECT_NEAR(*cell(table, "e8:q=22 | itself", kCharged).value, 6, 1e-9);
  EXPECT_EQ(cell(table, "fp8 | itself", kEntropy).text, "-");
}

TEST_F(Comparison, OutOfRangeIsSaidNotGuessed) {
  StoredResults results = noiseless();
  for (Sample& s : results.samples) {
    if (s.key.codec_k == "fp8") s.kld_mean = 1e-9;
  }
  const std::vector<StoredResults> stored = {results};
  const Table table = equal_kld_table(group_results(stored)[0]);
  EXPECT_EQ(cell(table, "fp8 | e8", kReal).text, "> 8.750");
  EXPECT_FALSE(cell(table, "fp8 | e8", kReal).value.has_value());
  EXPECT_EQ(cell(table, "fp8 | e8", "ratio of real bits").text, "-");
}

// The ratio's interval against its meaning: with noise it holds the true ratio and is about as wide
// as the noise of the fits allows; of few passages there is none.
TEST_F(Comparison, RatiosHaveAPairedInterval) {
  for (const int passages : {7, 24}) {
    const std::vector<StoredResults> stored = {
        synthetic::results("a", "inforward", passages, 60, 3)};
    const Table table = equal_kld_table(group_results(stored)[0]);
    const std::string row = "e8:q=22 | tq";
    const Cell &low = cell(table, row, "ratio of real bits, low end"),
               &high = cell(table, row, "ratio of real bits, high end");
    if (passages == 7) {
      EXPECT_EQ(low.text, "-");
      EXPECT_EQ(cell(table, row, "ratio of real bits").text.find('('), std::string::npos);
      continue;
    }
    const double truth = 1 + std::log2(1.45) / 2 / 5.875;
    EXPECT_LT(*low.value, truth);
    EXPECT_GT(*high.value, truth);
    // 8 % noise of a cell's own is log4(1.08) = 0.056 bit a passage; shared hardness drops out.
    EXPECT_GT(*high.value - *low.value, 0.3 * 4 * 0.056 / std::sqrt(24.0) / 5.875);
    EXPECT_LT(*high.value - *low.value, 2 * 4 * 0.056 / std::sqrt(24.0) / 5.875);
  }
}

TEST_F(Comparison, PublishedE8IsTheReferenceWhereItIsThere) {
  StoredResults results = noiseless();
  for (Sample s : noiseless().samples) {
    if (s.key.codec_k != "e8:q=10" && s.key.codec_k != "e8:q=38") continue;
    s.key.codec_k = s.key.codec_v = s.key.codec_k + ",rule=published";
    s.kld_mean = *s.kld_mean * 4;
    results.samples.push_back(s);
  }
  const std::vector<StoredResults> stored = {results};
  const Table table = equal_kld_table(group_results(stored)[0]);
  EXPECT_EQ(table.rows[0][0].text, "e8:q=10,rule=published");
  EXPECT_NEAR(*cell(table, "e8:q=10,rule=published | e8", kReal).value, 4.875 - 1, 1e-4);
}

// Peers in use are references at all their rates, whatever their keys; d4 is one at none.
TEST_F(Comparison, KiviAndKvtcAreReferencesToo) {
  StoredResults results = noiseless();
  const auto twin = [&](const std::string& of, const std::string& spec, double times) {
    for (Sample s : noiseless().samples) {
      if (s.key.codec_k != of) continue;
      s.key.codec_k = s.key.codec_v = spec;
      s.kld_mean = *s.kld_mean * times;
      results.samples.push_back(s);
    }
  };
  twin("e8:q=10", "kivi:b=3", 4);
  twin("e8:q=22", "kivi:b=4", 4);
  twin("e8:q=10", "kvtc:bits=3,page=64", 16);
  twin("e8:q=22", "kvtc:bits=4,page=64", 16);
  const std::vector<StoredResults> stored = {results};
  const Table table = equal_kld_table(group_results(stored)[0]);
  EXPECT_NEAR(*cell(table, "kivi:b=4 | e8", kReal).value, 5.875 - 1, 1e-4);
  EXPECT_NEAR(*cell(table, "kvtc:bits=4,page=64 | e8", kReal).value, 5.875 - 2, 1e-4);
  EXPECT_NEAR(*cell(table, "kvtc:bits=4,page=64 | kivi", kReal).value, 5.875 - 1, 1e-4);
  for (const auto& row : table.rows) EXPECT_NE(row[0].text.substr(0, 2), "d4");
}

/// The row of a budget and a family that this rule chose.
const std::vector<Cell>& rule_row(const Table& table, const std::string& budget,
                                  const std::string& family, const std::string& rule) {
  for (const auto& cells : table.rows) {
    if (cells[0].text != budget || cells[1].text != family) continue;
    if (cells[2].text == "all" || cells[2].text.find(rule) != std::string::npos) return cells;
  }
  throw InputError("no row of " + budget + ", " + family + ", " + rule);
}

// Every rule against a direct search over the samples.
TEST_F(Comparison, PerplexityBudget) {
  const ResultGroup& group = groups_[0];
  const Table table = perplexity_budget_table(group, "d4");
  const std::map<std::string, double> budgets = {
      {"0.5 %", 0.005}, {"1 %", 0.01}, {"2 %", 0.02}, {"5 %", 0.05}};
  for (const auto& [name, budget] : budgets) {
    for (const std::string& family : group.families()) {
      double sure = 0, isotonic = 0, lucky = 0;
      std::vector<double> means, ones;
      std::vector<const CodecResult*> settings;
      for (const CodecResult& codec : group.codecs) {
        if (codec.family == family) settings.push_back(&codec), ones.push_back(1);
      }
      std::sort(settings.begin(), settings.end(),
                [](auto* a, auto* b) { return a->rates.measured < b->rates.measured; });
      for (const CodecResult* codec : settings)
        means.push_back(t_interval(series(*codec, metric("abs_delta_ppl"))).mean);
      const std::vector<double> fit = isotonic_decreasing(means, ones);
      for (std::size_t i = 0; i < settings.size(); ++i) {
        const double ratio = 30.0 * 16 / (26 * settings[i]->rates.measured + 4 * 16);
        const double half_width =
            t_interval(series(*settings[i], metric("abs_delta_ppl"))).half_width;
        if (means[i] + half_width <= budget) sure = std::max(sure, ratio);
        if (fit[i] <= budget) isotonic = std::max(isotonic, ratio);
        if (means[i] <= budget) lucky = std::max(lucky, ratio);
      }
      const std::pair<const char*, double> expected[] = {
          {"mean + half width", sure}, {"isotonic mean", isotonic}, {"mean (published)", lucky}};
      for (const auto& [rule, ratio] : expected) {
        const Cell& found = rule_row(table, name, family, rule)[4];
        if (ratio == 0) {
          EXPECT_EQ(found.text, "-") << name << family << rule;
        } else {
          EXPECT_NEAR(found.value.value_or(0), ratio, 1e-9) << name << family << rule;
        }
      }
    }
  }
  EXPECT_EQ(rule_row(table, "0.5 %", "fp8", "mean + half width")[3].text, "none");
}

// The advantage by the published rule and its luck: as winner_advantage() says of the same numbers.
TEST_F(Comparison, AdvantageWithinABudgetHasAnInterval) {
  const ResultGroup& group = groups_[0];
  std::vector<RatedSetting> e8, d4;
  for (const CodecResult& codec : group.codecs) {
    const RatedSetting setting = {30.0 * 16 / (26 * codec.rates.measured + 4 * 16),
                                  series(codec, metric("abs_delta_ppl"))};
    if (codec.family == "e8") e8.push_back(setting);
    if (codec.family == "d4") d4.push_back(setting);
  }
  const auto expected = winner_advantage(e8, d4, 0.05, 2000, 1);
  ASSERT_TRUE(expected);
  const Table table = perplexity_budget_table(group, "d4");
  const auto& row = rule_row(table, "5 %", "e8", "mean (published)");
  ASSERT_GE(row.size(), 3u);
  EXPECT_NEAR(row[row.size() - 3].value.value_or(9), expected->advantage, 1e-9);
  EXPECT_NEAR(row[row.size() - 2].value.value_or(9), expected->interval.low, 1e-9);
  EXPECT_NEAR(row[row.size() - 1].value.value_or(9), expected->interval.high, 1e-9);
  EXPECT_EQ(
      rule_row(perplexity_budget_table(group, "d4"), "5 %", "d4", "mean (published)").back().text,
      "-");
  EXPECT_EQ(rule_row(perplexity_budget_table(group), "5 %", "e8", "mean (published)").back().text,
            "-");
}

TEST_F(Comparison, PairsAtEqualRealBits) {
  const Table table = equal_bits_table(groups_[0]);
  const std::string row = "e8:q=38 | d4:q=38";
  EXPECT_EQ(cell(table, row, "verdict").text, "A");
  const Cell& difference = cell(table, row, "kld_mean of A - B, paired (nats)");
  EXPECT_NEAR(*difference.value, 60 * (std::exp2(-2 * 6.75) - 1.07 * std::exp2(-2 * 6.73)), 1e-7);
  EXPECT_EQ(difference.samples, 8u);
  // At equal rate only the factor is left.
  const Cell& ratio =
      cell(table, row, "log2(kld of A / kld of B) + 2 (real bits of A - real bits of B), paired");
  EXPECT_NEAR(*ratio.value, -std::log2(1.07), 1e-4);
  for (const auto& cells : table.rows)
    EXPECT_LE(std::fabs(*cells[2].value / *cells[6].value - 1), 0.0513);
  // Both rates of both.
  EXPECT_NEAR(*cell(table, row, "real_bits_per_value of A (written)").value, 6.75, 1e-6);
  EXPECT_NEAR(*cell(table, row, "charged_bits_per_value of A (published formula)").value, 6.875,
              1e-9);
  EXPECT_NEAR(*cell(table, row, "real_bits_per_value of B (written)").value, 6.73, 1e-6);
  EXPECT_NEAR(*cell(table, row, "charged_bits_per_value of B (published formula)").value, 6.75,
              1e-9);
  EXPECT_NEAR(
      *cell(table, row, "entropy_bits_per_value of B (order-0, of the indices alone)").value, 6.03,
      1e-6);
  // All pairs are corrected together: no verdict without a corrected p-value below 5 %.
  std::vector<double> p_values;
  for (const auto& cells : table.rows) p_values.push_back(*cells[14].value);
  const std::vector<double> adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < adjusted.size(); ++i) {
    EXPECT_EQ(*table.rows[i][15].value, adjusted[i]);
    EXPECT_EQ(table.rows[i][16].text == "not resolved", adjusted[i] >= 0.05);
  }
  EXPECT_THROW(cell(table, "e8:q=10 | tq:b=4", "verdict"),
               InputError);  // 4.875 against 4.51 bits: 7.8 %
}

TEST_F(Comparison, StandingsUsePairedSamples) {
  const ResultGroup& group = groups_[0];
  const std::vector<Standing> standing = standings(group, metric("kld_mean"));
  for (std::size_t i = 0; i < group.codecs.size(); ++i) {
    const std::string& label = group.codecs[i].label;
    if (label == "fp8" || label == "tq:b=3") {
      EXPECT_EQ(standing[i], Standing::dominated) << label;
    }
    if (group.codecs[i].family == "e8") {
      EXPECT_EQ(standing[i], Standing::front) << label;
    }
  }
}

// A point that many others seem to beat, each at p = 3 %, is not beaten: corrected for their number
// none is sure. Alone, one such test would have been.
TEST_F(Comparison, StandingsAreCorrectedForTheNumberOfPairs) {
  for (const int rivals : {1, 8}) {
    StoredResults results = synthetic::results("a", "inforward", 8);
    const std::vector<Sample> all = results.samples;
    results.samples.clear();
    for (const Sample& sample : all) {
      if (sample.key.codec_k != "e8:q=38") continue;
      results.samples.push_back(sample);
      results.samples.back().kld_mean = 1.0;
      for (int rival = 0; rival < rivals; ++rival) {
        Sample better = sample;
        better.key.codec_k = better.key.codec_v = "d4:q=" + std::to_string(30 + rival);
        // -0.1 +- 0.1 over 8 passages: t = -sqrt(7) = -2.65, p = 0.033.
        better.kld_mean = 1.0 - (sample.key.passage % 2 == 0 ? 0.2 : 0.0);
        results.samples.push_back(better);
      }
    }
    const std::vector<StoredResults> stored = {results};
    const ResultGroup group = group_results(stored)[0];
    const std::vector<Standing> standing = standings(group, metric("kld_mean"));
    for (std::size_t i = 0; i < standing.size(); ++i) {
      if (group.codecs[i].family != "e8") continue;
      EXPECT_EQ(standing[i], rivals == 1 ? Standing::dominated : Standing::unresolved);
    }
  }
}

// 30 layers x 2 x 3 heads x 64 at 131072 tokens is 2880 MiB of bf16; 4 layers stay bf16.
TEST_F(Comparison, Storage) {
  const std::vector<const ResultGroup*> members = {&groups_[0]};
  const Table table = storage_table(members);
  const double mib = 1024 * 1024;
  EXPECT_DOUBLE_EQ(*cell(table, "identity", "bf16_bytes").value, 2880 * mib);
  EXPECT_DOUBLE_EQ(*cell(table, "identity", "bytes").value, 2880 * mib);
  EXPECT_NEAR(*cell(table, "e8:q=10", "bytes").value,
              (2880.0 * 26 / 30 * 4.875 / 16 + 2880.0 * 4 / 30) * mib, 0.001 * mib);
  SweepPlan plan = stored_[0].plan;
  plan.policy.sinks = 4;
  CodecResult codec = groups_[0].codecs[0];
  // 4 of 2112 tokens exact: the rest carries what is left of the measured bits, and at 131072
  // tokens the sinks all but vanish.
  const double rest = (codec.rates.measured * 2112 - 16 * 4) / 2108;
  EXPECT_NEAR(cache_storage(plan, codec, 131072).bytes,
              11520.0 / 30 * (26 * (131068 * rest / 8 + 4 * 2) + 4 * 131072 * 2.0), 1);
  // With a window of 512 in layers 0 to 9, of which two are skipped: no sinks are left
  // there.
  plan.windows = {512, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  EXPECT_NEAR(cache_storage(plan, codec, 131072).bytes,
              11520.0 / 30 *
                  (18 * (131068 * rest / 8 + 4 * 2) + 2 * 131072 * 2.0 + 8 * 512 * rest / 8 +
                   2 * 512 * 2.0),
              1);
  EXPECT_DOUBLE_EQ(cache_storage(plan, codec, 131072).bf16_bytes,
                   384.0 * 2 * (20 * 131072 + 10 * 512));
  // A residual window is exact like sinks, and in windows too; a window within it is bf16.
  plan.policy.residual_window = 60;
  const double coded = (codec.rates.measured * 2112 - 16 * 64) / 2048;
  EXPECT_NEAR(cache_storage(plan, codec, 131072).bytes,
              11520.0 / 30 *
                  (18 * (131008 * coded / 8 + 64 * 2) + 2 * 131072 * 2.0 +
                   8 * (452 * coded / 8 + 60 * 2) + 2 * 512 * 2.0),
              1);
  plan.policy.residual_window = 600;
  const double fewer = (codec.rates.measured * 2112 - 16 * 604) / 1508;
  EXPECT_NEAR(
      cache_storage(plan, codec, 131072).bytes,
      11520.0 / 30 * (18 * (130468 * fewer / 8 + 604 * 2) + 2 * 131072 * 2.0 + 10 * 512 * 2.0), 1);
  plan.policy.residual_window = 2108;
  EXPECT_THROW(cache_storage(plan, codec, 131072), InputError);
  plan.policy.residual_window = 0;
  plan.windows.tokens = 200000;  // longer than the text
  EXPECT_DOUBLE_EQ(cache_storage(plan, codec, 131072).bf16_bytes, 2880 * mib);
  plan.policy.skipped_layers = 15;
  EXPECT_THROW(cache_storage(plan, codec, 131072), InputError);
}

}  // namespace
}  // namespace kakeya
