// SPDX-License-Identifier: Apache-2.0
#include "report_generate.h"

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
  define_output(*sub, options, kGenerateFooter);
  return sub;
}

void run_report_generate(const ReportGenerateOptions& options) {
  const nlohmann::ordered_json document =
      parse_ordered_json(read_text_file(options.bench), options.bench);
  const GenerationSpeeds speeds = generation_speeds(document, options.bench);
  const Provenance measured = provenance_from_json(document.at("provenance").dump());
  write_report(make_generation_report(speeds, measured), options, speeds.rows.size());
}

}  // namespace kakeya
