// SPDX-License-Identifier: Apache-2.0
#include "report_positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "kakeya/report/position_report.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kPositionsFooter[] = R"(
DIR is a folder of kakeya-perplexity --codec --out. With --convention all there every token of a window is scored, and
there are octaves from the window's begin on; with others, those of the tokens that are scored. Written into R:

  report.md       one screen: the chart, the last octave of every codec beside earlier ones
  details.md      of every codec: KL divergence, change of the negative log-likelihood and top-1 of tokens at positions
                  1 to 63, 64 to 127, 128 to 255 ... of a window; 95 % Student-t intervals over windows, paired with
                  the pass over a bf16 cache
  results.csv     the same in long format and full precision
  positions.svg   KL divergence against the position, both logarithmic; positions.gp and .dat redraw it

What kakeya-perplexity --noise-floor measured of other forwards, with nothing coded, stands behind the codecs, in the
chart as broken lines. Without --out the tables are printed. Only windows that all codecs of a folder have count.

Examples:
  kakeya-perplexity --model nano --text data/text/01-tides.txt --ctx 512 --convention all --codec e8:q=10 q8_0 --out out/long
  kakeya-report positions out/long --out out/long/report)";

Json ends(const Interval& interval) {
  if (!std::isfinite(interval.half_width)) return {nullptr, nullptr};
  return {interval.low(), interval.high()};
}

Json codec_json(const PositionLosses& codec) {
  Json octaves = Json::array();
  for (const OctaveLosses& octave : codec.octaves) {
    octaves.push_back({{"first", octave.first},
                       {"last", octave.last},
                       {"tokens", octave.tokens},
                       {"kld_mean", octave.kld.mean},
                       {"kld_ci", ends(octave.kld)},
                       {"nll_change_mean", octave.nll_change.mean},
                       {"nll_change_ci", ends(octave.nll_change)},
                       {"top1", octave.top1}});
  }
  Json document = {{"source", codec.source},
                   {"codec", codec.label},
                   {"windows", codec.windows},
                   {"octaves", octaves}};
  if (!codec.control.empty()) document["control"] = codec.control;
  return document;
}

}  // namespace

CLI::App* define_report_positions(CLI::App& app, ReportPositionsOptions& options) {
  CLI::App* sub =
      app.add_subcommand("positions", "KL divergence and likelihood by position in long windows");
  sub->add_option("DIR", options.folders, "Folders of kakeya-perplexity --codec --out")
      ->required()
      ->type_name("DIR");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")->type_name("R");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the chart's data and script, but do not run gnuplot");
  sub->add_flag(
      "--json", options.json,
      "Print one JSON document: out, files, codecs and controls (source, codec, windows, octaves)");
  sub->footer(kPositionsFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_positions(const ReportPositionsOptions& options,
                          const std::vector<std::string>& arguments) {
  std::vector<StoredResults> results;
  for (const std::string& folder : options.folders) results.push_back(read_results(folder));
  const std::vector<PositionLosses> codecs = losses_by_position(results);
  std::vector<std::string> files;
  if (!options.out.empty()) {
    Provenance self = make_provenance(arguments, 1);
    self.device = describe_device("cpu");
    files = write_document(make_position_report(codecs, self), options.out, !options.no_charts);
  }
  if (options.json) {
    Json document = {{"out", options.out},
                     {"files", files},
                     {"codecs", Json::array()},
                     {"controls", Json::array()}};
    for (const PositionLosses& codec : codecs)
      document[codec.control.empty() ? "codecs" : "controls"].push_back(codec_json(codec));
    fmt::print("{}\n", document.dump(2));
  } else if (!options.out.empty()) {
    const auto controls = std::ranges::count_if(
        codecs, [](const PositionLosses& codec) { return !codec.control.empty(); });
    fmt::print("{} codecs{}: {}/report.md\n", std::ssize(codecs) - controls,
               controls > 0 ? fmt::format(" and {} controls", controls) : "", options.out);
  } else {
    for (const Table& table : position_tables(codecs))
      fmt::print("{}\n\n{}\n", table.title, to_markdown(table));
  }
}

}  // namespace kakeya
