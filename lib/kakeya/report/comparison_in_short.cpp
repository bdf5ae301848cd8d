// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

using Verdict = BaselineComparison::Verdict;

constexpr std::array<std::pair<Verdict, const char*>, 7> kVerdicts = {{
    {Verdict::better, "better"},
    {Verdict::better_within, "better, within the margin"},
    {Verdict::equivalent, "equivalent"},
    {Verdict::worse_within, "worse, within the margin"},
    {Verdict::worse, "worse"},
    {Verdict::trade_off, "trade-off"},
    {Verdict::unresolved, "not resolved"},
}};

constexpr std::size_t kFewestRanked = 3;
constexpr double kNarrowLosses = 4;

/// Whether an average over the losses of this family can stand beside those of others.
bool broad(const FamilyBdRate& family) {
  return family.settings >= kFewestRanked ||
         family.measured->high_loss >= kNarrowLosses * family.measured->low_loss;
}

}  // namespace

std::string verdict_text(const BaselineComparison& comparison) {
  const double apart = comparison.bits_apart();
  std::string text;
  for (const auto& [verdict, name] : kVerdicts) {
    if (verdict == comparison.verdict) text = name;
  }
  if (apart == 0) return text;
  if (comparison.verdict == Verdict::trade_off)
    return text + (apart < 0 ? ": fewer bits, more loss" : ": more bits, less loss");
  if (comparison.verdict == Verdict::equivalent) text = apart < 0 ? "no worse" : "no better";
  return text + (apart < 0 ? ", at fewer bits" : ", at more bits");
}

std::string loss_name(const Metric& metric) {
  return std::string(metric.likelihood ? "KL divergence" : metric.heading);
}

std::string comparison_in_short(const Metric& metric, std::span<const FamilyBdRate> families,
                                const BaselineComparisons& comparisons,
                                const ComparisonOptions& options) {
  if (comparisons.settings.empty()) return "";
  std::vector<std::string> shown;
  std::size_t narrow = 0;
  constexpr std::size_t kShown = 3;
  for (const FamilyBdRate& family : families) {
    if (!family.range) continue;
    if (!broad(family)) {
      ++narrow;
    } else if (shown.size() < kShown) {
      shown.push_back(fmt::format("{} {:+.1f} % ({:+.1f} to {:+.1f}; {} to {})", family.family,
                                  100 * (family.measured->ratio - 1), 100 * (family.range->low - 1),
                                  100 * (family.range->high - 1),
                                  significant(family.measured->low_loss),
                                  significant(family.measured->high_loss)));
    }
  }
  std::string text = fmt::format("**In short**, against {}, by measured bits of the {}.",
                                 comparisons.baseline, bits_of_text(comparisons.bits_of));
  if (!shown.empty()) {
    text += fmt::format(
        " Measured bits at equal {0}, on average over the losses that both reach, the lowest first "
        "(95 % interval; from which {0} to which): {1}.",
        loss_name(metric), fmt::join(shown, "; "));
  }
  if (narrow > 0) {
    text += fmt::format(
        " Not ranked: {} {} of fewer than {} settings whose losses span less than a factor of {}.",
        narrow, narrow == 1 ? "family" : "families", kFewestRanked, kNarrowLosses);
  }
  std::vector<std::string> counts;
  for (const auto& known : kVerdicts) {
    for (const int side : {0, -1, 1}) {
      std::size_t count = 0;
      std::string last;
      for (const BaselineComparison& each : comparisons.settings) {
        const double apart = each.bits_apart();
        if (each.verdict != known.first || (apart > 0) - (apart < 0) != side) continue;
        last = verdict_text(each);
        ++count;
      }
      if (count > 0) counts.push_back(fmt::format("{} {}", count, last));
    }
  }
  return text +
         fmt::format(
             " Of {} settings at its measured bits, paired and corrected for their number: {} "
             "(margin ±{} measured bits a value).",
             comparisons.settings.size(), fmt::join(counts, "; "), options.margin_bits);
}

InBrief comparison_in_brief(const Metric& metric, std::span<const FamilyBdRate> families,
                            const BaselineComparisons& comparisons) {
  for (const FamilyBdRate& family : families) {
    if (!family.range || !broad(family)) continue;
    const std::string lowest =
        fmt::format("lowest BD-rate against {}: {}, {:+.1f} %", comparisons.baseline, family.family,
                    100 * (family.measured->ratio - 1));
    const std::string ends = fmt::format("{:+.1f} to {:+.1f} %", 100 * (family.range->low - 1),
                                         100 * (family.range->high - 1));
    return {fmt::format(
                "{} measured bits of the {} at equal {} (95 % interval {}), on average over "
                "the losses that both reach, {} to {}.",
                lowest, bits_of_text(comparisons.bits_of), loss_name(metric), ends,
                significant(family.measured->low_loss), significant(family.measured->high_loss)),
            fmt::format("{} ({}).", lowest, ends)};
  }
  return {};
}

}  // namespace kakeya
