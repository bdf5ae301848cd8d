// SPDX-License-Identifier: Apache-2.0
#include "report_generate.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "generation_json.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

constexpr char kGenerateFooter[] = R"(
FILE is what `kakeya-bench generate --out` wrote. Written into R:

  report.md              codec by codec, context and batch: time to the first token, tokens a second, live bytes,
                         each beside bf16
  results.csv            the same in long format and full precision
  tokens_per_second.svg  tokens a second of CPU time against the context, a panel a batch; .gp and .dat redraw it
  live_bytes.svg         live bytes of the cache a token of context

Examples:
  kakeya-bench generate --model nano --text tale.txt --ctx 128,512 --codec q8_0 e8:q=10 --out bench.json
  kakeya-report generate bench.json --out report)";

}  // namespace

CLI::App* define_report_generate(CLI::App& app, ReportGenerateOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "generate", "Speed and memory of decoding over packed caches: tables and charts");
  sub->add_option("FILE", options.bench, "What kakeya-bench generate --out wrote")
      ->required()
      ->type_name("FILE");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the charts' data and scripts, but do not run gnuplot");
  sub->add_flag("--json", options.json, "Print one JSON document: out, files");
  sub->footer(kGenerateFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_generate(const ReportGenerateOptions& options) {
  const nlohmann::ordered_json document =
      parse_ordered_json(read_text_file(options.bench), options.bench);
  const GenerationSpeeds speeds = generation_speeds(document, options.bench);
  const Provenance measured = provenance_from_json(document.at("provenance").dump());
  const std::vector<std::string> files =
      write_document(make_generation_report(speeds, measured), options.out, !options.no_charts);
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"out", options.out}, {"files", files}}.dump(2));
  } else {
    fmt::print("{} results: {}/report.md\n", speeds.rows.size(), options.out);
  }
}

}  // namespace kakeya
