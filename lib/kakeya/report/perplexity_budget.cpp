// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "kakeya/report/against_baseline.h"
#include "kakeya/report/comparison.h"
#include "kakeya/report/family_curves.h"
#include "kakeya/report/number.h"
#include "kakeya/report/storage.h"
#include "kakeya/stats/iso_quality.h"
#include "kakeya/stats/winner.h"

namespace kakeya {
namespace {

constexpr std::array<double, 4> kBudgets = {0.005, 0.01, 0.02, 0.05};

using Criterion = std::map<const CodecResult*, double>;  // what must be within the budget

/// |delta-ppl| of a family's settings by one rule.
struct Rule {
  const char* name;
  Criterion (*criterion)(const Curve& family);
};

Criterion by_mean_and_half_width(const Curve& family) {
  Criterion result;
  for (const CodecResult* codec : family) {
    const Interval loss = summary(*codec, metric("abs_delta_ppl"));
    result[codec] = loss.mean + loss.half_width;
  }
  return result;
}

/// The means, made non-increasing in the measured rate: what is cheaper is not better.
Criterion by_isotonic_mean(const Curve& family) {
  Curve rising = family;
  std::stable_sort(rising.begin(), rising.end(), [](const CodecResult* a, const CodecResult* b) {
    return a->rates.measured < b->rates.measured;
  });
  std::vector<double> means;
  for (const CodecResult* codec : rising)
    means.push_back(summary(*codec, metric("abs_delta_ppl")).mean);
  const std::vector<double> fit = isotonic_decreasing(means, std::vector(means.size(), 1.0));
  Criterion result;
  for (std::size_t i = 0; i < rising.size(); ++i) result[rising[i]] = fit[i];
  return result;
}

Criterion by_mean(const Curve& family) {
  Criterion result;
  for (const CodecResult* codec : family)
    result[codec] = summary(*codec, metric("abs_delta_ppl")).mean;
  return result;
}

constexpr std::array<Rule, 3> kRules = {{{"mean + half width", by_mean_and_half_width},
                                         {"isotonic mean", by_isotonic_mean},
                                         {"mean (published)", by_mean}}};

double ratio_of(const ResultGroup& group, const CodecResult& codec) {
  return cache_storage(group.results->plan, codec, kLongContextTokens).ratio();
}

/// The setting of highest compression within the budget.
const CodecResult* best_of(const ResultGroup& group, const Criterion& criterion, double budget) {
  const CodecResult* best = nullptr;
  for (const auto& [codec, loss] : criterion) {
    if (loss <= budget && (!best || ratio_of(group, *codec) > ratio_of(group, *best))) best = codec;
  }
  return best;
}

Curve family_of(const ResultGroup& group, const std::string& family) {
  Curve result;
  for (const CodecResult& codec : group.codecs) {
    if (codec.family == family && !codec.identity()) result.push_back(&codec);
  }
  return result;
}

std::vector<RatedSetting> rated(const ResultGroup& group, const Curve& family,
                                const std::vector<int>& passages) {
  std::vector<RatedSetting> settings;
  for (const CodecResult* codec : family)
    settings.push_back(
        {ratio_of(group, *codec), series(*codec, metric("abs_delta_ppl"), passages)});
  return settings;
}

/// By the published rule: chosen again from every draw of the passages.
void add_advantage(std::vector<Cell>& row, const ResultGroup& group, const Curve& family,
                   const Curve& baseline, double budget) {
  Curve all = family;
  all.insert(all.end(), baseline.begin(), baseline.end());
  const std::vector<int> passages = shared_passages(all);
  std::optional<WinnerAdvantage> answer;
  if (passages.size() >= kFewestPassages && family != baseline && !baseline.empty()) {
    answer = winner_advantage(rated(group, family, passages), rated(group, baseline, passages),
                              budget, kComparisonResamples, kComparisonSeed);
  }
  if (!answer) {
    row.resize(row.size() + 3, text_cell("-"));
    return;
  }
  row.push_back(number_cell(answer->advantage,
                            fmt::format("{:+.1f} % ({:+.1f} to {:+.1f})", 100 * answer->advantage,
                                        100 * answer->interval.low, 100 * answer->interval.high)));
  for (const double end : {answer->interval.low, answer->interval.high})
    row.push_back(number_cell(end, fmt::format("{:+.1f}", 100 * end)));
}

std::vector<Cell> row_of(const ResultGroup& group, double budget, const std::string& family,
                         const std::string& rule, const CodecResult* best) {
  std::vector<Cell> row = {text_cell(fmt::format("{} %", 100 * budget)), text_cell(family),
                           text_cell(rule)};
  if (!best) {
    row.push_back(text_cell("none"));
    row.resize(row.size() + 2 + rate_kinds().size(), text_cell("-"));
    return row;
  }
  row.push_back(text_cell(best->rate.empty() ? best->label
                                             : fmt::format("{}={}", best->rate_keys, best->rate)));
  const double ratio = ratio_of(group, *best);
  row.push_back(number_cell(ratio, fmt::format("{:.2f}x", ratio)));
  const Interval loss = summary(*best, metric("abs_delta_ppl"));
  row.push_back(interval_cell(loss, metric_text(metric("abs_delta_ppl"), loss)));
  add_rate_cells(row, best->rates);
  return row;
}

/// One row a setting that a rule chose, with the names of the rules that did.
void add_rows(Table& table, const ResultGroup& group, double budget, const std::string& family,
              const Curve& baseline) {
  const Curve curve = family_of(group, family);
  std::vector<std::pair<const CodecResult*, std::vector<std::string>>> chosen;
  for (const Rule& rule : kRules) {
    const CodecResult* best = best_of(group, rule.criterion(curve), budget);
    const auto at = std::find_if(chosen.begin(), chosen.end(),
                                 [&](const auto& each) { return each.first == best; });
    if (at == chosen.end()) {
      chosen.push_back({best, {rule.name}});
    } else {
      at->second.push_back(rule.name);
    }
  }
  for (const auto& [best, rules] : chosen) {
    const std::string names = rules.size() == kRules.size()
                                  ? std::string("all")
                                  : fmt::format("{}", fmt::join(rules, "; "));
    table.rows.push_back(row_of(group, budget, family, names, best));
    if (best && rules.back() == kRules.back().name) {
      add_advantage(table.rows.back(), group, curve, baseline, budget);
    } else {
      table.rows.back().resize(table.rows.back().size() + 3, text_cell("-"));
    }
  }
}

}  // namespace

Table perplexity_budget_table(const ResultGroup& group, const std::string& baseline) {
  Table table = group_table(group, "perplexity_budget", "Compression within a perplexity budget");
  table.label_columns = 3;
  table.note = fmt::format(
      "Each family's highest compression of the whole cache (128k tokens, skipped layers "
      "included) whose |Δppl| stays within the budget, by three readings: mean + half width of the "
      "95 % interval; the isotonic fit of the means, so that no setting profits from being luckier "
      "than a dearer one; and the mean alone, the published rule, which takes the maximum over a "
      "noisy curve and so favours lucky settings. The last column shows how much: the advantage in "
      "compression over {} by the published rule, with the 95 % interval of {} resamples of the "
      "passages in which both choose anew (seed {}; draws in which one finds no setting left out). "
      "The rates are of the {}.",
      baseline.empty() ? "none" : baseline, kComparisonResamples, kComparisonSeed,
      bits_of_text(group.bits_of));
  table.columns = {{"budget", "budget", false},
                   {"family", "family", false},
                   {"rule", "rule", false},
                   {"setting", "setting", false},
                   {"ratio", "ratio of the whole cache"},
                   {"|Δppl|, %", "abs_delta_ppl (fraction)"}};
  add_rate_columns(table, "", group.bits_of);
  const std::string advantage =
      "ratio / the baseline's - 1 by the published rule, both chosen anew from resamples";
  table.columns.insert(table.columns.end(),
                       {{fmt::format("published rule: over {}", baseline), advantage},
                        {"", advantage + ", low end"},
                        {"", advantage + ", high end"}});
  const Curve of_baseline = family_of(group, baseline);
  for (const double budget : kBudgets) {
    for (const std::string& family : group.families())
      add_rows(table, group, budget, family, of_baseline);
  }
  return table;
}

}  // namespace kakeya
