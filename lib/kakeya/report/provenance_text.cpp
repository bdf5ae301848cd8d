// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/provenance_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

namespace kakeya {
namespace {

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

/// The runs of the folder that made samples of this group: run r made the samples from its own
/// first one up to the next run's.
std::vector<const Provenance*> runs_of(const ResultGroup& group) {
  const StoredResults& results = *group.results;
  std::set<std::size_t> makers;
  for (const CodecResult& codec : group.codecs) {
    for (const Sample* sample : codec.samples) {
      const auto index = static_cast<std::size_t>(sample - results.samples.data());
      std::size_t run = 0;
      for (std::size_t r = 0; r < results.first_samples.size(); ++r) {
        if (results.first_samples[r] <= index) run = r;
      }
      makers.insert(run);
    }
  }
  std::vector<const Provenance*> runs;
  for (std::size_t run : makers) {
    if (run < results.runs.size()) runs.push_back(&results.runs[run]);
  }
  return runs;
}

/// Words of a command whose values say which part of a grid or text it took, and where it wrote.
constexpr std::array<std::string_view, 6> kPartFlags = {
    "--first-passage", "--passages", "--first-window", "--windows", "--shard", "--out"};

/// The command without the values of kPartFlags: equal for those that share a measurement out.
std::string without_part(const std::vector<std::string>& command) {
  std::string text;
  for (std::size_t word = 0; word < command.size(); ++word) {
    text += command[word] + '\n';
    if (std::ranges::find(kPartFlags, command[word]) != kPartFlags.end()) ++word;
  }
  return text;
}

/// Commands one after another, those of parts once: "`... --first-window 0 ...` (the first of 12 parts)".
std::string commands_text(const std::vector<const Provenance*>& runs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> measurements;
  for (const Provenance* run : runs) {
    const std::string of = without_part(run->command);
    auto at = std::ranges::find(measurements, of, [](const auto& each) { return each.first; });
    if (at == measurements.end()) at = measurements.insert(at, {of, {}});
    add_once(at->second, fmt::format("`{}`", shell_text(run->command)));
  }
  std::vector<std::string> texts;
  for (const auto& [of, commands] : measurements) {
    texts.push_back(commands.size() == 1 ? commands.front()
                                         : fmt::format("{} (the first of {} parts)",
                                                       commands.front(), commands.size()));
  }
  return fmt::format("{}", fmt::join(texts, ", then "));
}

constexpr char kCutBy[] = "text cut by", kSplit[] = "split";  // facts only where written down

std::string plugins_text(const ResultGroup& group) {
  std::vector<std::string> plugins;
  for (const Provenance* run : runs_of(group)) {
    for (const PluginRecord& plugin : run->plugins) {
      add_once(plugins, fmt::format("{} ({})", plugin.file, short_digest(plugin.sha256)));
    }
  }
  return plugins.empty() ? "-" : fmt::format("{}", fmt::join(plugins, ", "));
}

}  // namespace

std::string short_digest(const std::string& digest) {
  return digest.empty() ? "-" : digest.substr(0, 16);
}

std::vector<ProfileRecord> profile_records(const ResultGroup& group) {
  std::vector<ProfileRecord> records;
  for (const Provenance* run : runs_of(group)) {
    for (const ProfileRecord& profile : run->profiles) {
      const auto seen = std::ranges::find(records, profile.sha256, &ProfileRecord::sha256);
      if (seen == records.end()) {
        records.push_back(profile);
        continue;
      }
      seen->reader_bytes = std::max(seen->reader_bytes, profile.reader_bytes);
      if (!profile.shared_passages) continue;
      std::vector<int> both = seen->shared_passages.value_or(std::vector<int>{});
      both.insert(both.end(), profile.shared_passages->begin(), profile.shared_passages->end());
      std::ranges::sort(both);
      const auto again = std::ranges::unique(both);
      both.erase(again.begin(), again.end());
      seen->shared_passages = std::move(both);
    }
  }
  return records;
}

double profile_bits(const SweepPlan& plan, std::size_t bytes, int tokens) {
  const double values_a_token = 2.0 * plan.shape.layers * plan.shape.kv_heads * plan.shape.head_dim;
  return 8 * static_cast<double>(bytes) / (values_a_token * tokens);
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"\\$`!*?[](){}<>|&;#~") == std::string::npos;
    std::string quoted = word;
    if (!plain) {
      for (std::size_t at = 0; (at = quoted.find('\'', at)) != std::string::npos; at += 4)
        quoted.replace(at, 1, "'\\''");
      quoted = fmt::format("'{}'", quoted);
    }
    text.append(text.empty() ? "" : " ").append(quoted);
  }
  return text;
}

