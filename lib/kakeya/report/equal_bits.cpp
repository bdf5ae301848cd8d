// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "kakeya/report/comparison.h"
#include "kakeya/report/number.h"
#include "kakeya/stats/paired.h"

namespace kakeya {
namespace {

constexpr double kTolerance = 0.05;

using Members = std::vector<const CodecResult*>;

const CodecResult* nearest(const Members& members, double bits) {
  const CodecResult* best = nullptr;
  for (const CodecResult* codec : members) {
    if (!best || std::fabs(codec->bits_per_value - bits) < std::fabs(best->bits_per_value - bits))
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

std::vector<Cell> pair_row(const CodecResult& a, const CodecResult& b,
                           const std::vector<int>& common) {
  const Metric& kld = metric("kld_mean");
  const std::vector<double> of_a = series(a, kld, common), of_b = series(b, kld, common);
  const PairedDifference paired = paired_difference(of_a, of_b);
  const double more = a.bits_per_value / b.bits_per_value - 1;
  const double mean_a = t_interval(of_a).mean, mean_b = t_interval(of_b).mean;
  const double by_rate = std::exp2(2 * (b.bits_per_value - a.bits_per_value));
  const int verdict = paired.verdict();
  return {text_cell(a.label),
          text_cell(b.label),
          number_cell(a.bits_per_value, fmt::format("{:.3f}", a.bits_per_value)),
          number_cell(b.bits_per_value, fmt::format("{:.3f}", b.bits_per_value)),
          number_cell(more, fmt::format("{:+.1f} %", 100 * more)),
          number_cell(mean_a, significant(mean_a)),
          number_cell(mean_b, significant(mean_b)),
          interval_cell(paired.difference, with_interval(paired.difference, true)),
          number_cell(paired.p_value,
                      paired.p_value < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", paired.p_value)),
          mean_b > 0 ? number_cell(mean_a / mean_b, fmt::format("{:.2f}x", mean_a / mean_b))
                     : text_cell("-"),
          number_cell(by_rate, fmt::format("{:.2f}x", by_rate)),
          text_cell(verdict < 0   ? "A"
                    : verdict > 0 ? "B"
                                  : "not resolved")};
}

}  // namespace

Table equal_bits_table(const ResultGroup& group) {
  Table table;
  table.name = "pairs_at_equal_bits";
  table.title = "Pairs at nearly equal bits";
  table.source = group.source;
  table.mode = group.mode;
  table.label_columns = 2;
  table.note = fmt::format(
      "Settings of different families whose real bits differ by at most {:.0f} % and that are each "
      "other's nearest. Difference: KL "
      "divergence of A minus B, paired over common passages, with the half width of its 95 % "
      "interval; p: two-sided paired t-test, "
      "one pair at a time (no correction for the number of pairs). \"By rate alone\": the ratio "
      "that the difference in bits would "
      "give between equally good codecs (KL divergence falls as 4^-bits).",
      100 * kTolerance);
  table.columns = {{"A", "a", false},
                   {"B", "b", false},
                   {"bits A", "bits_per_value of a (written)", true},
                   {"bits B", "bits_per_value of b (written)", true},
                   {"A spends", "bits of a / bits of b - 1", true},
                   {"KL A", "kld_mean of a (nats)", true},
                   {"KL B", "kld_mean of b (nats)", true},
                   {"KL A - KL B", "kld_mean of a - b, paired (nats)", true},
                   {"p", "p of the paired t-test", true},
                   {"KL A / KL B", "kld_mean of a / b", true},
                   {"by rate alone", "4^(bits of b - bits of a)", true},
                   {"lower KL", "verdict", false}};
  const std::vector<std::string> families = group.families();
  for (std::size_t i = 0; i < families.size(); ++i) {
    const Members first = members(group, families[i]);
    for (std::size_t j = i + 1; j < families.size(); ++j) {
      const Members second = members(group, families[j]);
      for (const CodecResult* a : first) {
        const CodecResult* b = nearest(second, a->bits_per_value);
        const double mean = (a->bits_per_value + b->bits_per_value) / 2;
        if (std::fabs(a->bits_per_value - b->bits_per_value) > kTolerance * mean) continue;
        if (nearest(first, b->bits_per_value) != a) continue;
        const std::vector<int> common = common_passages(*a, *b);
        if (!common.empty()) table.rows.push_back(pair_row(*a, *b, common));
      }
    }
  }
  return table;
}

}  // namespace kakeya
