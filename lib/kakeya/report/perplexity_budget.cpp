// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "kakeya/report/comparison.h"
#include "kakeya/report/number.h"
#include "kakeya/report/storage.h"

namespace kakeya {
namespace {

constexpr std::array<double, 4> kBudgets = {0.005, 0.01, 0.02, 0.05};

struct Best {
  const CodecResult* codec = nullptr;
  double ratio = 0;
  Interval loss;
};

/// The family's highest compression within the budget, by mean + half width or by the mean alone.
Best best_of(const ResultGroup& group, const std::string& family, double budget,
             bool with_half_width) {
  Best best;
  for (const CodecResult& codec : group.codecs) {
    if (codec.family != family || codec.identity()) continue;
    const Interval loss = summary(codec, metric("abs_delta_ppl"));
    if (loss.mean + (with_half_width ? loss.half_width : 0) > budget) continue;
    const double ratio = cache_storage(group.results->plan, codec, kLongContextTokens).ratio();
    if (ratio > best.ratio) best = {&codec, ratio, loss};
  }
  return best;
}

std::vector<Cell> row_of(double budget, const std::string& family, const char* rule,
                         const Best& best) {
  std::vector<Cell> row = {text_cell(fmt::format("{} %", 100 * budget)), text_cell(family),
                           text_cell(rule)};
  if (!best.codec) {
    row.push_back(text_cell("none"));
    row.resize(row.size() + 2 + rate_kinds().size(), text_cell("-"));
    return row;
  }
  const CodecResult& codec = *best.codec;
  row.push_back(text_cell(codec.rate.empty() ? codec.label
                                             : fmt::format("{}={}", codec.rate_keys, codec.rate)));
  row.push_back(number_cell(best.ratio, fmt::format("{:.2f}x", best.ratio)));
  row.push_back(interval_cell(best.loss, metric_text(metric("abs_delta_ppl"), best.loss)));
  add_rate_cells(row, codec.rates);
  return row;
}

}  // namespace

Table perplexity_budget_table(const ResultGroup& group) {
  Table table;
  table.name = "perplexity_budget";
  table.title = "Compression within a perplexity budget";
  table.source = group.source;
  table.mode = group.mode;
  table.label_columns = 3;
  table.note =
      "Each family's highest compression of the whole cache (128k tokens, boundary layers "
      "included) whose |Δppl| stays within the budget, by two rules: mean + half width of the 95 % "
      "interval; and the mean alone, the published rule, which takes the maximum over a noisy "
      "curve and so favours lucky settings. The rates are of the coded layers.";
  table.columns = {{"budget", "budget", false},
                   {"family", "family", false},
                   {"rule", "rule", false},
                   {"setting", "setting", false},
                   {"ratio", "ratio of the whole cache", true},
                   {"|Δppl|, %", "abs_delta_ppl (fraction)", true}};
  add_rate_columns(table);
  for (const double budget : kBudgets) {
    for (const std::string& family : group.families()) {
      const Best sure = best_of(group, family, budget, true),
                 lucky = best_of(group, family, budget, false);
      const bool same = sure.codec == lucky.codec;
      table.rows.push_back(row_of(budget, family, same ? "both" : "mean + half width", sure));
      if (!same) table.rows.push_back(row_of(budget, family, "mean (published)", lucky));
    }
  }
  return table;
}

}  // namespace kakeya
