// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/report/sweep_report.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/result_store.h"
#include "program.h"
#include "report_at_kl.h"
#include "report_attention.h"
#include "report_audit.h"
#include "report_capacity.h"
#include "report_choose.h"
#include "report_cold.h"
#include "report_generate.h"
#include "report_gpu.h"
#include "report_layers.h"
#include "report_needle.h"
#include "report_positions.h"
#include "report_published.h"
#include "report_rd.h"
#include "report_storage.h"
#include "report_streaming.h"
#include "report_streams.h"
#include "report_thresholds.h"
#include "report_verify.h"

namespace {

constexpr char kFooter[] = R"(
DIR is a folder that kakeya-sweep wrote (samples.jsonl and provenance.json). Several folders, such as one
a model, become panels of the same charts. Written into R:

  report.md     one screen: what to use at a KL divergence of 0.02 and of 0.005, as kakeya-report choose
                answers it (the cheapest setting in bits of the whole cache, its interval, what it costs
                to decode, what it beats by how much); the chart; what was measured and what it says in
                short; splits of passages side by side. Of a dump, settings of fewest bits by rel-MSE
  details.md    what to use of every family; per codec: measured, nominal, codebook and entropy bits, KL
                divergence, perplexity, top-1, rel-MSE with 95 % Student-t intervals; BD-rates and
                paired comparisons against a baseline (t and BCa intervals, Holm-corrected, equivalence,
                what n could detect); where the measured bits go; measured bits at equal KL divergence;
                compression within a perplexity budget; pairs at equal measured bits; storage at 131,072
                tokens; under each table commit, device, command
  results.csv   the tables of details.md in long format and full precision
  *.svg *.png   KL divergence and |delta-ppl| against the measured bits, Pareto front in colour;
                *.gp and *.dat beside them redraw with: gnuplot NAME.gp

A chart shows at most six families, those with most settings on the Pareto front, one a codec first;
where there are more, NAME_all has them all. --families chooses others.

--at-kl X answers which codec: the measured bits that each family needs at a KL divergence of X nats, with
95 % bootstrap interval, of the coded values and of the whole cache, the nearest measured setting and what its profile costs. Nothing is
extrapolated. Without --out the answer is printed and no report written. Exit code 1 when no family
reaches X.

Bits say what they are of: coded values (what codecs are given, sinks and residual window in bf16 among
it), the whole cache (skipped layers and, while it grows, pages that are not full in bf16 too), and the
whole cache with the profile for one cache of 8k, 32k and 128k tokens and for 1, 100 and many caches that
share it. --bits says which of the first two is compared; tables and JSON have both.

The samples are only read. Exit code 1 when the control fails (identity is there and not exactly zero);
the report is written all the same and says so. Failed cells, unequal passages and passages that share
text with what a profile was calibrated on are warnings.

Examples:
  kakeya-report results/smollm2 --out results/smollm2/report
  kakeya-report results/smollm2 --at-kl 0.01
  kakeya-report results/smollm2 --at-kl 0.01 --bits whole-cache --json
  kakeya-report results/smollm2 --families 'klt*' kivi q8_0 --out results/smollm2/report
  kakeya-report results/nano results/smollm2 --out reports/both --json)";

/// A word that stands for something else than a folder (a folder of that name is given as ./gpu), and
/// the report that it makes.
struct Subcommand {
  std::string_view name;
  std::function<CLI::App*(CLI::App&)> define;
  std::function<bool()> chosen;
  std::function<void(const std::vector<std::string>& arguments)> run;
};

template <typename Asked, typename... Arguments>
Subcommand subcommand(std::string_view name, CLI::App* (*define)(CLI::App&, Asked&),
                      void (*run)(const Asked&, Arguments...)) {
  const auto asked = std::make_shared<Asked>();
  return {name, [=](CLI::App& app) { return define(app, *asked); }, [=] { return asked->chosen; },
          [=](const std::vector<std::string>& arguments) {
            if constexpr (sizeof...(Arguments) == 0) {
              run(*asked);
            } else {
              run(*asked, arguments);
            }
          }};
}

