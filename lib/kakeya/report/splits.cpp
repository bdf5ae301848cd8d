// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "kakeya/report/charts.h"

namespace kakeya {
namespace {

using Members = std::vector<const ResultGroup*>;

/// Groups of one model and mode, where they are of more than one split.
std::vector<Members> sets_of_splits(std::span<const ResultGroup> groups) {
  std::vector<Members> sets;
  for (const ResultGroup& group : groups) {
    if (group.codecs.empty()) continue;
    const auto like = std::find_if(sets.begin(), sets.end(), [&](const Members& members) {
      return members.front()->mode == group.mode &&
             members.front()->results->plan.origin.model == group.results->plan.origin.model;
    });
    if (like == sets.end()) {
      sets.push_back({&group});
    } else {
      like->push_back(&group);
    }
  }
  std::erase_if(sets, [](const Members& members) {
    return std::all_of(members.begin(), members.end(), [&](const ResultGroup* each) {
      return each->results->plan.split == members.front()->results->plan.split;
    });
  });
  return sets;
}

const CodecResult* find(const ResultGroup& group, const std::string& label) {
  for (const CodecResult& codec : group.codecs) {
    if (codec.label == label) return &codec;
  }
  return nullptr;
}

void add_cells(std::vector<Cell>& row, const ResultGroup& group, const CodecResult* codec) {
  if (codec == nullptr) {
    row.resize(row.size() + 5, text_cell("-"));
    return;
  }
  const auto passages = codec->samples.size();
  row.push_back(number_cell(static_cast<double>(passages), std::to_string(passages)));
  row.push_back(whole_cache_cell(*codec));
  row.push_back(rate_cell(codec->coded_bits));
  for (const char* name : {group.likelihoods() ? "kld_mean" : "rel_mse_k",
                           group.likelihoods() ? "delta_ppl" : "rel_mse_v"}) {
    const Interval interval = summary(*codec, metric(name));
    row.push_back(interval_cell(interval, metric_text(metric(name), interval)));
  }
}

Table splits_table(const Members& members) {
  const ResultGroup& first = *members.front();
  Table table = named_table(
      "splits", fmt::format("Splits side by side: {}, {}", first.results->plan.origin.model.name,
                            mode_text(first.mode)));
  table.mode = first.mode;
  table.note = fmt::format(
      "Each split has its own columns and its own passages; nothing is pooled. Choices were made on "
      "development passages, held-out ones were run once they were frozen. ± : half width of the "
      "95 % Student-t interval of the mean over passages. {}",
      kWholeCacheNote);
  table.columns = {{"codec", "codec", false}};
  for (const ResultGroup* group : members) {
    const std::string of = fmt::format("{}, {}", split_text(group->results->plan), group->source);
    const bool likelihoods = group->likelihoods();
    const std::string heading = split_text(group->results->plan);
    table.columns.insert(
        table.columns.end(),
        {{fmt::format("{} ({}): n", heading, group->source), fmt::format("passages of {}", of)},
         {heading + ": whole-cache bits", fmt::format("whole_cache_bits_per_value of {}", of)},
         {heading + ": bits of coded values", fmt::format("real_bits_per_value of {}", of)},
         {heading + (likelihoods ? ": KL divergence" : ": rel-MSE K"),
          fmt::format("{} of {}", likelihoods ? "kld_mean" : "rel_mse_k", of)},
         {heading + (likelihoods ? ": Δppl, %" : ": rel-MSE V"),
          fmt::format("{} of {}", likelihoods ? "delta_ppl" : "rel_mse_v", of)}});
  }
  std::set<std::string> seen;
  for (const ResultGroup* from : members) {
    for (const CodecResult& codec : from->codecs) {
      const auto in = std::count_if(members.begin(), members.end(), [&](const ResultGroup* group) {
        return find(*group, codec.label) != nullptr;
      });
      if (codec.identity() || in < 2 || !seen.insert(codec.label).second) continue;
      std::vector<Cell> row = {text_cell(codec.label)};
      for (const ResultGroup* group : members) add_cells(row, *group, find(*group, codec.label));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

bool cut_alike(const SweepPlan& a, const SweepPlan& b) {
  return a.origin.text.sha256 == b.origin.text.sha256 && a.cut == b.cut &&
         a.context + a.scored == b.context + b.scored && a.origin.tokenizer == b.origin.tokenizer;
}

/// Whether both say which lines of one text are of which split, of one model, and say otherwise.
bool other_lines(const SweepPlan& a, const SweepPlan& b) {
  return a.origin.text.sha256 == b.origin.text.sha256 && a.origin.model == b.origin.model &&
         !a.split_lines.empty() && !b.split_lines.empty() && a.split_lines != b.split_lines;
}

}  // namespace

std::string split_text(const SweepPlan& plan) {
  return plan.split.empty() ? "split not said" : plan.split;
}

std::vector<Table> splits_tables(std::span<const ResultGroup> groups) {
  std::vector<Table> tables;
  for (const Members& members : sets_of_splits(groups)) tables.push_back(splits_table(members));
  return tables;
}

std::vector<std::string> shared_between_splits(std::span<const ResultGroup> groups) {
  std::vector<std::string> found;
  std::set<std::pair<std::string, std::string>> told;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      const SweepPlan &a = groups[i].results->plan, &b = groups[j].results->plan;
      if (other_lines(a, b) && told.insert(std::minmax(a.split_lines, b.split_lines)).second) {
        found.push_back(fmt::format("SPLITS ARE OF OTHER LINES: {} in {} and {} in {}",
                                    a.split_lines, groups[i].source, b.split_lines,
                                    groups[j].source));
      }
      if (a.split.empty() || b.split.empty() || a.split == b.split || !cut_alike(a, b)) continue;
      std::vector<int> both;
      std::ranges::set_intersection(groups[i].passages, groups[j].passages,
                                    std::back_inserter(both));
      if (both.empty()) continue;
      found.push_back(fmt::format("IN BOTH SPLITS: passages {} are {} in {} and {} in {}",
                                  fmt::join(both, ", "), a.split, groups[i].source, b.split,
                                  groups[j].source));
    }
  }
  return found;
}

}  // namespace kakeya
