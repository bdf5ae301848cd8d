// SPDX-License-Identifier: Apache-2.0
#include "report_choose.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/report/choose.h"
#include "kakeya/store/result_store.h"
#include "program.h"
#include "report_at_kl.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

constexpr char kChooseFooter[] = R"(
Of every family the setting of fewest bits a value of the whole cache whose mean KL divergence is at most X, the
cheapest family first; the first row is what to use. Whole cache: skipped layers, sinks and residual window are counted
as the bf16 that they stay. With --tokens the bits are those of one cache of N tokens, the bytes of the profile
included; without, those of the caches that were measured, and the profile's bytes stand in a column of their own.

JSON: an array, one object a family, cheapest first within a folder and mode: `codec` (the setting), `bits_whole_cache`,
`ci` ([low, high], 95 % over passages, null below 8 of them), `open_page_known` (else bits_whole_cache is too few), `kld`, `kld_ci` (null ends of one passage), `within`
("interval" where the upper end of kld_ci is at most X too, else "mean"), `ratio` (of bits_whole_cache to the first's),
`bits_at_kl`, `bits_at_kl_ci`, `ratio_at_kl`, `ratio_at_kl_ci` (at exactly X, interpolated within what was measured;
else null), `encode_us`, `decode_us` (a token, summed over threads; null where not recorded), `times_note` (what those do not
say: they compare no codecs), `profile_bytes`, `profile_bits` (of bits_whole_cache), `claimed` (whether its bits are what kakeya-sweep --claim-bits said), `family`, `source`, `model`, `mode`, `kl`, `tokens`.

Examples:
  kakeya-report choose results/smollm2 --kl 0.005
  kakeya-report choose results/smollm2 --kl 0.005 --tier cold --tokens 131072 --json)";

SortedJson number(const std::optional<double>& value) {
  return value ? SortedJson(*value) : SortedJson(nullptr);
}

SortedJson setting_json(const ChosenSetting& chosen, const ChooseOptions& options) {
  const bool inside = chosen.at_kl.where == RateAtLoss::Where::inside;
  return {{"codec", chosen.codec},
          {"bits_whole_cache", chosen.bits},
          {"open_page_known", chosen.open_page_known},
          {"ci", range_json(chosen.interval)},
          {"kld", chosen.kld.mean},
          {"kld_ci", {finite_json(chosen.kld.low()), finite_json(chosen.kld.high())}},
          {"within", chosen.surely ? "interval" : "mean"},
          {"ratio", chosen.ratio},
          {"bits_at_kl", inside ? SortedJson(chosen.at_kl.rate) : SortedJson(nullptr)},
          {"bits_at_kl_ci", range_json(chosen.at_kl_interval)},
          {"ratio_at_kl", number(chosen.at_kl_ratio)},
          {"ratio_at_kl_ci", range_json(chosen.at_kl_ratio_range)},
          {"encode_us", number(chosen.encode_us)},
          {"decode_us", number(chosen.decode_us)},
          {"times_note", kTimesOfSweeps},
          {"profile_bytes",
           chosen.profile_bytes ? SortedJson(*chosen.profile_bytes) : SortedJson(nullptr)},
          {"profile_bits", chosen.profile_bits},
          {"claimed", is_claimed_label(chosen.codec)},
          {"family", chosen.family},
          {"source", chosen.source},
          {"model", chosen.model},
          {"mode", chosen.mode},
          {"kl", options.kl},
          {"tokens", number(options.tokens)}};
}

}  // namespace

CLI::App* define_report_choose(CLI::App& app, ReportChooseOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "choose", "What to use: the cheapest setting within a KL divergence, whole cache counted");
  sub->add_option("DIR", options.folders, "Folders of results")->required()->type_name("DIR");
  sub->add_option("--kl", options.kl, "The mean KL divergence that a setting may have, nats")
      ->required()
      ->type_name("X");
  sub->add_option(
         "--tier", options.tier,
         "hot: a cache that grows, modes inforward and decode; cold: a finished cache, mode prefix "
         "[every mode with likelihoods]")
      ->check(CLI::IsMember({"hot", "cold"}))
      ->type_name("TIER");
  sub->add_option("--tokens", options.tokens,
                  "Bits of one cache of so many tokens, its profile included [as measured, without "
                  "the profile]")
      ->check(whole_number(1))
      ->type_name("N");
  sub->add_flag("--json", options.json, "Print one JSON array");
  sub->footer(kChooseFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_choose(const ReportChooseOptions& options) {
  ChooseOptions asked{options.kl, {}, {}};
  if (!options.tier.empty()) asked.tier = options.tier == "hot" ? Tier::hot : Tier::cold;
  if (options.tokens) asked.tokens = static_cast<double>(*options.tokens);
  std::vector<StoredResults> results;
  for (const std::string& folder : options.folders) results.push_back(read_results(folder));
  SortedJson list = SortedJson::array();
  std::vector<std::string> nothing;
  std::string text;
  for (const ResultGroup& group : group_results(results)) {
    if (!group.likelihoods() || !mode_of_tier(group.mode, asked.tier)) continue;
    for (const std::string& warning : group.warnings)
      fmt::print(stderr, "kakeya-report: {}\n", warning);
    const std::vector<ChosenSetting> answer = choose_settings(group, asked);
    if (answer.empty()) {
      nothing.push_back(nothing_chosen(group, asked));
      continue;
    }
    for (const ChosenSetting& chosen : answer) list.push_back(setting_json(chosen, asked));
    const Table table = choose_table(answer, asked);
    text += fmt::format("{}\n\n{}\n{}\n\n{}\n\n", chosen_sentence(answer, asked),
                        to_markdown(table), table.note, kTimesOfSweeps);
  }
  if (list.empty()) {
    throw InputError(nothing.empty() || nothing.front().empty()
                         ? fmt::format("choose: no lossy setting with a KL divergence{}: expected "
                                       "results of a model, not of a dump",
                                       options.tier.empty() ? "" : " in tier " + options.tier)
                         : nothing.front());
  }
  for (const std::string& line : nothing) {
    if (!line.empty()) fmt::print(stderr, "kakeya-report: {}\n", line);
  }
  options.json ? fmt::print("{}\n", list.dump(2)) : fmt::print("{}", text);
}

}  // namespace kakeya
