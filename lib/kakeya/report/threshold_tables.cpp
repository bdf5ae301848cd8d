// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/threshold_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kakeya/report/number.h"

namespace kakeya {
namespace {

constexpr WithinRule kRules[] = {WithinRule::point, WithinRule::safe};

bool positive(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double each) { return each > 0; });
}

std::string factor_text(double factor) { return fmt::format("{:g}", factor); }

ThresholdAnswer answer_of(const LossFamily& family, const LossStream& stream, double factor,
                          WithinRule rule) {
  ThresholdAnswer answer{family.metric,
                         family.family,
                         stream.name,
                         0,
                         factor,
                         rule,
                         {},
                         0,
                         stream.reference_bits,
                         {},
                         {},
                         {}};
  const Threshold found = find_threshold(stream, factor, rule);
  for (const std::size_t place : found.fails_above) {
    answer.fails_above.push_back(stream.settings[place].name);
  }
  if (!found.setting) return answer;
  const LossSetting& setting = stream.settings[*found.setting];
  answer.setting = setting.name;
  answer.bits = setting.bits;
  if (!positive(stream.reference)) return answer;
  const LossRatio ratio = loss_ratio(setting.losses, stream.reference);
  answer.ratio = ratio.of_means;
  answer.paired = ratio.paired;
  return answer;
}

ThresholdAnswer joint_answer(const LossFamily& family, int strategy, double factor,
                             WithinRule rule) {
  ThresholdAnswer answer{
      family.metric, family.family, "all", strategy, factor, rule, {}, 0, 0, {}, {}, {}};
  const JointThreshold found = strategy == 1 ? one_setting_for_all(family.streams, factor, rule)
                                             : a_setting_a_stream(family.streams, factor, rule);
  if (!found.found) return answer;
  std::vector<std::string> each;
  for (std::size_t i = 0; i < family.streams.size(); ++i) {
    const LossStream& stream = family.streams[i];
    each.push_back(fmt::format("{} {}", stream.name, stream.settings[found.settings[i]].name));
  }
  answer.setting = strategy == 1 ? family.streams[0].settings[found.settings[0]].name
                                 : fmt::format("{}", fmt::join(each, ", "));
  answer.bits = found.bits;
  answer.reference_bits = found.reference_bits;
  if (found.ratio.count > 0) {
    answer.ratio = found.ratio.mean;
    answer.paired = found.ratio;
  }
  return answer;
}

std::string bits_text(const ThresholdQuestion& question) {
  return question.bits == ThresholdBits::measured ? "measured bits" : "nominal bits";
}

void add_ratio(std::vector<Cell>& row, const std::optional<double>& ratio,
               const std::optional<Interval>& paired) {
  row.push_back(ratio ? number_cell(*ratio, significant(*ratio, 4)) : text_cell("-"));
  row.push_back(paired ? interval_cell(*paired, with_interval(*paired)) : text_cell("-"));
}

}  // namespace

std::vector<ThresholdAnswer> answer_thresholds(std::span<const LossFamily> families,
                                               const ThresholdQuestion& question) {
  std::vector<ThresholdAnswer> answers;
  for (const LossFamily& family : families) {
    for (const double factor : question.factors) {
      for (const LossStream& stream : family.streams) {
        for (const WithinRule rule : kRules) {
          answers.push_back(answer_of(family, stream, factor, rule));
        }
      }
    }
  }
  for (const LossFamily& family : families) {
    if (family.streams.size() < 2) continue;
    for (const double factor : question.factors) {
      for (const int strategy : question.strategies) {
        for (const WithinRule rule : kRules) {
          answers.push_back(joint_answer(family, strategy, factor, rule));
        }
      }
    }
  }
  return answers;
}

Table losses_table(std::span<const LossFamily> families, const ThresholdQuestion& question) {
  Table table = named_table("losses", fmt::format("Losses beside {}", question.reference));
  table.label_columns = 3;
  table.columns = {{"loss", "metric", false},
                   {"stream", "stream", false},
                   {"setting", "setting", false},
                   {bits_text(question), "bits (a value)"},
                   {"mean loss", "loss"},
                   {"of the reference's", "ratio_of_means"},
                   {"passage by passage", "ratio_paired"}};
  const auto add = [&](const LossFamily& family, const LossStream& stream, const std::string& name,
                       double bits, std::span<const double> losses) {
    const Interval mean = t_interval(losses);
    std::vector<Cell> row = {text_cell(family.metric), text_cell(stream.name), text_cell(name),
                             fixed_cell(bits, 3), interval_cell(mean, with_interval(mean))};
    if (positive(stream.reference)) {
      const LossRatio ratio = loss_ratio(losses, stream.reference);
      add_ratio(row, ratio.of_means, ratio.paired);
    } else {
      add_ratio(row, {}, {});
    }
    table.rows.push_back(std::move(row));
  };
  for (const LossFamily& family : families) {
    for (const LossStream& stream : family.streams) {
      add(family, stream, question.reference, stream.reference_bits, stream.reference);
      for (const LossSetting& setting : stream.settings) {
        add(family, stream, setting.name, setting.bits, setting.losses);
      }
    }
  }
  table.note =
      "Mean over passages with its 95 % Student-t interval. Of the reference's: mean loss over mean "
      "loss; passage by passage: the mean of the ratios with its interval.";
  return table;
}

