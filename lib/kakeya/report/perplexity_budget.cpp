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

Cell best_cell(const ResultGroup& group, const std::string& family, double budget,
               bool with_half_width) {
  const CodecResult* best = nullptr;
  double best_ratio = 0;
  Interval best_loss;
  for (const CodecResult& codec : group.codecs) {
    if (codec.family != family || codec.identity()) continue;
    const Interval loss = summary(codec, metric("abs_delta_ppl"));
    if (loss.mean + (with_half_width ? loss.half_width : 0) > budget) continue;
    const double ratio = cache_storage(group.results->plan, codec, kLongContextTokens).ratio();
    if (ratio > best_ratio) best = &codec, best_ratio = ratio, best_loss = loss;
  }
  if (best == nullptr) return text_cell("none");
  const std::string setting =
      best->rate.empty() ? "" : fmt::format(" {}={}", best->rate_keys, best->rate);
  std::string loss = fmt::format("{:.2f}", 100 * best_loss.mean);
  if (with_half_width) loss += fmt::format(" + {:.2f}", 100 * best_loss.half_width);
  return number_cell(best_ratio, fmt::format("{:.2f}x{} ({} %)", best_ratio, setting, loss));
}

}  // namespace

Table perplexity_budget_table(const ResultGroup& group) {
  Table table;
  table.name = "perplexity_budget";
  table.title = "Compression within a perplexity budget";
  table.source = group.source;
  table.mode = group.mode;
  table.label_columns = 2;
  table.note =
      "Each family's highest compression of the whole cache (128k tokens, boundary layers "
      "included) whose |Δppl| stays within the "
      "budget: by mean + half width of the 95 % interval, and beside it by the mean alone, the "
      "published rule, which takes the "
      "maximum over a noisy curve and so favours lucky settings. In brackets: the |Δppl| of that "
      "setting.";
  table.columns = {{"budget", "budget", false}, {"rule", "rule", false}};
  const std::vector<std::string> families = group.families();
  for (const std::string& family : families)
    table.columns.push_back({family, fmt::format("ratio of {}", family), true});
  for (double budget : kBudgets) {
    for (bool with_half_width : {true, false}) {
      std::vector<Cell> row = {
          text_cell(fmt::format("{} %", 100 * budget)),
          text_cell(with_half_width ? "mean + half width" : "mean (published)")};
      for (const std::string& family : families)
        row.push_back(best_cell(group, family, budget, with_half_width));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace kakeya