std::string provenance_line(const ResultGroup& group) {
  const std::vector<const Provenance*> runs = runs_of(group);
  if (runs.empty()) return "Commit, device, command: not recorded.";
  std::vector<std::string> commits, devices;
  for (const Provenance* run : runs) {
    add_once(commits, run->commit);
    add_once(devices, fmt::format("{} ({}, {} threads)", run->device, run->host, run->threads));
  }
  return fmt::format("Commit: {} · device: {} · command: {}", fmt::join(commits, ", "),
                     fmt::join(devices, "; "), commands_text(runs));
}

std::string commits_text(const StoredResults& results) {
  std::set<std::string> commits;
  for (const Provenance& run : results.runs) commits.insert(run.commit);
  return commits.empty() ? "commit not recorded"
                         : fmt::format("commit {}", fmt::join(commits, ", "));
}

Table circumstances_table(std::span<const ResultGroup> groups) {
  Table table = named_table("circumstances", "What was run");
  table.columns = {{" ", "fact", false}};
  struct Fact {
    std::string name;
    std::function<std::string(const ResultGroup&)> text;
  };
  std::vector<Fact> facts = {
      {"model", [](const ResultGroup& g) { return g.results->plan.origin.model.name; }},
      {"model sha256",
       [](const ResultGroup& g) { return short_digest(g.results->plan.origin.model.sha256); }},
      {"architecture",
       [](const ResultGroup& g) {
         const SweepPlan& plan = g.results->plan;
         return fmt::format("{}, {} layers, {} KV heads of {}", plan.origin.architecture,
                            plan.shape.layers, plan.shape.kv_heads, plan.shape.head_dim);
       }},
      {"arithmetic", [](const ResultGroup& g) { return g.results->plan.dtype; }},
      {"device", [](const ResultGroup& g) { return g.results->plan.device; }},
      {"text", [](const ResultGroup& g) { return g.results->plan.origin.text.name; }},
      {"text sha256",
       [](const ResultGroup& g) { return short_digest(g.results->plan.origin.text.sha256); }},
      {"tokenizer",
       [](const ResultGroup& g) { return described(g.results->plan.origin.tokenizer); }},
      {kCutBy,
       [](const ResultGroup& g) {
         const std::string& cut = g.results->plan.cut;
         return cut.empty() ? "-" : cut;
       }},
      {"passages", [](const ResultGroup& g) { return std::to_string(g.passages.size()); }},
      {kSplit,
       [](const ResultGroup& g) {
         const std::string &split = g.results->plan.split, &lines = g.results->plan.split_lines;
         if (split.empty() || g.passages.empty()) return std::string("not said");
         return fmt::format("{}: {} to {}{}", split, g.passages.front(), g.passages.back(),
                            lines.empty() ? "" : fmt::format(" (lines of the text: {})", lines));
       }},
      {"context + scored tokens",
       [](const ResultGroup& g) {
         return fmt::format("{} + {}", g.results->plan.context, g.results->plan.scored);
       }},
      {"K tapped", [](const ResultGroup& g) { return std::string(tap_name(g.results->plan.tap)); }},
  };
  for (const PolicyNumber& number : policy_numbers()) {
    const auto value = [&number](const ResultGroup& g) {
      return g.results->plan.policy.*number.value;
    };
    if (number.value == &CachePolicy::skipped_layers &&
        std::any_of(groups.begin(), groups.end(),
                    [](const auto& g) { return !g.results->plan.policy.skipped.empty(); })) {
      facts.push_back({"skipped layers kept bf16", [](const ResultGroup& g) {
                         const CachePolicy& policy = g.results->plan.policy;
                         return "layers " + policy.all_skipped().text();
                       }});
      continue;
    }
    if (number.may_lack &&
        std::all_of(groups.begin(), groups.end(), [&](const auto& g) { return value(g) == 0; })) {
      continue;
    }
    const std::string before = number.tokens == nullptr ? number.before : "";
    facts.push_back(
        {number.fact, [=](const ResultGroup& g) { return before + std::to_string(value(g)); }});
  }
  facts.push_back(
      {"seed", [](const ResultGroup& g) { return std::to_string(g.results->plan.seed); }});
  if (std::ranges::any_of(groups, [](const auto& g) { return plugins_text(g) != "-"; })) {
    facts.push_back({"plugins", plugins_text});
  }
  for (const Fact& fact : facts) table.rows.push_back({text_cell(fact.name)});
  std::vector<std::string> seen;
  for (const ResultGroup& group : groups) {
    if (std::find(seen.begin(), seen.end(), group.source) != seen.end()) continue;
    seen.push_back(group.source);
    table.columns.push_back({group.source, group.source, false});
    for (std::size_t i = 0; i < facts.size(); ++i)
      table.rows[i].push_back(text_cell(facts[i].text(group)));
  }
  const bool cut = std::any_of(groups.begin(), groups.end(), [](const ResultGroup& group) {
    return !group.results->plan.cut.empty();
  });
  const bool split = std::any_of(groups.begin(), groups.end(), [](const ResultGroup& group) {
    return !group.results->plan.split.empty();
  });
  if (!split) std::erase_if(table.rows, [](const auto& row) { return row.front().text == kSplit; });
  if (!cut) std::erase_if(table.rows, [](const auto& row) { return row.front().text == kCutBy; });
  return table;
}

