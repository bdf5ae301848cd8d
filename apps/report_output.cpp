// SPDX-License-Identifier: Apache-2.0
#include "report_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace kakeya {

void define_output(CLI::App& sub, ReportOutput& output, const char* footer) {
  sub.add_option("--out", output.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub.add_flag("--no-charts", output.no_charts,
               "Write the charts' data and scripts, but do not run gnuplot");
  sub.add_flag("--json", output.json, "Print one JSON document: out, files");
  sub.footer(footer);
  sub.callback([&output] { output.chosen = true; });
}

void write_report(const Document& report, const ReportOutput& output, std::size_t results) {
  const std::vector<std::string> files = write_document(report, output.out, !output.no_charts);
  if (output.json) {
    fmt::print("{}\n", nlohmann::json{{"out", output.out}, {"files", files}}.dump(2));
  } else {
    fmt::print("{} results: {}/report.md\n", results, output.out);
  }
}

}  // namespace kakeya
