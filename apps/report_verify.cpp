// SPDX-License-Identifier: Apache-2.0
#include "report_verify.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "derive_report.h"
#include "kakeya/core/error.h"
#include "kakeya/report/verify/verify_folder.h"
#include "scratch_folder.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kVerifyFooter[] = R"(
DIR is a folder of a report with what it was made of. Verified are

  digests   samples, provenance and results have the SHA-256 that digests.txt names (sha256sum -c reads it too)
  derived   tables, charts' data and pages come out again, byte for byte, from the committed samples; derive.txt
            has the arguments of kakeya-report, or why not; without it samples are taken from this folder and
            from those in it
  figures   every number with a decimal point, thousands or a percent sign that README.md and the other pages
            quote is what the cell rounds to that figures.csv binds it to
  sources   with --have: the models, texts and profiles that you have are those of the provenance

--bind writes digests.txt and figures.csv anew. A figure that still holds keeps its cell; for another the
likeliest cell of this folder and of those beside it is sought. Read what changed before you commit it:
a figure that no cell has needs "CELL over CELL", "CELL less CELL" or "stated: WHERE FROM" by hand.

Exit code 1 when something is not what it has to be.

Examples:
  kakeya-report verify reports/*/
  kakeya-report verify reports/transform --have wiki.test.raw models/smollm2-135m
  kakeya-report verify reports/transform --bind)";

Verified verify_derived(const std::string& folder) {
  const Recipe recipe = recipe_of(folder);
  if (recipe.arguments.empty()) {
    Verified verified{"derived"};
    verified.note = recipe.why_not;
    return verified;
  }
  const ScratchFolder made;
  Verified verified{"derived"};
  try {
    derive_report(recipe, folder, made.path().string());
    verified = compare_reports(made.path().string(), folder);
  } catch (const Error& error) {
    verified.problems.emplace_back(error.what());
  }
  return verified;
}

void bind(const std::string& folder) {
  const BoundFigures bound = bind_figures(folder);
  const std::size_t files = write_digests(folder);
  fmt::print("{}: {} files; {} figures: {} keep their cell, {} found one, {} have none\n", folder,
             files, bound.figures, bound.kept, bound.found, bound.unbound.size());
  for (const std::string& figure : bound.unbound) fmt::print("  no cell: {}\n", figure);
}

Json verified_json(const Verified& verified) {
  return {{"what", verified.what},
          {"checked", verified.checked},
          {"problems", verified.problems},
          {"note", verified.note}};
}

}  // namespace

CLI::App* define_report_verify(CLI::App& app, ReportVerifyOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "verify", "Folders of reports against their samples, and the numbers that pages quote");
  sub->add_option("DIR", options.folders, "Folders of reports")->required();
  sub->add_option("--have", options.have,
                  "Models, texts and profiles: each must be one that the provenance names")
      ->type_name("PATH");
  sub->add_flag("--bind", options.bind, "Write digests.txt and figures.csv anew, verify nothing");
  sub->add_flag("--json", options.json, "Print one JSON document: folder by folder, problems");
  sub->footer(kVerifyFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_verify(const ReportVerifyOptions& options) {
  if (options.bind && (options.json || !options.have.empty())) {
    throw SpecError("--bind: not with --json or --have: it verifies nothing");
  }
  std::size_t problems = 0;
  Json document = Json::array();
  for (const std::string& folder : options.folders) {
    if (options.bind) {
      recipe_of(folder);  // it is a report
      bind(folder);
      continue;
    }
    std::vector<Verified> all = {verify_derived(folder), verify_digests(folder),
                                 verify_figures(folder)};
    if (!options.have.empty()) all.push_back(verify_sources(folder, options.have));
    Json checks = Json::array();
    for (const Verified& verified : all) {
      problems += verified.problems.size();
      checks.push_back(verified_json(verified));
      if (options.json) continue;
      fmt::print("{}: {}: {} checked, {} wrong{}{}\n", folder, verified.what, verified.checked,
                 verified.problems.size(), verified.note.empty() ? "" : "; ", verified.note);
      for (const std::string& problem : verified.problems) fmt::print("  {}\n", problem);
      std::fflush(stdout);
    }
    document.push_back({{"folder", folder}, {"verified", checks}});
  }
  if (options.json) fmt::print("{}\n", document.dump(2));
  if (problems > 0) {
    throw InputError(
        fmt::format("verify: {} of what these reports hold or quote is not what it has "
                    "to be",
                    problems));
  }
}

}  // namespace kakeya
