// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/rate_distortion_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kakeya/core/error.h"
#include "kakeya/measure/synthetic.h"
#include "kakeya/report/looks.h"
#include "kakeya/report/rate_distortion/attention_table.h"
#include "kakeya/report/rate_distortion/charts.h"
#include "kakeya/report/rate_distortion/tables.h"

namespace kakeya {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The same numbers as values whose independence is not known, as captured ones are.
class Unknown : public VectorSource {
 public:
  explicit Unknown(std::unique_ptr<VectorSource> inner) : inner_(std::move(inner)) {
    facts_ = inner_->facts();
    facts_.name = "k";
    facts_.title = "K of something";
    facts_.entropy_power.reset();
  }
  const SourceFacts& facts() const override { return facts_; }
  Slab slab(std::size_t index) const override { return inner_->slab(index); }

 private:
  std::unique_ptr<VectorSource> inner_;
  SourceFacts facts_;
};

std::vector<SourceResult> results() {
  SourceFacts facts;
  facts.dim = 64;
  std::vector<LeftOut> left_out;
  const std::vector<std::string> specs = {"identity", "e8:q=4", "e8:q=10", "e8:q=38",
                                          "tq:b=2",   "tq:b=3", "tq:b=6"};
  const auto codecs = build_codecs(specs, facts, left_out);
  std::vector<SourceResult> made;
  for (const char* name : {"gaussian", "laplace"})
    made.push_back(measure(*make_synthetic(name, 64, 500, 1), codecs, 1));
  made.push_back(measure(Unknown(make_synthetic("gaussian", 64, 500, 1)), codecs, 1));
  return made;
}

const Cell& cell(const Table& table, const std::string& row, const std::string& quantity) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].quantity.rfind(quantity, 0) != 0) continue;
    for (const auto& cells : table.rows) {
      if (cells[0].text == row) return cells[c];
    }
  }
  throw InputError(table.name + ": no " + quantity + " of " + row);
}

TEST(TradeoffTables, PointsHoldEveryRateAndGap) {
  const std::vector<SourceResult> made = results();
  const Table gaussian = points_table(made[0]), laplace = points_table(made[1]),
              captured = points_table(made[2]);
  const RatePoint& e8 = made[0].points[2];
  ASSERT_EQ(e8.spec, "e8:q=10");
  EXPECT_EQ(*cell(gaussian, "e8:q=10", "real_bits").value, e8.measured_bits_per_value());
  EXPECT_DOUBLE_EQ(*cell(gaussian, "e8:q=10", "charged_bits").value, (8 * 36 + 32) / 64.0);
  EXPECT_NEAR(*cell(gaussian, "e8:q=10", "exact_bits").value,
              (8 * std::log2((std::pow(21.0, 8) + 1) / 2 + std::pow(20.0, 8) / 2) + 32) / 64, 1e-6);
  EXPECT_EQ(*cell(gaussian, "e8:q=10", "rel_mse").value, e8.distortion.rel_mse());
  EXPECT_TRUE(cell(gaussian, "e8:q=10", "rel_mse").half_width.has_value());
  EXPECT_EQ(*cell(gaussian, "e8:q=10", "gap_to_white").value, e8.gap_db());
  EXPECT_DOUBLE_EQ(*cell(gaussian, "e8:q=10", "sqnr").value, e8.distortion.sqnr_db());
  double split = 0;
  for (const char* part : {"payload", "scale", "header", "table", "padding"})
    split += *cell(gaussian, "e8:q=10", std::string(part) + "_bits").value;
  EXPECT_NEAR(split, e8.measured_bits_per_value(), 1e-12);

  // Of the Gaussian both bounds are one; below that of others lies Shannon's lower bound.
  EXPECT_THROW(cell(gaussian, "e8:q=10", "gap_to_shannon_lower"), InputError);
  EXPECT_NEAR(*cell(laplace, "e8:q=10", "gap_to_shannon_lower").value -
                  *cell(laplace, "e8:q=10", "gap_to_white").value,
              -10 * std::log10(std::exp(1.0) / std::acos(-1.0)), 1e-9);
  // White data: water-filling over the sample's spectrum is a little below the white bound.
  const double more = *cell(captured, "e8:q=10", "gap_to_water_filling_uncentred").value -
                      *cell(captured, "e8:q=10", "gap_to_white").value;
  EXPECT_GT(more, 0);
  EXPECT_LT(more, 0.5);
}

