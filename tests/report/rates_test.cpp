// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rates.h"

#include <gtest/gtest.h>

#include <regex>
#include <tuple>

#include "kakeya/core/error.h"
#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/codec_tables.h"
#include "kakeya/report/comparison.h"
#include "kakeya/report/storage.h"
#include "kakeya/report/sweep_report.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

const std::vector<Cell>& row(const Table& table, const std::string& label) {
  for (const auto& cells : table.rows) {
    if (cells[0].text == label) return cells;
  }
  throw InputError("table " + table.name + " has no " + label);
}

TEST(Rates, FourKindsOverAllSamples) {
  Sample a, b;
  a.values = 100;
  a.bytes_written = 50;
  a.nominal_bits_per_value = 3;
  a.codebook_bits_per_value = 2;
  a.ledger_k.emplace().values = 60;
  a.ledger_k->entropy_bits = 120;
  a.ledger_k->payload_bits = 300;
  a.ledger_v.emplace().values = 40;
  a.ledger_v->entropy_bits = 60;
  a.ledger_v->scale_bits = 100;
  b = a;
  b.values = 300;
  b.nominal_bits_per_value = 5;
  b.codebook_bits_per_value.reset();
  const std::vector<const Sample*> one = {&a}, both = {&a, &b};
  const CodedRates rates = rates_of(one);
  EXPECT_DOUBLE_EQ(rates.measured, 4);
  EXPECT_DOUBLE_EQ(*rates.nominal, 3);
  EXPECT_DOUBLE_EQ(*rates.codebook, 2);
  EXPECT_DOUBLE_EQ(*rates.entropy, 1.8);
  EXPECT_DOUBLE_EQ(rates_of(both).measured, 2);
  EXPECT_DOUBLE_EQ(*rates_of(both).nominal, 4.5);
  EXPECT_FALSE(rates_of(both).codebook.has_value());
  b.ledger_v->entropy_bits.reset();
  EXPECT_FALSE(rates_of(both).entropy.has_value());
  b.ledger_v.reset();
  EXPECT_FALSE(rates_of(both).entropy.has_value());
  EXPECT_FALSE(sum_of_ledgers(both, &Sample::ledger_v).has_value());
  EXPECT_EQ(sum_of_ledgers(both, &Sample::ledger_k)->payload_bits, 600u);
}

TEST(Rates, TheLedgerAddsUpToTheRealBits) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  const std::vector<ResultGroup> groups = group_results(stored);
  const Table table = ledger_table(groups[0]);
  for (const auto& cells : table.rows) {
    double total = 0;
    for (std::size_t c = 2; c < 8; ++c) total += *cells[c].value;
    EXPECT_NEAR(total, *cells[1].value, 1e-12) << cells[0].text;
    EXPECT_NEAR(*cells[9].value, *cells[1].value, 1e-12);  // K and V wrote the same
    EXPECT_NEAR(*cells[10].value, *cells[1].value, 1e-12);
  }
  EXPECT_NEAR(*row(table, "e8:q=10")[3].value, 0.5, 1e-12);
  EXPECT_NEAR(*row(table, "e8:q=10")[8].value, 4.875 - 0.7, 1e-6);
  EXPECT_EQ(row(table, "fp8")[8].text, "-");
  EXPECT_EQ(table.columns[7].heading, "");  // no exact tokens, no column for them
  for (const auto& [sinks, residual_window, what] :
       {std::tuple(4, 0, "exact tokens: the sinks, in bf16"),
        std::tuple(0, 64, "exact tokens: the residual window, in bf16"),
        std::tuple(4, 64, "exact tokens: the sinks and the residual window, in bf16")}) {
    std::vector<StoredResults> kept = {synthetic::results("a", "inforward", 2)};
    kept[0].plan.policy.sinks = sinks;
    kept[0].plan.policy.residual_window = residual_window;
    const Table with = ledger_table(group_results(kept)[0]);
    EXPECT_EQ(with.columns[7].heading, "exact tokens");
    EXPECT_NE(with.note.find(what), std::string::npos) << with.note;
  }
}

TEST(Rates, SamplesWithoutLedgersShowNone) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  for (Sample& sample : stored[0].samples) {
    if (sample.key.codec_k == "e8:q=10") sample.ledger_k.reset();
  }
  const Table mixed = ledger_table(group_results(stored)[0]);
  EXPECT_NEAR(*row(mixed, "e8:q=10")[1].value, 4.875, 1e-6);
  for (std::size_t c = 2; c < mixed.columns.size(); ++c) {
    EXPECT_EQ(row(mixed, "e8:q=10")[c].text, "-");
  }
  EXPECT_NE(row(mixed, "e8:q=15")[2].text, "-");
  for (Sample& sample : stored[0].samples) sample.ledger_k.reset(), sample.ledger_v.reset();
  const SweepReport report = make_sweep_report(stored, {});
  EXPECT_EQ(report.details.find("### Where the measured bits go"), std::string::npos);
  EXPECT_NE(report.details.find("recorded no ledgers"), std::string::npos);
}

// 100 coded values, 20 of them exact, 30 in pages that are not full; 60 more that are skipped.
Sample small_sample() {
  Sample sample;
  sample.key.mode = "inforward";
  sample.values = 100;
  sample.bytes_written = 80;
  sample.bits_per_value = 6.4;
  sample.nominal_bits_per_value = (80 * 3.0 + 20 * 16) / 100;
  sample.ledger_k.emplace().exact_token_bits = 320;
  sample.ledger_v.emplace();
  sample.cache_values = 160;
  sample.cache_bytes = 80 + 120;
  sample.open_page = OpenPages{30, 15, 64};
  return sample;
}

