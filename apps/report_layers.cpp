// SPDX-License-Identifier: Apache-2.0
#include "report_layers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kakeya/report/layer_report.h"

namespace kakeya {
namespace {

constexpr char kLayersFooter[] = R"(
DIR is a folder of kakeya-sweep --layer-study. Written into R:

  report.md           one screen: a chart, what all layers lose together and which lose most alone
  details.md          of every codec: KL divergence against the number of coded layers (1, 2, 4, ... all), what is joint
                      beyond the sum of the layers alone, and what each layer does alone; paired 95 % intervals over passages.
                      Of a sweep with --noise-floor also which of these lose no more than other forwards with nothing coded
  results.csv         the same in long format and full precision
  single_layers.svg   KL divergence of each layer coded alone: which layers hurt
  coded_layers.svg    KL divergence against the number of coded layers, beside the sum of single layers

Examples:
  kakeya-sweep --model nano --text data/text --codec e8:q=4 --ctx 192 --skip-edge-layers 0 --layer-study --out out/layers
  kakeya-report layers out/layers --out out/layers/report)";

}  // namespace

CLI::App* define_report_layers(CLI::App& app, ReportLayersOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "layers", "Which layers hurt when they are coded, and what more of them do together");
  sub->add_option("DIR", options.folders, "Folders of kakeya-sweep --layer-study")
      ->required()
      ->type_name("DIR");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the charts' data and scripts, but do not run gnuplot");
  sub->add_flag("--json", options.json, "Print one JSON document: out, files, studies");
  sub->footer(kLayersFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_layers(const ReportLayersOptions& options,
                       const std::vector<std::string>& arguments) {
  std::vector<StoredResults> results;
  for (const std::string& folder : options.folders) results.push_back(read_results(folder));
  const std::vector<LayerStudy> studies = layer_studies(results);
  Provenance self = make_provenance(arguments, 1);
  self.device = describe_device("cpu");
  const Document document = make_layer_report(studies, self);
  const std::vector<std::string> files = write_document(document, options.out, !options.no_charts);
  if (options.json) {
    const nlohmann::json told = {
        {"out", options.out}, {"files", files}, {"studies", studies.size()}};
    fmt::print("{}\n", told.dump(2));
  } else {
    fmt::print("{} studies: {}/report.md\n", studies.size(), options.out);
  }
}

}  // namespace kakeya
