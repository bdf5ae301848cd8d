// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/summary_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "kakeya/report/charts.h"
#include "kakeya/report/number.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

/// Distortions a reader may have in mind; the first ones are there where there is room for few.
constexpr std::array<double, 5> kLevels = {0.01, 0.1, 0.001, 0.03, 0.003};
constexpr std::size_t kMostRows = 25, kMostWords = 300;

std::vector<double> levels_for(std::size_t groups) {
  const std::size_t count = std::clamp<std::size_t>(kMostRows / groups, 1, kLevels.size());
  std::vector<double> levels(kLevels.begin(), kLevels.begin() + static_cast<long>(count));
  std::sort(levels.begin(), levels.end(), std::greater<>());
  return levels;
}

/// The setting of fewest measured bits that distorts keys no more than this; nullptr where there is
/// none.
const CodecResult* cheapest_within(const ResultGroup& group, double level) {
  const CodecResult* best = nullptr;
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity() || summary(codec, metric("rel_mse_k")).mean > level) continue;
    if (!best || codec.rates.measured < best->rates.measured) best = &codec;
  }
  return best;
}

std::vector<Cell> distortion_row(const ResultGroup& group, const std::string& of, double level) {
  std::vector<Cell> row = {text_cell(of), number_cell(level, full_precision(level))};
  const CodecResult* codec = cheapest_within(group, level);
  if (!codec) {
    row.push_back(text_cell("nothing measured loses so little"));
    row.resize(7, text_cell("-"));
    return row;
  }
  row.push_back(text_cell(codec->label));
  row.push_back(whole_cache_cell(*codec));
  row.push_back(rate_cell(codec->coded_bits));
  for (const char* name : {"rel_mse_k", "rel_mse_v"}) {
    const Interval interval = summary(*codec, metric(name));
    row.push_back(interval_cell(interval, metric_text(metric(name), interval)));
  }
  return row;
}

/// Of the groups without likelihoods.
Table distortion_front_table(std::span<const ResultGroup* const> members,
                             std::span<const std::string> names) {
  Table table;
  table.columns = {
      {members.size() > 1 ? "of" : "", "", false},
      {"rel-MSE K at most", ""},
      {fmt::format("setting of fewest bits, {}", bits_of_text(members.front()->bits_of)), "",
       false},
      {"whole-cache bits", ""},
      {"bits of coded values", ""},
      {"rel-MSE K", ""},
      {"rel-MSE V", ""}};
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::string of = names[i];
    for (const double level : levels_for(members.size()))
      table.rows.push_back(distortion_row(*members[i], std::exchange(of, ""), level));
  }
  return table;
}

std::string exact_text(const SweepPlan& plan) {
  std::string text =
      plan.policy.skipped_layers == 0
          ? fmt::format("all {} layers coded", plan.shape.layers)
          : fmt::format("the first and last {} of {} layers stay bf16, in whole-cache bits alone",
                        plan.policy.skipped_layers, plan.shape.layers);
  if (!plan.policy.skipped.empty()) {
    text = fmt::format("layers {} of {} stay bf16, in whole-cache bits alone",
                       plan.policy.all_skipped().text(), plan.shape.layers);
  }
  for (const std::string& words : exact_token_words(plan.policy)) {
    text += fmt::format("; {} in bf16, counted", words);
  }
  return text;
}

std::string profile_text(const ResultGroup& group) {
  std::set<std::size_t> bytes;
  for (const ProfileRecord& profile : profile_records(group)) bytes.insert(profile.reader_bytes);
  if (bytes.empty()) return "";
  const auto bits = [&](int tokens) {
    const SweepPlan& plan = group.results->plan;
    const std::string low = significant(profile_bits(plan, *bytes.begin(), tokens), 2),
                      high = significant(profile_bits(plan, *bytes.rbegin(), tokens), 2);
    return bytes.size() == 1 ? low : fmt::format("{} to {}", low, high);
  };
  return fmt::format(
      "; profiles, once a model and in no rate: {} bits a value of one cache of 2k tokens, {} at "
      "128k",
      bits(kProfileTokens.front()), bits(kProfileTokens.back()));
}

