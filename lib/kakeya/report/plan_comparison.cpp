// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/plan_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/report/baseline_tables.h"
#include "kakeya/report/number.h"
#include "kakeya/report/plans_table.h"

namespace kakeya {
namespace {

/// The one family of all specs of a plan; empty: there are several.
std::string family_of(const std::string& plan) {
  std::set<std::string> families;
  for (const std::string& spec : specs_in({plan, plan})) families.insert(split_spec(spec).family);
  return families.size() == 1 ? *families.begin() : std::string();
}

/// The settings of a family and its plans, alone.
ResultGroup only(const ResultGroup& group, const std::string& family,
                 const std::map<std::string, std::string>& families) {
  ResultGroup some = group;
  const bool coded = group.bits_of == BitsOf::coded_values;
  std::erase_if(some.codecs, [&](const CodecResult& codec) {
    if (!is_plan_label(codec.codec_k)) return codec.family != family;
    const auto of = families.find(codec.codec_k);
    if (of == families.end() || of->second != family) return true;
    const SweepPlan& plan = group.results->plan;
    return coded && plan_for(plan, codec).policy.all_skipped() != plan.policy.all_skipped();
  });
  return some;
}

std::string ratio_text(const Interval& log2) {
  if (!std::isfinite(log2.half_width)) return fmt::format("{:.3f} (n=1)", std::exp2(log2.mean));
  return fmt::format("{:.3f} ({:.3f} to {:.3f})", std::exp2(log2.mean), std::exp2(log2.low()),
                     std::exp2(log2.high()));
}

std::string between(const BaselineComparison& comparison) {
  if (comparison.below == comparison.above) return comparison.below->rate;
  return fmt::format("{} to {}", comparison.below->rate, comparison.above->rate);
}

void add_rows(Table& table, const ResultGroup& group, const std::string& family,
              const ComparisonOptions& options) {
  const bool plans = std::any_of(group.codecs.begin(), group.codecs.end(),
                                 [](const auto& codec) { return is_plan_label(codec.codec_k); });
  const bool uniform = std::any_of(group.codecs.begin(), group.codecs.end(),
                                   [](const auto& codec) { return !is_plan_label(codec.codec_k); });
  if (!plans || !uniform) return;
  ComparisonOptions own = options;
  own.baseline = family;
  const Metric& kld = metric("kld_mean");
  for (const BaselineComparison& each : compare_with_baseline(group, kld, own).settings) {
    const Interval& log2 = each.log2_loss.test.difference;
    const Interval loss = summary(*each.codec, kld);
    table.rows.push_back({text_cell(each.codec->label), text_cell(family),
                          fixed_cell(each.codec->coded_bits, 3), whole_cache_cell(*each.codec),
                          interval_cell(loss, with_interval(loss)), text_cell(between(each)),
                          fixed_cell(each.bits_apart(), 3), interval_cell(log2, ratio_text(log2)),
                          number_cell(each.log2_loss.holm, p_value_text(each.log2_loss.holm)),
                          text_cell(verdict_text(each))});
  }
}

}  // namespace

Table plan_comparison_table(const ResultGroup& group, const ComparisonOptions& options) {
  Table table = group_table(group, "plans_against_uniform",
                            fmt::format("Plans against one codec for all layers, at equal {} bits",
                                        bits_of_text(group.bits_of)));
  table.label_columns = 2;
  table.note =
      "KL over uniform: the plan's KL divergence over that of its own codec with one setting for all "
      "layers, interpolated log-linearly between its settings next to the plan's bits, passage by "
      "passage; below 1 the plan is better. 95 % paired t interval of the logarithm; p corrected "
      "for the plans of the codec (Holm). Bits apart: beyond the codec's ends, plan less codec.";
  table.columns = {{"plan", "plan", false},
                   {"uniform", "uniform", false},
                   {"coded bits", "bits_per_value"},
                   whole_cache_column(),
                   {"KL, nats", "kld_mean (nats)"},
                   {"between", "between", false},
                   {"bits apart", "bits apart"},
                   {"KL over uniform", "log2 of kld over uniform, paired"},
                   {"p, Holm", "p of the paired t-test, Holm-corrected"},
                   {"verdict", "verdict", false}};
  std::map<std::string, std::string> families;  // of plans, by label
  std::vector<std::string> order;
  for (const PlanRecord& plan : plan_records(*group.results)) {
    const std::string family = family_of(plan.text);
    if (family.empty()) continue;
    families.emplace(plan.label, family);
    if (std::find(order.begin(), order.end(), family) == order.end()) order.push_back(family);
  }
  for (const std::string& family : order) {
    add_rows(table, only(group, family, families), family, options);
  }
  return table;
}

}  // namespace kakeya