/// In the order of --help. A further report is a line here.
const std::vector<Subcommand>& subcommands() {
  static const std::vector<Subcommand> all = {
      subcommand("rd", kakeya::define_report_rd, kakeya::run_report_rd),
      subcommand("published", kakeya::define_report_published, kakeya::run_report_published),
      subcommand("audit", kakeya::define_report_audit, kakeya::run_report_audit),
      subcommand("gpu", kakeya::define_report_gpu, kakeya::run_report_gpu),
      subcommand("attention", kakeya::define_report_attention, kakeya::run_report_attention),
      subcommand("cold", kakeya::define_report_cold, kakeya::run_report_cold),
      subcommand("generate", kakeya::define_report_generate, kakeya::run_report_generate),
      subcommand("needle", kakeya::define_report_needle, kakeya::run_report_needle),
      subcommand("choose", kakeya::define_report_choose, kakeya::run_report_choose),
      subcommand("layers", kakeya::define_report_layers, kakeya::run_report_layers),
      subcommand("positions", kakeya::define_report_positions, kakeya::run_report_positions),
      subcommand("verify", kakeya::define_report_verify, kakeya::run_report_verify),
      subcommand("streaming", kakeya::define_report_streaming, kakeya::run_report_streaming),
      subcommand("storage", kakeya::define_report_storage, kakeya::run_report_storage),
      subcommand("capacity", kakeya::define_report_capacity, kakeya::run_report_capacity),
      subcommand("thresholds", kakeya::define_report_thresholds, kakeya::run_report_thresholds),
      subcommand("streams", kakeya::define_report_streams, kakeya::run_report_streams)};
  return all;
}

bool is_reserved(std::string_view word) {
  return std::ranges::any_of(subcommands(), [&](const auto& sub) { return sub.name == word; });
}

struct Options {
  std::vector<std::string> folders, only;
  std::string out;
  kakeya::ComparisonOptions comparison;
  kakeya::SweepReportOptions asked;
  bool json = false, no_charts = false;
};

void require_folders(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    if (is_reserved(folder)) {
      throw kakeya::SpecError(fmt::format(
          "{0}: a reserved word, not a folder: write ./{0} for a folder of that name", folder));
    }
  }
}

/// The command line with an --only before each pattern that follows one: `--only A B DIR` means
/// `--only A --only B DIR`. A folder that exists, or the next option, ends them; the first word is
/// a pattern always.
std::vector<std::string> spread_only(const std::vector<std::string>& arguments) {
  std::vector<std::string> spread;
  std::size_t patterns = 0;
  bool among = false;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) {
      among = argument == "--only";
      patterns = 0;
    } else if (among && patterns++ > 0) {
      among = !std::filesystem::is_directory(argument);
      if (among) spread.emplace_back("--only");
    }
    spread.push_back(argument);
  }
  return spread;
}

