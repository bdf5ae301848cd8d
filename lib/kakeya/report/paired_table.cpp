// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

using Verdict = BaselineComparison::Verdict;

std::string setting_text(const CodecResult& codec) {
  return codec.rate.empty() ? codec.label : fmt::format("{}={}", codec.rate_keys, codec.rate);
}

/// "q=15 to q=22"; out of the baseline's range "q=4, 0.250 bits more" with the baseline's surplus.
std::string baseline_text(const BaselineComparison& comparison) {
  std::string below = setting_text(*comparison.below);
  if (comparison.below != comparison.above)
    return fmt::format("{} to {}", below, setting_text(*comparison.above));
  const double apart = comparison.bits_apart();
  if (apart == 0) return below;
  return fmt::format("{}, {:.3f} bits {}", below, std::fabs(apart), apart < 0 ? "more" : "fewer");
}

std::string times(double log2_ratio) {
  const double ratio = std::exp2(log2_ratio);
  return ratio < 0.1 || ratio >= 100 ? significant(ratio, 2) : fmt::format("{:.2f}", ratio);
}

std::string ratio_text(const Interval& log2) {
  return fmt::format("{}x ({} to {})", times(log2.mean), times(log2.low()), times(log2.high()));
}

void add_interval(std::vector<Cell>& row, const std::optional<Range>& range) {
  if (!range) {
    row.resize(row.size() + 2, text_cell("-"));
    return;
  }
  row.push_back(number_cell(range->low, significant(range->low)));
  row.push_back(number_cell(range->high, significant(range->high)));
}

/// The parts of a test that only the CSV has.
void add_details(std::vector<Cell>& row, const PassageDifferences& differences) {
  add_interval(row, differences.bca);
  for (const double p : {differences.test.p_value, differences.holm})
    row.push_back(number_cell(p, p_value_text(p)));
  for (const double effect : {differences.detectable, differences.detectable_holm})
    row.push_back(number_cell(effect, significant(effect)));
}

void add_detail_columns(Table& table, const std::string& quantity) {
  for (const char* what :
       {"BCa low end", "BCa high end", "p of the paired t-test", "p, Holm-corrected",
        "detectable at 5 % and 80 %", "detectable at 5 % over the table and 80 %"}) {
    table.columns.push_back({"", fmt::format("{}: {}", quantity, what)});
  }
}

Cell points_cell(const PassageDifferences& differences) {
  Interval points = differences.test.difference;
  points.mean *= 100;
  points.half_width *= 100;
  return interval_cell(differences.test.difference,
                       with_interval(points, true) + (differences.holm < 0.05 ? " *" : ""));
}

std::vector<Cell> row_of(const BaselineComparison& each, bool likelihoods) {
  const Interval& log2 = each.log2_loss.test.difference;
  std::vector<Cell> row = {text_cell(each.codec->label)};
  add_rate_cells(row, each.codec->rates);
  const auto count = static_cast<double>(each.passages.size());
  row.insert(
      row.end(),
      {text_cell(baseline_text(each)), number_cell(count, std::to_string(each.passages.size())),
       interval_cell(log2, ratio_text(log2)),
       text_cell(each.log2_loss.bca ? fmt::format("{} to {}", times(each.log2_loss.bca->low),
                                                  times(each.log2_loss.bca->high))
                                    : "-"),
       number_cell(each.log2_loss.holm, p_value_text(each.log2_loss.holm))});
  const std::string verdict = verdict_text(each);
  const bool better = each.verdict == Verdict::better || each.verdict == Verdict::better_within;
  row.push_back(text_cell(better ? "**" + verdict + "**" : verdict));
  row.push_back(number_cell(each.log2_loss.detectable, times(each.log2_loss.detectable) + "x"));
  row.push_back(each.log2_loss_at_codebook ? interval_cell(*each.log2_loss_at_codebook,
                                                           ratio_text(*each.log2_loss_at_codebook))
                                           : text_cell("-"));
  add_details(row, each.log2_loss);
  for (const double p : {each.equivalence_p, each.equivalence_holm})
    row.push_back(number_cell(p, p_value_text(p)));
  if (!likelihoods) return row;
  for (const auto* differences : {&each.delta_ppl, &each.abs_delta_ppl}) {
    row.push_back(points_cell(**differences));
    add_details(row, **differences);
  }
  return row;
}

/// "d4:q=38; d4:q=76"
std::string labels_of(const std::vector<const CodecResult*>& settings) {
  std::vector<std::string> labels;
  for (const CodecResult* codec : settings) labels.push_back(codec->label);
  return fmt::format("{}", fmt::join(labels, "; "));
}