Table thresholds_table(std::span<const ThresholdAnswer> answers, const ThresholdQuestion& question,
                       bool joint) {
  Table table =
      named_table(joint ? "strategies" : "thresholds",
                  fmt::format("{} within a multiple of the loss of {}",
                              joint ? "All streams together" : "Fewest bits", question.reference));
  table.label_columns = 5;
  table.columns = {{"loss", "metric", false},
                   {"family", "family", false},
                   {joint ? "strategy" : "stream", joint ? "strategy" : "stream", false},
                   {"factor", "factor"},
                   {"rule", "rule", false},
                   {"setting", "setting", false},
                   {bits_text(question), "bits (a value)"},
                   {"of the reference's bits", "share_of_reference_bits"},
                   {joint ? "loss ratio by weight" : "loss ratio", "ratio_of_means"},
                   {"passage by passage", "ratio_paired"},
                   {"of more bits, but not within", "fails_above", false}};
  for (const ThresholdAnswer& answer : answers) {
    if ((answer.strategy > 0) != joint) continue;
    std::vector<Cell> row = {text_cell(answer.metric),
                             text_cell(answer.family),
                             text_cell(joint ? fmt::format("{}", answer.strategy) : answer.stream),
                             text_cell(factor_text(answer.factor)),
                             text_cell(rule_name(answer.rule)),
                             text_cell(answer.setting.value_or("none within"))};
    if (answer.setting) {
      row.push_back(fixed_cell(answer.bits, 4));
      row.push_back(fixed_cell(answer.bits / answer.reference_bits, 4));
    } else {
      row.insert(row.end(), 2, text_cell("-"));
    }
    add_ratio(row, answer.ratio, answer.paired);
    row.push_back(text_cell(fmt::format("{}", fmt::join(answer.fails_above, ", "))));
    table.rows.push_back(std::move(row));
  }
  table.note =
      joint
          ? "Strategy 1: one setting for all streams, which is within on each of them; 2: on each "
            "stream its own. Bits and ratio are weighted by the scalars of the streams, or by "
            "--weights."
          : "Point: the mean loss is at most the factor times the reference's. Safe: so is the "
            "upper end of the 95 % Student-t interval of the difference, paired over passages. Of "
            "the settings that were tried; between them nothing is interpolated.";
  return table;
}

Table stream_thresholds_table(std::span<const LossFamily> families, const std::string& reference) {
  Table table = named_table(
      "thresholds", fmt::format("Fewest bits within a multiple of the rel-MSE of {}", reference));
  if (families.empty()) return table;
  table.label_columns = 3;
  table.columns = {{"family", "family", false}, {"factor", "factor"}, {"rule", "rule", false}};
  for (const LossStream& stream : families[0].streams) {
    table.columns.push_back({stream.name, "setting (" + stream.name + ")", false});
    table.columns.push_back({"", "bits a value (" + stream.name + ")"});
  }
  const bool joint = families[0].streams.size() > 1;
  if (joint) {
    table.columns.insert(table.columns.end(),
                         {{"one for all", "setting (strategy 1)", false},
                          {"bits", "bits a value (strategy 1)"},
                          {"each its own: bits", "bits a value (strategy 2)"}});
  }
  const auto add = [](std::vector<Cell>& row, const ThresholdAnswer& answer) {
    const bool found = answer.setting.has_value();
    if (answer.strategy < 2) row.push_back(text_cell(found ? *answer.setting : "none within"));
    row.push_back(found ? number_cell(answer.bits, fmt::format("{:.3f}", answer.bits))
                        : text_cell("-"));
  };
  for (const LossFamily& family : families) {
    for (const double factor : {1.0, 1.05, 1.2}) {
      for (const WithinRule rule : kRules) {
        std::vector<Cell> row = {text_cell(family.family), text_cell(factor_text(factor)),
                                 text_cell(rule_name(rule))};
        for (const LossStream& stream : family.streams)
          add(row, answer_of(family, stream, factor, rule));
        for (int strategy = 1; joint && strategy <= 2; ++strategy)
          add(row, joint_answer(family, strategy, factor, rule));
        table.rows.push_back(std::move(row));
      }
    }
  }
  table.note =
      "Of the settings that were tried. Point: the mean rel-MSE over passages is within; safe: so is "
      "the upper end of the 95 % Student-t interval of the difference, paired over passages. One for "
      "all: one setting that is within on every stream (strategy 1); each its own: on each stream "
      "its own (strategy 2). Measured bits, together by the streams' weights.";
  return table;
}

}  // namespace kakeya
