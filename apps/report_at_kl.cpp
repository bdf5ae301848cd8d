// SPDX-License-Identifier: Apache-2.0
#include "report_at_kl.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

const char* where_text(RateAtLoss::Where where) {
  switch (where) {
    case RateAtLoss::Where::inside:
      return "inside";
    case RateAtLoss::Where::too_fine:
      return "below";
    case RateAtLoss::Where::too_lossy:
      return "above";
    case RateAtLoss::Where::unmeasured:
      break;
  }
  return "unmeasured";
}

SortedJson optional_number(const std::optional<double>& number) {
  return number ? SortedJson(*number) : SortedJson(nullptr);
}

SortedJson bits_json(const BitsAtKl& of) {
  return {{"bits", of.bits.where == RateAtLoss::Where::inside ? SortedJson(of.bits.rate)
                                                              : SortedJson(nullptr)},
          {"where", where_text(of.bits.where)},
          {"ci", range_json(of.interval)},
          {"ratio", optional_number(of.ratio)},
          {"ratio_ci", range_json(of.ratio_interval)}};
}

SortedJson with_profile_json(const FamilyAtKl& family) {
  SortedJson object = SortedJson::object();
  for (std::size_t t = 0; t < kSharedTokens.size(); ++t) {
    SortedJson& of_length = object[fmt::format("{}k", kSharedTokens[t] / 1024)];
    for (std::size_t c = 0; c < kSharingCaches.size(); ++c)
      of_length[sharing_text(kSharingCaches[c])] = optional_number(family.with_profile[t][c]);
  }
  return object;
}

SortedJson family_json(const FamilyAtKl& family) {
  SortedJson object = {
      {"source", family.source},
      {"model", family.model},
      {"mode", family.mode},
      {"split", family.split.empty() ? SortedJson(nullptr) : SortedJson(family.split)},
      {"kl", family.kl},
      {"family", family.family},
      {"legend", family.legend},
      {"where", where_text(family.bits.where)},
      {"ci", range_json(family.interval)},
      {"ratio", optional_number(family.ratio)},
      {"ratio_ci", range_json(family.ratio_interval)},
      {"nearest", family.nearest},
      {"nearest_kl", family.nearest_kl},
      {"nearest_bits", family.nearest_bits},
      {"measured_kl", range_json(family.measured_kl)},
      {"measured_bits", range_json(family.measured_bits)}};
  object["bits"] = family.bits.where == RateAtLoss::Where::inside ? SortedJson(family.bits.rate)
                                                                  : SortedJson(nullptr);
  object["bits_of"] = bits_of_text(family.bits_of);
  object["coded_values"] = bits_json(family.coded);
  object["whole_cache"] = bits_json(family.whole_cache);
  object["whole_cache"]["open_page_known"] = family.open_page_known;
  object["with_profile"] = with_profile_json(family);
  object["profile_bytes"] =
      family.profile_bytes ? SortedJson(*family.profile_bytes) : SortedJson(nullptr);
  constexpr const char* kNames[] = {"profile_bits_2k", "profile_bits_32k", "profile_bits_128k"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    object[kNames[i]] =
        family.profile_bytes ? SortedJson(family.profile_bits[i]) : SortedJson(nullptr);
  }
  return object;
}

}  // namespace

nlohmann::json finite_json(double number) {
  return std::isfinite(number) ? SortedJson(number) : SortedJson(nullptr);
}

nlohmann::json range_json(const std::optional<Range>& range) {
  return range ? SortedJson{finite_json(range->low), finite_json(range->high)}
               : SortedJson(nullptr);
}

SortedJson at_kl_json(std::span<const std::vector<FamilyAtKl>> answers) {
  SortedJson list = SortedJson::array();
  for (const std::vector<FamilyAtKl>& answer : answers) {
    for (const FamilyAtKl& family : answer) list.push_back(family_json(family));
  }
  return list;
}

void print_at_kl(std::span<const std::vector<FamilyAtKl>> answers) {
  for (const std::vector<FamilyAtKl>& answer : answers) {
    const Table table = at_kl_table(answer);
    const bool last = &answer == &answers.back();
    const std::string& split = answer.front().split;
    fmt::print("{}, {} ({}{})\n\n{}\n{}", answer.front().source, mode_text(answer.front().mode),
               answer.front().model, split.empty() ? "" : ", " + split, to_markdown(table),
               last ? table.note + "\n\n" : "");
  }
}

void require_reached(std::span<const std::vector<FamilyAtKl>> answers) {
  if (answers.empty()) {
    throw InputError(
        "--at-kl: no sample with a KL divergence: expected results of a model, not of a dump");
  }
  std::size_t reached = 0;
  for (const std::vector<FamilyAtKl>& answer : answers) reached += not_reached(answer).empty();
  for (const std::vector<FamilyAtKl>& answer : answers) {
    const std::string text = not_reached(answer);
    if (text.empty()) continue;
    if (reached == 0) throw InputError(text);
    fmt::print(stderr, "kakeya-report: {}\n", text);
  }
}

}  // namespace kakeya