std::string note_of(const Metric& metric, const BaselineComparisons& comparisons,
                    const ComparisonOptions& options, bool likelihoods) {
  std::string note = fmt::format(
      "Each setting against {} *at the setting's own measured bits*, passage by passage: the "
      "baseline's {} there is log-linear between its two neighbouring settings, which the table "
      "names. Out of the baseline's range it is the setting at the end, with its bits more or "
      "fewer. Ratio: geometric mean over passages, with the 95 % Student-t interval; beside it the "
      "BCa bootstrap interval ({} resamples, seed {}; from 8 passages on). p: two-sided paired "
      "t-test of the logarithm, Holm-corrected for the {} settings of this table. Verdict at 5 % "
      "after correction: *better* (lower loss for the same bits or fewer), *worse*, *equivalent* "
      "(two one-sided tests, Holm-corrected too, within a margin worth ±{} measured bits a value, "
      "a factor of 4^±{} = {:.3f} to {:.3f}; at fewer bits *no worse* than by the margin is "
      "enough), *trade-off* (fewer bits and surely more loss, or the reverse), *not resolved*. "
      "Detectable: the smallest ratio above 1 that a single such test finds with 80 % probability "
      "at this n and scatter. At equal codebook bits: the same ratio where bits are counted as "
      "log2 of the codebook, scales included, and the baseline's curve is drawn by these; \"-\" "
      "where either has none, or out of the baseline's range.",
      comparisons.baseline, loss_name(metric), kComparisonResamples, kComparisonSeed,
      comparisons.settings.size(), options.margin_bits, options.margin_bits,
      std::pow(4, -options.margin_bits), std::pow(4, options.margin_bits));
  if (likelihoods) {
    note +=
        " Δppl and |Δppl|: the setting's less the baseline's, in points, with the half width of "
        "the 95 % t interval; the baseline's lies between the same two settings, in proportion to "
        "their mean loss; * where Holm-corrected p < 5 %. The signed one can cancel, the absolute "
        "one is above 0 by noise alone: read both.";
  }
  if (!comparisons.beaten.empty()) {
    note += fmt::format(
        " Left out of the baseline's curve, as another of its settings loses less at no more "
        "measured bits: {}.",
        labels_of(comparisons.beaten));
  }
  if (!comparisons.beaten_at_codebook.empty()) {
    note += fmt::format(" At equal codebook bits likewise: {}.",
                        labels_of(comparisons.beaten_at_codebook));
  }
  if (!comparisons.left_out.empty()) {
    note += fmt::format(" Not compared, for want of a loss or of two passages in common: {}.",
                        fmt::join(comparisons.left_out, "; "));
  }
  return note;
}

}  // namespace

Table paired_table(const ResultGroup& group, const Metric& metric,
                   const BaselineComparisons& comparisons, const ComparisonOptions& options) {
  Table table =
      group_table(group, fmt::format("paired_{}", metric.name),
                  fmt::format("Paired comparisons with {} at equal measured bits of the {}{}",
                              comparisons.baseline, bits_of_text(group.bits_of),
                              metric.likelihood ? "" : fmt::format(", {}", metric.heading)));
  table.note = note_of(metric, comparisons, options, group.likelihoods());
  table.columns = {{"codec", "codec", false}};
  add_rate_columns(table, "", group.bits_of);
  const std::string ratio =
      fmt::format("log2({} / the baseline's at equal real bits), paired", metric.name);
  table.columns.insert(
      table.columns.end(),
      {{fmt::format("{} there", comparisons.baseline), "baseline settings", false},
       {"n", "passages"},
       {fmt::format("{} / the baseline's", loss_name(metric)), ratio},
       {"BCa", "bca"},
       {"p, Holm", "p of the paired t-test, Holm-corrected over the table"},
       {"verdict", "verdict", false},
       {"detectable", "smallest log2 ratio detectable at 5 % with 80 %"},
       {"at equal codebook bits",
        fmt::format("log2({} / the baseline's at equal exact bits), paired", metric.name), true}});
  add_detail_columns(table, ratio);
  table.columns.push_back({"", "p of equivalence"});
  table.columns.push_back({"", "p of equivalence, Holm-corrected over the table"});
  if (group.likelihoods()) {
    for (const auto& [heading, name] : {std::pair("Δppl less the baseline's", "delta_ppl"),
                                        std::pair("|Δppl| less the baseline's", "abs_delta_ppl")}) {
      const std::string quantity = fmt::format("{} - the baseline's, paired (fraction)", name);
      table.columns.push_back({heading, quantity});
      add_detail_columns(table, quantity);
    }
  }
  for (const BaselineComparison& each : comparisons.settings)
    table.rows.push_back(row_of(each, group.likelihoods()));
  return table;
}

}  // namespace kakeya