Table profiles_table(std::span<const ResultGroup> groups) {
  Table table = named_table("profiles", "Profiles of calibrated codecs");
  table.note =
      "A reader of the codec that needs most of it needs the bytes once a model, and no rate "
      "counts them. Bits a value: those bytes spread over the values of one cache of so many "
      "tokens.";
  table.columns = {{"profile", "profile", false},
                   {"calibrated on", "calibrated on", false},
                   {"passages x tokens", "passages x tokens", false},
                   {"bytes", "reader bytes"}};
  for (const int tokens : kProfileTokens) {
    const std::string heading = fmt::format("bits a value at {}k", tokens / 1024);
    table.columns.push_back({heading, heading});
  }
  struct Used {
    ProfileRecord profile;
    const SweepPlan* plan;
  };
  std::vector<Used> all;
  for (const ResultGroup& group : groups) {
    for (ProfileRecord& profile : profile_records(group)) {
      const auto seen = std::ranges::find(all, profile.sha256,
                                          [](const Used& used) { return used.profile.sha256; });
      if (seen == all.end()) {
        all.push_back({std::move(profile), &group.results->plan});
      } else {
        seen->profile.reader_bytes = std::max(seen->profile.reader_bytes, profile.reader_bytes);
      }
    }
  }
  for (const auto& [profile, plan] : all) {
    std::vector<Cell> row = {text_cell(short_digest(profile.sha256)), text_cell(profile.text_name),
                             text_cell(fmt::format("{} x {}, without {} sinks", profile.passages,
                                                   profile.context, profile.sinks)),
                             number_cell(static_cast<double>(profile.reader_bytes),
                                         std::to_string(profile.reader_bytes))};
    for (const int tokens : kProfileTokens) {
      row.push_back(fixed_cell(profile_bits(*plan, profile.reader_bytes, tokens), 4));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya
