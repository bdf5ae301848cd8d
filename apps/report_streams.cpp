// SPDX-License-Identifier: Apache-2.0
#include "report_streams.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "kakeya/report/streams_report.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kStreamsFooter[] = R"(
A model such as DeepSeek-V4 caches several kinds of vectors: kakeya-capture writes a dump of each, and
kakeya-sweep --dump measures codecs on it, into a DIR each. Written into R:

  report.md     one screen: what made the streams, the chart, what loses no more than --against
  details.md    what made the streams (random weights are said first), their shares of the cache's values;
                the coarsest setting of each family that loses no more than 1, 1.05 and 1.2 times what
                --against loses, on each stream and on all (kakeya-report thresholds has other factors);
                of every codec the rel-MSE over that of --against, passage by passage, a stream a column,
                and averaged over streams by those shares; rel-MSE and measured bits of each
  results.csv   every table in long format and full precision
  streams.svg   the ratios against measured bits, a panel a stream; streams.gp and .dat redraw it

Example:
  kakeya-capture --model data/configs/deepseek-v4-flash.json --random-weights 7 --layers 0,2,3 \
    --hidden hidden.npy --out v4
  for s in sliding csa hca; do kakeya-sweep --dump v4/$s.h5 --skip-edge-layers 0 --codec 'e8:q={10,38}' \
    fp8 fp8:scale=e8m0,tail=64 --out out/$s; done
  kakeya-report streams out/sliding out/csa out/hca --out out/report)";

Json interval_json(const Interval& interval) {
  if (interval.count < 2) return {interval.mean, nullptr};
  return {interval.mean, interval.half_width};
}

void print_streams_json(const ReportStreamsOptions& options, const StreamsReport& report,
                        const std::vector<std::string>& files) {
  Json streams = Json::array(), codecs = Json::array();
  for (std::size_t s = 0; s < report.streams.size(); ++s)
    streams.push_back({{"stream", report.streams[s]}, {"weight", report.shares[s]}});
  for (const StreamsCodec& codec : report.codecs) {
    Json each = Json::array();
    for (std::size_t s = 0; s < report.streams.size(); ++s) {
      each.push_back({{"stream", report.streams[s]},
                      {"bits_per_value", codec.bits[s]},
                      {"rel_mse", codec.rel_mse[s]},
                      {"ratio", interval_json(codec.ratios[s])}});
    }
    codecs.push_back({{"codec", codec.spec},
                      {"bits_per_value", codec.all_bits},
                      {"ratio", interval_json(codec.all_ratio)},
                      {"streams", each}});
  }
  const Json document = {{"out", options.out},         {"files", files},
                         {"model", report.model},      {"model_weights", report.weights},
                         {"against", options.against}, {"passages", report.passages},
                         {"streams", streams},         {"codecs", codecs},
                         {"left_out", report.left_out}};
  fmt::print("{}\n", document.dump(1));
}

}  // namespace

CLI::App* define_report_streams(CLI::App& app, ReportStreamsOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "streams", "Codecs on the KV streams of a DeepSeek-V4, each and all together");
  sub->add_option("DIR", options.folders, "Folders of kakeya-sweep --dump, one a stream")
      ->required();
  sub->add_option("--against", options.against, "The codec whose rel-MSE is 1, as samples name it")
      ->type_name("SPEC")
      ->capture_default_str();
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the chart's data and script, but do not run gnuplot");
  sub->add_flag(
      "--json", options.json,
      "Print one JSON document: out, files, model, model_weights, against, passages, streams, codecs (a ratio is "
      "[mean, half width]), left_out");
  sub->footer(kStreamsFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_streams(const ReportStreamsOptions& options) {
  std::vector<StoredResults> results;
  for (const std::string& folder : options.folders) results.push_back(read_results(folder));
  const StreamsReport report = make_streams_report(results, options.against);
  for (const std::string& spec : report.left_out) {
    fmt::print(stderr,
               "kakeya-report: {} is left out: it lacks a passage of a stream (finish its sweep)\n",
               spec);
  }
  const std::vector<std::string> files = write_document(report, options.out, !options.no_charts);
  if (options.json) return print_streams_json(options, report, files);
  fmt::print("{} streams (weights {}), {} codecs, {} passages: {}/report.md\n",
             report.streams.size(), report.weights, report.codecs.size(), report.passages,
             options.out);
}

}  // namespace kakeya