TEST(Rates, OfTheWholeCacheTakeSkippedLayersAndOpenPagesAsBf16) {
  Sample sample = small_sample();
  const std::vector<const Sample*> one = {&sample};
  EXPECT_DOUBLE_EQ(rates_of(one).measured, 6.4);
  const CodedRates whole = rates_of(one, BitsOf::whole_cache);
  EXPECT_DOUBLE_EQ(whole.measured, 8 * (80 - 15 + 60 + 120) / 160.0);
  EXPECT_DOUBLE_EQ(*whole.nominal, (3.0 * 50 + 16.0 * (20 + 30 + 60)) / 160);
  EXPECT_FALSE(whole.codebook);
  sample.key.mode = "prefix";  // a finished cache ends in a short page
  EXPECT_DOUBLE_EQ(rates_of(one, BitsOf::whole_cache).measured, 10);
  sample.key.mode = "inforward";
  sample.open_page.reset();  // an older sample: as written
  EXPECT_DOUBLE_EQ(rates_of(one, BitsOf::whole_cache).measured, 10);
}

TEST(Rates, WholeCacheBitsThatLackTheOpenPageSaySo) {
  std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 2)};
  const auto cell_of = [&] { return whole_cache_cell(group_results(stored)[0].codecs.front()); };
  EXPECT_TRUE(cell_of().text.starts_with("≥ ")) << cell_of().text;
  for (Sample& sample : stored[0].samples) sample.open_page = OpenPages{};
  EXPECT_FALSE(cell_of().text.starts_with("≥")) << cell_of().text;
  for (Sample& sample : stored[0].samples) sample.whole_cache_bits_per_value = 3;
  EXPECT_THROW(group_results(stored), InputError);  // its bytes and values say another
}

TEST(Rates, WhatIsComparedMayBeOfTheWholeCache) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const ResultGroup coded = group_results(stored)[0],
                    whole = group_results(stored, BitsOf::whole_cache)[0];
  for (std::size_t i = 0; i < coded.codecs.size(); ++i) {
    EXPECT_EQ(coded.codecs[i].rates.measured, coded.codecs[i].coded_bits);
    EXPECT_EQ(whole.codecs[i].rates.measured, coded.codecs[i].whole_cache_bits);
    // 4 of 30 layers in bf16.
    EXPECT_NEAR(whole.codecs[i].rates.measured, (26 * coded.codecs[i].coded_bits + 4 * 16) / 30,
                1e-6);
  }
  EXPECT_EQ(codec_table(whole).columns[1].heading, "measured bits, whole cache");
  SweepReportOptions asked;
  asked.bits_of = BitsOf::whole_cache;
  asked.at_kl = {0.01};
  const SweepReport report = make_sweep_report(stored, {}, {}, {}, asked);
  const FamilyAtKl& first = report.at_kl[0][0];
  EXPECT_EQ(first.bits.rate, first.whole_cache.bits.rate);
  EXPECT_NEAR(first.bits.rate, (26 * first.coded.bits.rate + 4 * 16) / 30, 1e-6);
  EXPECT_EQ(report.charts[0].x_label, "measured bits per value of the whole cache");
  EXPECT_NE(report.details.find("by measured bits of the whole cache"), std::string::npos);
  EXPECT_THROW(parse_bits_of("all"), SpecError);
}

// No column of any table says "bits" without saying which.
TEST(Rates, EveryNumberOfBitsSaysWhich) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward"),
                                             synthetic::results("b", "distortion")};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<const ResultGroup*> members = {&groups[0]};
  const Metric& loss = metric("kld_mean");
  const std::regex bits("\\bbits|bits\\b"), kind("measured|nominal|codebook|entropy|whole-cache"),
      kept("real|charged|exact|entropy|written");  // the names of results.csv
  for (const Table& table :
       {codec_table(groups[0]), distortion_table(groups[1]), ledger_table(groups[0]),
        equal_kld_table(groups[0]), equal_bits_table(groups[0]), perplexity_budget_table(groups[0]),
        bd_rate_table(groups[0], loss, "d4", bd_rates(groups[0], loss, {})),
        paired_table(groups[0], loss, compare_with_baseline(groups[0], loss, {}), {}),
        storage_table(members)}) {
    std::size_t of_values = 0;
    for (const Column& column : table.columns) {
      of_values += column.heading.find("bits, coded values") != std::string::npos ||
                   column.heading.find("bits A, coded values") != std::string::npos;
      for (const auto& [text, which] :
           {std::pair(column.heading, kind), std::pair(column.quantity, kept)}) {
        EXPECT_TRUE(!std::regex_search(text, bits) || std::regex_search(text, which)) << text;
      }
    }
    EXPECT_EQ(of_values, 1u) << table.name;
    // Where codecs are compared, all four rates are there.
    std::string quantities;
    for (const Column& column : table.columns) quantities += column.quantity + "\n";
    for (const RateKind& each : rate_kinds()) {
      const bool of_ledger =
          table.name == "ledger" && each.name != "measured" && each.name != "entropy";
      EXPECT_NE(quantities.find(each.quantity) == std::string::npos, !of_ledger)
          << table.name << ": " << each.name;
    }
  }
}

}  // namespace
}  // namespace kakeya
