// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "kakeya/report/comparison.h"
#include "kakeya/report/number.h"
#include "kakeya/stats/holm.h"
#include "kakeya/stats/paired.h"

namespace kakeya {
namespace {

constexpr double kTolerance = 0.05;

using Members = std::vector<const CodecResult*>;

const CodecResult* nearest(const Members& members, double measured_bits) {
  const CodecResult* best = nullptr;
  for (const CodecResult* codec : members) {
    if (!best || std::fabs(codec->rates.measured - measured_bits) <
                     std::fabs(best->rates.measured - measured_bits))
      best = codec;
  }
  return best;
}

Members members(const ResultGroup& group, const std::string& family) {
  Members result;
  for (const CodecResult& codec : group.codecs) {
    if (codec.family == family && !codec.identity()) result.push_back(&codec);
  }
  return result;
}

/// KL divergence of A over B as it would be at equal rate: the geometric mean over passages of KL A
/// / KL B, times 4^(bits A - bits B). Its logarithm has the paired interval.
Cell at_equal_rate(const std::vector<double>& of_a, const std::vector<double>& of_b,
                   double rate_difference) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (of_a[i] <= 0 || of_b[i] <= 0) return text_cell("-");
    logs.push_back(std::log2(of_a[i] / of_b[i]) + 2 * rate_difference);
  }
  const Interval interval = t_interval(logs);
  if (interval.count < 2)
    return interval_cell(interval, fmt::format("{:.2f}x (n=1)", std::exp2(interval.mean)));
  return interval_cell(interval,
                       fmt::format("{:.2f}x ({:.2f} to {:.2f})", std::exp2(interval.mean),
                                   std::exp2(interval.low()), std::exp2(interval.high())));
}

struct Pair {
  const CodecResult *a, *b;
  std::vector<double> of_a, of_b;  // KL divergence of the common passages
  PairedDifference paired;
};

std::vector<Cell> pair_row(const Pair& pair, double holm) {
  const auto& [a_of_pair, b_of_pair, of_a, of_b, paired] = pair;
  const CodecResult &a = *a_of_pair, &b = *b_of_pair;
  const double more = a.rates.measured / b.rates.measured - 1;
  const double mean_a = t_interval(of_a).mean, mean_b = t_interval(of_b).mean;
  const bool resolved = holm < 0.05;
  std::vector<Cell> row = {text_cell(a.label), text_cell(b.label)};
  add_rate_cells(row, a.rates);
  add_rate_cells(row, b.rates);
  row.insert(row.end(),
             {number_cell(more, fmt::format("{:+.1f} %", 100 * more)),
              number_cell(mean_a, significant(mean_a)), number_cell(mean_b, significant(mean_b)),
              interval_cell(paired.difference, with_interval(paired.difference, true)),
              number_cell(paired.p_value, p_value_text(paired.p_value)),
              number_cell(holm, p_value_text(holm)),
              text_cell(!resolved                    ? "not resolved"
                        : paired.difference.mean < 0 ? "A"
                                                     : "B"),
              at_equal_rate(of_a, of_b, a.rates.measured - b.rates.measured)});
  return row;
}

}  // namespace

Table equal_bits_table(const ResultGroup& group) {
  Table table = group_table(
      group, "pairs_at_equal_real_bits",
      fmt::format("Pairs at nearly equal measured bits of the {}", bits_of_text(group.bits_of)));
  table.label_columns = 2;
  table.note = fmt::format(
      "Settings of different families whose measured bits differ by at most {:.0f} % and that are "
      "each other's nearest. KL A - KL B: paired over common passages, with the half width of its "
      "95 % interval; p: two-sided paired t-test, alone and corrected for the number of pairs in "
      "this table (Holm); the verdict is by the corrected one at 5 %. The rates are not equal, so "
      "the last column takes the difference out: the geometric mean of KL A / KL B times "
      "4^(measured bits A - measured bits B), as between equally good codecs KL divergence falls "
      "as 4^-bits; below 1 A is the better code (95 % interval).",
      100 * kTolerance);
  table.columns = {{"A", "a", false}, {"B", "b", false}};
  add_rate_columns(table, "A", group.bits_of);
  add_rate_columns(table, "B", group.bits_of);
  table.columns.insert(
      table.columns.end(),
      {{"A spends", "real bits of A / real bits of B - 1"},
       {"KL A", "kld_mean of A (nats)"},
       {"KL B", "kld_mean of B (nats)"},
       {"KL A - KL B", "kld_mean of A - B, paired (nats)"},
       {"p alone", "p of the paired t-test"},
       {"p, Holm", "p of the paired t-test, Holm-corrected over the table"},
       {"lower KL", "verdict", false},
       {"A / B at equal measured bits",
        "log2(kld of A / kld of B) + 2 (real bits of A - real bits of B), paired", true}});
  const Metric& kld = metric("kld_mean");
  std::vector<Pair> pairs;
  const std::vector<std::string> families = group.families();
  for (std::size_t i = 0; i < families.size(); ++i) {
    const Members first = members(group, families[i]);
    for (std::size_t j = i + 1; j < families.size(); ++j) {
      const Members second = members(group, families[j]);
      for (const CodecResult* a : first) {
        const CodecResult* b = nearest(second, a->rates.measured);
        const double mean = (a->rates.measured + b->rates.measured) / 2;
        if (std::fabs(a->rates.measured - b->rates.measured) > kTolerance * mean) continue;
        if (nearest(first, b->rates.measured) != a) continue;
        const std::vector<int> common = common_passages(*a, *b);
        if (common.empty()) continue;
        Pair pair{a, b, series(*a, kld, common), series(*b, kld, common), {}};
        pair.paired = paired_difference(pair.of_a, pair.of_b);
        pairs.push_back(std::move(pair));
      }
    }
  }
  const std::vector<double> adjusted =
      holm_adjusted(pairs, [](const Pair& pair) { return pair.paired.p_value; });
  for (std::size_t i = 0; i < pairs.size(); ++i)
    table.rows.push_back(pair_row(pairs[i], adjusted[i]));
  return table;
}

}  // namespace kakeya