TEST(TradeoffTables, EqualRateStaysWithinAFamily) {
  const Table table = equal_rate_table(results()[0]);
  ASSERT_EQ(table.rows.size(), 2u);  // identity is alone
  EXPECT_EQ(table.rows[0][0].text, "e8");
  EXPECT_EQ(cell(table, "e8", "gap_to_white_gaussian at 2 ").text, "-");  // e8 begins at 3.9
  EXPECT_TRUE(cell(table, "e8", "gap_to_white_gaussian at 5 ").value.has_value());
  EXPECT_TRUE(cell(table, "tq", "gap_to_white_gaussian at 3 ").value.has_value());
}

// What cannot be interpolated stands there as it was measured, and no codec is left out.
TEST(TradeoffTables, CodecsOfOneSettingAreOnTheFrontPage) {
  SourceFacts facts;
  facts.dim = 64;
  std::vector<LeftOut> left_out;
  const std::vector<std::string> specs = {"identity", "q8_0",   "e8:q=4",
                                          "e8:q=10",  "tq:b=2", "tq:b=3"};
  const auto codecs = build_codecs(specs, facts, left_out);
  const std::vector<SourceResult> made = {
      measure(*make_synthetic("gaussian", 64, 500, 1), codecs, 1)};
  const Table table = gaps_table(made);
  ASSERT_EQ(table.rows.size(), 2u);  // identity is a control; tq ends below 4 bits
  const RatePoint& alone = made[0].points[1];
  EXPECT_EQ(table.rows[0][0].text, "q8_0");
  EXPECT_EQ(table.rows[0][1].text,
            fmt::format("{:.2f} ({:.2f} bits)", alone.gap_db(), alone.measured_bits_per_value()));
  EXPECT_EQ(table.rows[1][0].text, "e8");
  EXPECT_TRUE(table.rows[1][1].value.has_value());
}

// No column is of bits alone: measured, nominal, codebook, entropy or effective ones.
TEST(TradeoffTables, EveryRateSaysWhichItIs) {
  const std::vector<SourceResult> made = results();
  std::size_t rates = 0;
  for (const Table& table : {points_table(made[2]), equal_rate_table(made[0])}) {
    for (const Column& column : table.columns) {
      if (!holds(column.heading, "bits")) continue;
      ++rates;
      bool named = false;
      for (const char* kind : {"measured", "nominal", "codebook", "entropy", "effective"})
        named |= holds(column.heading, std::string(kind) + " bits");
      EXPECT_TRUE(named) << column.heading;
    }
  }
  EXPECT_GE(rates, 10u);
}

TEST(TradeoffCharts, OnePanelASourceAndNothingSquashed) {
  const std::vector<Chart> charts = tradeoff_charts(results());
  ASSERT_EQ(charts.size(), 3u);
  EXPECT_EQ(charts[0].panels.size(), 3u);
  EXPECT_TRUE(charts[0].logarithmic);
  EXPECT_EQ(charts[1].panels.size(), 2u);
  EXPECT_FALSE(charts[1].logarithmic);
  EXPECT_EQ(charts[2].panels.size(), 1u);
  EXPECT_EQ(charts[0].panels[0].series.size(), 2u);  // identity has 16 bits
  EXPECT_EQ(charts[0].panels[0].references.size(), 1u);
  EXPECT_EQ(charts[0].panels[1].references.size(), 2u);
  EXPECT_EQ(charts[0].panels[2].references.size(), 3u);
  EXPECT_TRUE(holds(charts[1].subtitle, "above 10 dB: tq"));
  EXPECT_EQ(charts[1].panels[0].series[1].points.size(), 2u);  // of tq, without b=2
  for (const auto& [bits, gap] : charts[1].panels[0].references[0].points) {
    EXPECT_NEAR(gap, 0, 1e-9) << bits;
  }
  // One look a family in every panel.
  EXPECT_EQ(charts[0].panels[0].series[0].colour, charts[0].panels[2].series[0].colour);
  EXPECT_EQ(charts[0].panels[0].series[0].colour, Looks().of("e8").colour);  // that of all reports
  EXPECT_NE(charts[0].panels[0].series[0].colour, charts[0].panels[0].series[1].colour);
}

/// Of a dump of two layers of four.
AttentionResult attention() {
  AttentionResult made;
  made.name = "dump";
  made.title = "something";
  made.scale = 0.125;
  made.shape = {4, 2, 8, 64};
  made.layers = {0, 3};
  made.passages = 2;
  made.tokens = 250;
  made.points = {
      {"identity", t_interval(std::vector<double>{0, 0}), {0, 0}, {0, 0}},
      {"e8:q=10", t_interval(std::vector<double>{0.01, 0.02}), {0.01, 0.02}, {0.005, 0.025}}};
  return made;
}

