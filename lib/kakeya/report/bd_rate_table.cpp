// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/family_curves.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

std::string percent(double ratio) { return fmt::format("{:+.1f}", 100 * (ratio - 1)); }

std::vector<Cell> row_of(const FamilyBdRate& family) {
  std::vector<Cell> row = {
      text_cell(family.family),
      number_cell(static_cast<double>(family.settings),
                  family.beaten == 0
                      ? std::to_string(family.settings)
                      : fmt::format("{} of {}", family.settings, family.settings + family.beaten))};
  for (std::size_t kind = 0; kind < family.ratios.size(); ++kind) {
    const std::optional<double>& ratio = family.ratios[kind];
    if (!ratio) {
      row.push_back(text_cell("-"));
      continue;
    }
    std::string text = percent(*ratio) + " %";
    if (kind == 0 && family.range) {
      text = fmt::format("{} % ({} to {})", percent(*ratio), percent(family.range->low),
                         percent(family.range->high));
    }
    row.push_back(number_cell(*ratio - 1, text));
  }
  if (family.range) {
    for (const double end : {family.range->low, family.range->high})
      row.push_back(number_cell(end - 1, percent(end)));
  } else {
    row.resize(row.size() + 2, text_cell("-"));
  }
  if (!family.measured) {
    row.resize(row.size() + 3, text_cell("-"));
    return row;
  }
  const BdRate& rate = *family.measured;
  row.push_back(number_cell(rate.bits, fmt::format("{:+.3f}", rate.bits)));
  row.push_back(number_cell(rate.low_loss, significant(rate.low_loss)));
  row.push_back(number_cell(rate.high_loss, significant(rate.high_loss)));
  return row;
}

/// ", of d4 without d4:q=38; d4:q=76"; "" where none is beaten.
std::string left_out(const ResultGroup& group, const Metric& metric, const std::string& baseline) {
  const Curves curves = curves_of(group, metric);
  const auto at = curves.find(baseline);
  if (at == curves.end()) return "";
  std::vector<std::string> labels;
  const std::optional<Frontier> by_measured = frontier(at->second, rate_kind("measured"), metric);
  for (const CodecResult* codec : by_measured->beaten) labels.push_back(codec->label);
  return labels.empty() ? "" : fmt::format(", of {} without {}", baseline, fmt::join(labels, "; "));
}

}  // namespace

Table bd_rate_table(const ResultGroup& group, const Metric& metric, const std::string& baseline,
                    std::span<const FamilyBdRate> families) {
  Table table =
      group_table(group, fmt::format("bd_rate_{}", metric.name),
                  fmt::format("Bits at equal {}, on average: BD-rate against {}",
                              metric.likelihood ? "KL divergence" : metric.heading, baseline));
  table.note = fmt::format(
      "How many percent more bits (below 0: fewer) a family spends than {} at equal loss: the "
      "Bjontegaard delta rate, ln(bits) over ln(loss) between isotonic fits of the means, averaged "
      "over the losses that both reach (last two columns; families cover different ranges). In "
      "parentheses the 95 % percentile interval over {} paired resamples of the passages (seed "
      "{}). Measured bits are what was written; the other countings beside it show how much of a "
      "difference is bookkeeping. Curves are of the settings that no other one of the family beats "
      "(no more bits by the counting in question, to a thousandth, lower mean loss); the second "
      "column says how many by measured bits{}. \"-\": fewer than two settings, no loss in common, "
      "or no such counting.",
      baseline, kComparisonResamples, kComparisonSeed, left_out(group, metric, baseline));
  table.columns = {{"family", "family", false}, {"settings", "settings"}};
  for (const RateKind& kind : rate_kinds()) {
    const bool measured = &kind == &rate_kinds().front();
    table.columns.push_back(
        {fmt::format("{} bits{}", kind.name,
                     measured ? fmt::format(", {}", bits_of_text(group.bits_of)) : ""),
         fmt::format("bd_rate of {} (fraction)", kind.quantity), true});
  }
  table.columns.insert(
      table.columns.end(),
      {{"", "bd_rate of real_bits_per_value, low end (fraction)"},
       {"", "bd_rate of real_bits_per_value, high end (fraction)"},
       {"measured bits a value more", "real_bits_per_value - the baseline's, mean"},
       {"loss from", fmt::format("lowest common {} ({})", metric.name, metric.unit)},
       {"to", fmt::format("highest common {} ({})", metric.name, metric.unit)}});
  for (const FamilyBdRate& family : families) table.rows.push_back(row_of(family));
  return table;
}

}  // namespace kakeya
