// SPDX-License-Identifier: Apache-2.0
#include "report_needle.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kakeya/report/needle_report.h"

namespace kakeya {
namespace {

constexpr char kNeedleFooter[] = R"(
DIR is a folder of kakeya-needle. Written into R:

  report.md     one screen: what the model solves, what codecs do to all of it together
  details.md    which tasks the model solves over the bf16 cache, at which length; for every codec the nats a token of
                the right answer, their difference to the bf16 cache on the same prompts with 95 % Student-t interval,
                the share of answers given and bits of the whole cache; tasks that the model does not solve, apart
  results.csv   every table in long format and full precision
  nll_*.svg, substring_*.svg   heat maps of each task, depth by length, a panel a codec; .gp and .dat redraw them

Cells that failed or are not there yet, and codecs whose pages no prompt fills, are said at the top and on stderr.
The latter are marked "never full" and are in no mean over tasks. Maps are of solved tasks.

Examples:
  kakeya-report needle out/needle --out out/needle/report
  kakeya-report needle out/needle --solved 0.9 --out out/needle/report --json)";

}  // namespace

CLI::App* define_report_needle(CLI::App& app, ReportNeedleOptions& options) {
  CLI::App* sub = app.add_subcommand("needle", "Needles in long texts: tables and heat maps");
  sub->add_option("DIR", options.folder, "Folder of kakeya-needle")->required();
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_option("--solved", options.solved,
                  "Least share of answers that the bf16 cache's model gives of a task [0.8]")
      ->type_name("X");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the maps' data and scripts, but do not run gnuplot");
  sub->add_flag("--json", options.json,
                "Print one JSON document: out, files, codecs, prompts, solved, unsolved, warnings");
  sub->footer(kNeedleFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_needle(const ReportNeedleOptions& options) {
  const NeedleReport report =
      make_needle_report(read_needle_results(options.folder), options.solved);
  for (const std::string& warning : report.warnings) {
    fmt::print(stderr, "kakeya-report: {}\n", warning);
  }
  const std::vector<std::string> files = write_document(report, options.out, !options.no_charts);
  if (options.json) {
    const nlohmann::json document = {{"out", options.out},         {"files", files},
                                     {"codecs", report.codecs},    {"prompts", report.prompts},
                                     {"solved", report.solved},    {"unsolved", report.unsolved},
                                     {"warnings", report.warnings}};
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{} codecs, {} prompts: {}/report.md\n", report.codecs, report.prompts, options.out);
  }
}

}  // namespace kakeya