TEST(TradeoffTables, AttentionOfADumpStandsBesideItsErrors) {
  std::vector<SourceResult> made = results();
  made[2].facts.name = "dump/k";
  EXPECT_THROW(cell(points_table(made[2]), "e8:q=10", "attention_rel_mse"), InputError);
  tell_points(attention(), made);
  const Table keys = points_table(made[2]), table = attention_table(attention(), made);
  EXPECT_EQ(*cell(keys, "e8:q=10", "attention_rel_mse").value, 0.015);
  EXPECT_EQ(cell(keys, "e8:q=38", "attention_rel_mse").text, "-");
  EXPECT_THROW(cell(points_table(made[0]), "e8:q=10", "attention_rel_mse"), InputError);

  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(*cell(table, "e8:q=10", "attention_rel_mse (1)").value, 0.015);
  EXPECT_GT(*cell(table, "e8:q=10", "attention_rel_mse (1)").half_width, 0);
  EXPECT_EQ(*cell(table, "e8:q=10", "attention_rel_mse_layer_3").value, 0.025);
  EXPECT_EQ(cell(table, "e8:q=10", "attention_rel_mse_worst").text, "3: 0.02500");
  EXPECT_EQ(cell(table, "identity", "attention_rel_mse_worst").text, "-");
  EXPECT_EQ(*cell(table, "e8:q=10", "rel_mse_k").value, made[2].points[2].distortion.rel_mse());
  EXPECT_EQ(cell(table, "e8:q=10", "rel_mse_v").text, "-");  // results() has no values of it
  EXPECT_TRUE(holds(table.note, "4 query heads a KV head")) << table.note;
  EXPECT_TRUE(holds(table.note, "the dump does not say")) << table.note;
  AttentionResult told = attention();
  told.scale_told = true;
  told.windows = {.tokens = 9, .layers = {3}};
  EXPECT_FALSE(holds(attention_table(told, made).note, "does not say"));
  EXPECT_TRUE(holds(attention_table(told, made).note, "Queries of layers 3 see their last 9"));
}

TEST(TradeoffReport, SaysWhyThereIsNoAttention) {
  TradeoffContext context;
  context.attention = {attention()};
  const TradeoffReport with = make_tradeoff_report(results(), context);
  EXPECT_TRUE(holds(with.details, "## Attention outputs: K and V of something (dump)"));
  EXPECT_TRUE(holds(with.csv, "attention,dump,,e8:q=10,attention_rel_mse (1),"));
  context.attention[0].points.clear();
  context.attention[0].missing = "not so";
  const TradeoffReport without = make_tradeoff_report(results(), context);
  EXPECT_TRUE(holds(without.details, "No attention error of K and V of something (dump): not so."));
  EXPECT_FALSE(holds(without.details, "## Attention outputs"));
  EXPECT_FALSE(holds(without.csv, "attention"));
}

TEST(TradeoffReport, SaysWhatWasLeftOutAndWhatBroke) {
  TradeoffContext context;
  context.left_out = {{"Gaussian", "e8:q=4", "no"},
                      {"Laplace", "e8:q=4", "no"},
                      {"Gaussian", "e8:q=5", "no"},
                      {"Gaussian", "d4:q=5", "why not"}};
  context.self = make_provenance({"kakeya-report", "rd", "--out", "r"}, 1);
  const TradeoffReport report = make_tradeoff_report(results(), context);
  // Drawn values are no bf16: the third source is such a one, given as captured.
  EXPECT_TRUE(report.control_broken);
  ASSERT_EQ(report.warnings.size(), 3u);
  EXPECT_EQ(report.warnings[0], "LEFT OUT on Gaussian; Laplace: no: e8:q=4, e8:q=5");
  EXPECT_TRUE(holds(report.warnings[2], "BROKEN CONTROL"));
  for (const char* part :
       {"> - LEFT OUT on Gaussian: why not: d4:q=5", "## Gaussian: gap at equal measured rate",
        "## K of something", "![", "Shannon lower bound", "Water-filling", "at most ±",
        "`kakeya-report rd --out r`"}) {
    EXPECT_TRUE(holds(report.details, part)) << part;
  }
  EXPECT_TRUE(holds(report.csv, "points,gaussian,,e8:q=10,real_bits_per_value (written),"));
  EXPECT_THROW(make_tradeoff_report({}, context), InputError);
}

}  // namespace
}  // namespace kakeya