void run(const Options& options, const std::vector<std::string>& arguments) {
  require_folders(options.folders);
  const bool asked_at_kl = !options.asked.at_kl.empty();
  if (options.out.empty() && !asked_at_kl)
    throw kakeya::SpecError("expected --out, the folder for the report, or --at-kl");
  std::vector<kakeya::StoredResults> results;
  for (const std::string& folder : options.folders) results.push_back(kakeya::read_results(folder));
  const kakeya::SweepReport report =
      kakeya::make_sweep_report(results, kakeya::make_provenance(arguments, 1), options.comparison,
                                options.only, options.asked);
  for (const std::string& warning : report.warnings)
    fmt::print(stderr, "kakeya-report: {}\n", warning);
  std::vector<std::string> files;
  if (!options.out.empty()) files = kakeya::write_document(report, options.out, !options.no_charts);
  if (options.json) {
    nlohmann::json document = {
        {"out", options.out},          {"files", files},
        {"codecs", report.codecs},     {"passages", report.passages},
        {"warnings", report.warnings}, {"control_broken", report.control_broken}};
    if (asked_at_kl) document["at_kl"] = kakeya::at_kl_json(report.at_kl);
    fmt::print("{}\n", document.dump(2));
  } else if (asked_at_kl) {
    kakeya::print_at_kl(report.at_kl);
  }
  if (!options.json && !options.out.empty()) {
    fmt::print("{} codecs, {} passages: {}/report.md\n", report.codecs, report.passages,
               options.out);
  }
  if (report.control_broken) {
    throw kakeya::InputError(fmt::format(
        "{}/report.md: identity is not exactly zero: expected a control that changes nothing",
        options.out));
  }
  if (asked_at_kl) kakeya::require_reached(report.at_kl);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  std::vector<std::string> spread = spread_only(arguments);
  std::vector<char*> words;
  for (std::string& word : spread) words.push_back(word.data());
  Options options;
  const bool of_samples = !is_reserved(argc < 2 ? "" : argv[1]);
  return kakeya::run_program(
      static_cast<int>(words.size()), words.data(), "report",
      "Tables and charts from the samples of kakeya-sweep.",
      [&](CLI::App& app) {
        app.add_option("DIR", options.folders, "Folders of results")->required(of_samples);
        app.add_option("--out", options.out,
                       "Folder for the report, made if missing; required without --at-kl");
        app.add_option("--baseline", options.comparison.baseline,
                       "The family that others are compared with, as a report names it; without: "
                       "the first there is of d4, e8:rule=published, e8");
        app.add_option("--only", options.only,
                       "Only families that one of these patterns matches (* stands for anything), "
                       "and the control; the next option or a folder that exists ends them")
            ->allow_extra_args(false);
        app.add_option("--at-kl", options.asked.at_kl,
                       "Which codec: the measured bits that each family needs at this mean KL "
                       "divergence, in nats; may be given several times")
            ->allow_extra_args(false);
        app.add_option_function<std::string>(
               "--bits",
               [&](const std::string& text) {
                 options.asked.bits_of = kakeya::parse_bits_of(text);
               },
               "What measured bits are of that are compared and charted: coded (the values that "
               "codecs are given) or whole-cache (skipped layers and open pages in bf16 too; "
               "what settings are chosen by always) [coded]")
            ->type_name("OF");
        app.add_option("--families", options.asked.chart_families,
                       "The families in the charts, in place of six chosen by rule: patterns (* "
                       "stands for anything), up to the next option; 'PATTERN -> NAME' calls "
                       "them NAME in the key");
        app.add_option("--margin", options.comparison.margin_bits,
                       "Margin of equivalence, in measured bits a value")
            ->capture_default_str();
        app.add_flag(
            "--json", options.json,
            "Print one JSON document: out, files, codecs, passages, warnings, control_broken; with "
            "--at-kl also at_kl");
        app.add_flag("--layer-maps", options.asked.layer_maps,
                     "Also heat maps of the rel-MSE and cosine of every layer, in details.md");
        app.add_flag("--no-charts", options.no_charts,
                     "Write the charts' data and scripts, but do not run gnuplot");
        app.footer(kFooter);
        // What stands before the name of a subcommand would have no part in its report.
        for (const Subcommand& command : subcommands()) {
          CLI::App* const sub = command.define(app);
          if (!of_samples) continue;
          sub->preparse_callback([sub](std::size_t) { require_folders({sub->get_name()}); });
        }
      },
      [&] {
        const auto chosen =
            std::ranges::find_if(subcommands(), [](const auto& sub) { return sub.chosen(); });
        if (chosen != subcommands().end()) {
          chosen->run(arguments);
        } else {
          run(options, arguments);
        }
      });
}
