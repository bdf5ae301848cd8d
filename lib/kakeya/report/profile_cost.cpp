// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/profile_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "kakeya/report/charts.h"
#include "kakeya/report/number.h"
#include "kakeya/report/provenance_text.h"
#include "kakeya/report/storage.h"

namespace kakeya {

std::string sharing_text(int caches) { return caches == 0 ? "many" : std::to_string(caches); }

std::optional<std::size_t> profile_bytes_of(const ResultGroup& group, const CodecResult& codec) {
  // By digest: keys and values may have profiles of their own, and later runs name further codecs.
  std::map<std::string, std::size_t> used;
  for (const Provenance& run : group.results->runs) {
    for (const ProfileRecord& profile : run.profiles) {
      for (const ProfileUse& use : profile.uses) {
        if (use.codec != codec.codec_k && use.codec != codec.codec_v) continue;
        std::size_t& bytes = used[profile.sha256];
        bytes = std::max(bytes, use.reader_bytes);
      }
    }
  }
  for (const ProfileRecord& profile : profile_records(group)) {
    if (codec.label.find(short_digest(profile.sha256)) == std::string::npos) continue;
    used.try_emplace(profile.sha256, profile.reader_bytes);
  }
  if (used.empty() && names_profile(codec.label)) return std::nullopt;
  std::size_t bytes = 0;
  for (const auto& [digest, each] : used) bytes += each;
  return bytes;
}

std::optional<double> bits_with_profile(const ResultGroup& group, const CodecResult& codec,
                                        std::size_t bytes, int tokens, int caches) {
  const SweepPlan& plan = group.results->plan;
  if (static_cast<std::size_t>(tokens) < plan.policy.least_tokens()) return std::nullopt;
  const Storage storage = cache_storage(plan, codec, tokens);
  const double share = caches == 0 ? 0 : static_cast<double>(bytes) / caches;
  return 16 * (storage.bytes + share) / storage.bf16_bytes;
}

Table profile_cost_table(const ResultGroup& group) {
  Table table = group_table(group, "bits_with_profile", "Whole-cache bits with the profile");
  table.note = fmt::format(
      "Bits a value of a whole cache of so many tokens that grew in this mode, with its share of "
      "the profile where 1, 100 or many caches share it. Skipped layers, sinks and residual window "
      "in bf16, the rest at the rate measured at {} tokens; where the cache grows half a page of "
      "every frame is open, in bf16{}. A model's own context may be shorter. Without a profile all "
      "three are the same.",
      group.results->plan.context + group.results->plan.scored,
      std::any_of(group.codecs.begin(), group.codecs.end(),
                  [](const CodecResult& codec) { return !codec.open_page_known; })
          ? " (\"≥\": the version that measured this recorded no pages, none is counted as open)"
          : "");
  table.columns = {{"codec", "codec", false}, {"profile bytes", "profile bytes"}};
  for (const int tokens : kSharedTokens) {
    for (const int caches : kSharingCaches) {
      table.columns.push_back(
          {fmt::format("{}k, {}{}", tokens / 1024, sharing_text(caches),
                       caches == 1 ? " cache" : " caches"),
           fmt::format("whole_cache_bits_per_value with profile at {}k, caches: {}", tokens / 1024,
                       sharing_text(caches)),
           true});
    }
  }
  for (const CodecResult& codec : group.codecs) {
    if (codec.identity()) continue;
    const std::optional<std::size_t> bytes = profile_bytes_of(group, codec);
    std::vector<Cell> row = {text_cell(codec.label),
                             bytes ? number_cell(static_cast<double>(*bytes), grouped(*bytes))
                                   : text_cell("not recorded")};
    for (const int tokens : kSharedTokens) {
      for (const int caches : kSharingCaches) {
        const auto bits = bytes || caches == 0
                              ? bits_with_profile(group, codec, bytes.value_or(0), tokens, caches)
                              : std::nullopt;
        row.push_back(
            bits ? number_cell(*bits,
                               fmt::format("{}{:.3f}", codec.open_page_known ? "" : "≥ ", *bits))
                 : text_cell("-"));
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace kakeya