std::string line_of(const ResultGroup& group, const std::string& name,
                    const std::string& in_brief) {
  const SweepPlan& plan = group.results->plan;
  return fmt::format("- **{}**: {}{}{} passages of {}, {} + {} tokens; {}{}; {}.\n", name,
                     in_brief.empty() ? "" : in_brief + " Measured on ", group.passages.size(),
                     plan.split.empty() ? "" : " " + plan.split, plan.origin.text.name,
                     plan.context, plan.scored, exact_text(plan), profile_text(group),
                     commits_text(*group.results));
}

/// Codecs of which no page was full in any passage, so that whole-cache bits are those of bf16.
std::string never_full_text(const ResultGroup& group, const std::string& name) {
  std::vector<std::string> codecs;
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity() || !cache_grows(group.mode)) continue;
    if (std::ranges::all_of(codec.samples, [](const Sample* each) { return fills_no_page(*each); }))
      codecs.push_back(fmt::format("`{}`", codec.label));
  }
  if (codecs.empty()) return "";
  return fmt::format(
      "- **{}: no page was full** in {} tokens of {}: their whole caches are bf16, whatever their "
      "coded values take; `page=N` makes smaller pages.\n",
      name, group.results->plan.context + group.results->plan.scored, fmt::join(codecs, ", "));
}

/// A line a group; of many groups what came out alone.
std::string lines_of(std::span<const ResultGroup* const> groups, std::span<const std::string> names,
                     std::span<const InBrief* const> in_brief) {
  std::string lines, shorter;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    lines += line_of(*groups[i], names[i], in_brief[i]->full);
    lines += never_full_text(*groups[i], names[i]);
    if (!in_brief[i]->shorter.empty()) {
      shorter += fmt::format("- **{}**: {}\n", names[i], in_brief[i]->shorter);
    }
  }
  if (static_cast<std::size_t>(std::ranges::count(lines, ' ')) < kMostWords) return lines;
  return fmt::format(
             "{} sets of samples; [details.md](details.md#what-was-run) has passages, text and what "
             "stays bf16. BD-rate: bits of the {} at equal loss, on average over the losses that "
             "both reach (95 % interval).\n\n",
             groups.size(), bits_of_text(groups.front()->bits_of)) +
         shorter;
}

/// Of a table of plans, by codec: how many lose less than it at equal bits, and the range of ratios.
std::string plans_in_brief(const Table& table) {
  struct Plans {
    std::size_t all = 0, better = 0;
    double least = 0, most = 0;  // log2 of KL over uniform
  };
  std::vector<std::string> order;
  std::map<std::string, Plans> families;
  for (const std::vector<Cell>& row : table.rows) {
    const std::string& family = row[1].text;
    if (!families.contains(family)) order.push_back(family);
    Plans& plans = families[family];
    const double log2 = row[7].value.value_or(0);
    plans.least = plans.all == 0 ? log2 : std::min(plans.least, log2);
    plans.most = plans.all == 0 ? log2 : std::max(plans.most, log2);
    ++plans.all;
    plans.better += row.back().text == "better";
  }
  std::vector<std::string> words;
  for (const std::string& family : order) {
    const Plans& plans = families[family];
    words.push_back(fmt::format("{}: {} of {} better, {:.3f} to {:.3f}", family, plans.better,
                                plans.all, std::exp2(plans.least), std::exp2(plans.most)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

/// What a reader came for where there are splits or plans: their tables, or, where these are longer
/// than a screen has room for, a line each.
void lead(Document& out, const SweepReport& report) {
  std::size_t rows = 0;
  for (const Table& table : report.splits) rows += table.rows.size();
  for (const Table& table : report.plans) rows += table.rows.size();
  std::string title;  // of the lines above
  const auto add = [&](const Table& table, const std::string& of, const std::string& brief) {
    if (table.rows.empty()) return;
    if (rows <= kMostRows) {
      out.paragraph(fmt::format("## {}{}", table.title, of.empty() ? of : ": " + of));
      out.markdown += to_markdown(table) + "\n";
      out.paragraph(table.note);
    } else if (of.empty()) {
      out.markdown += fmt::format("- {}: {}.\n", table.title, brief);
    } else {
      if (std::exchange(title, table.title) != table.title) {
        out.markdown += fmt::format("- {}, KL over uniform:\n", table.title);
      }
      out.markdown += fmt::format("  - {}: {}.\n", of, brief);
    }
  };
  for (const Table& table : report.splits) {
    add(table, "", fmt::format("{} settings", table.rows.size()));
  }
  for (const Table& table : report.plans) add(table, table.source, plans_in_brief(table));
  if (rows > kMostRows) out.markdown += "\n";
}

/// The first table of the page, and how to read it.
void what_to_use(Document& out, std::span<const Choice> choices) {
  const Table table = choices_table(choices);
  if (!table.rows.empty()) {
    out.paragraph(fmt::format("## {}", table.title));
    out.markdown += to_markdown(table) + "\n";
  }
  if (!table.note.empty()) out.paragraph(table.note);
}

}  // namespace

std::string summary_page(const SweepReport& report, std::span<const ResultGroup> groups,
                         std::span<const InBrief> in_brief) {
  Document out;
  std::set<std::string> models;
  for (const ResultGroup& group : groups) models.insert(group.results->plan.origin.model.name);
  out.paragraph(fmt::format("# KV-cache compression: {}", fmt::join(models, ", ")));
  out.paragraph(
      "Bits of coded values are 8 x the bytes written over the values coded, headers and side tables "
      "included. Whole-cache bits are of all bytes of the cache over all its values: skipped layers, "
      "sinks, residual window and, while it grows, open pages in bf16 too (\"≥\": measured by a "
      "version that recorded no open pages, which count as written). Profiles are in neither; "
      "with them: [details.md](details.md), which has every codec, comparison and command. Full "
      "precision: [results.csv](results.csv).");
  out.markdown += report.attention();
  what_to_use(out, report.choices);
  std::vector<std::string> others;
  for (const Chart& chart : report.charts) {
    const bool leading = chart.name.starts_with("kld_") || chart.name.starts_with("rel_mse_");
    if (leading && !chart.name.ends_with(kAllFamilies)) {
      out.paragraph(fmt::format("![{}]({}.svg)", chart.title, chart.name));
    } else {
      others.push_back(fmt::format("[{0}]({0}.svg)", chart.name));
    }
  }
  std::vector<const ResultGroup*> measured, distorted;
  std::vector<std::string> names, distorted_names;
  std::vector<const InBrief*> brief;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].codecs.empty()) continue;
    const std::string name =
        fmt::format("{}, {}", group_title(groups[i], groups), mode_text(groups[i].mode));
    measured.push_back(&groups[i]);
    names.push_back(name);
    brief.push_back(&in_brief[i]);
    if (groups[i].likelihoods()) continue;
    distorted.push_back(&groups[i]);
    distorted_names.push_back(name);
  }
  if (!measured.empty()) out.markdown += lines_of(measured, names, brief) + "\n";
  lead(out, report);
  for (const std::vector<FamilyAtKl>& answer : report.at_kl) {
    const Table table = at_kl_table(answer);
    out.paragraph(fmt::format("## {}, {}, {}", table.title, answer.front().source,
                              mode_text(answer.front().mode)));
    out.markdown += to_markdown(table) + "\n";
    out.paragraph(table.note);
  }
  if (!distorted.empty())
    out.markdown += to_markdown(distortion_front_table(distorted, distorted_names)) + "\n";
  if (!others.empty()) out.paragraph(fmt::format("More charts: {}.", fmt::join(others, ", ")));
  return out.markdown;
}

}  // namespace kakeya
