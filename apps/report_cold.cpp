// SPDX-License-Identifier: Apache-2.0
#include "report_cold.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kakeya/report/cold_report.h"
#include "kakeya/report/number.h"
#include "read_fields.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

constexpr char kColdFooter[] = R"(
FILE is what `scripts/nvcomp_cold.py` printed. Written into R:

  report.md    codec by codec: bits, ratio and rel-MSE; speeds of encoding, decoding and restoring over the host
               link; the links for which restoring is sooner than bf16, and than the prefill
  results.csv  the same in long format and full precision
  cold.svg     decoding and restoring against the ratio, beside what the link allows; cold.gp and .dat redraw it

Examples:
  scripts/nvcomp_cold.py cache.npy --kakeya libkakeya.so > bench.json
  kakeya-report cold bench.json --out cold)";

ColdRow row_of(const SortedJson& row) {
  ColdRow made;
  row.at("library").get_to(made.library);
  row.at("codec").get_to(made.codec);
  if (row.contains("layers_a_launch")) made.layers = row.at("layers_a_launch").get<int>();
  row.at("bits_per_value").get_to(made.bits_per_value);
  row.at("ratio").get_to(made.ratio);
  if (row.contains("rel_mse")) made.rel_mse = row.at("rel_mse").get<double>();
  row.at("compress_gb_per_second").get_to(made.encode);
  row.at("decompress_gb_per_second").get_to(made.decode);
  row.at("restore_gb_per_second").get_to(made.restore);
  row.at("restore_of_link").get_to(made.of_link);
  row.at("over_bf16").get_to(made.over_bf16);
  row.at("break_even_link_gb_per_second").get_to(made.break_even);
  for (const auto& [model, link] : row.at("prefill_link").items()) {
    made.prefill_links[model] =
        link.is_null() ? std::nullopt : std::optional<double>(link.get<double>());
  }
  return made;
}

ColdRun run_of(const SortedJson& json) {
  ColdRun run;
  json.at("device").get_to(run.device);
  const int nvcomp = json.at("nvcomp").get<int>();
  run.made_with = fmt::format("nvCOMP {}.{}, PyTorch {}", nvcomp / 1000, nvcomp / 100 % 10,
                              json.at("torch").get<std::string>());
  if (json.at("kakeya").is_string()) {
    run.made_with = "kakeya " + json.at("kakeya").get<std::string>() + ", " + run.made_with;
  }
  const SortedJson& cache = json.at("cache");
  run.cache = fmt::format("{}: {} layers, {} KV heads of {}, {} tokens, {:.2f} GB of bf16",
                          cache.at("file").get<std::string>(), cache.at("layers").get<int>(),
                          cache.at("kv_heads").get<int>(), cache.at("head_dim").get<int>(),
                          grouped(cache.at("tokens").get<std::size_t>()),
                          1e-9 * cache.at("bytes").get<double>());
  const SortedJson& copies = json.at("copies");
  copies.at("to_device_gb_per_second").get_to(run.to_device);
  copies.at("to_host_gb_per_second").get_to(run.to_host);
  copies.at("device_gb_per_second").get_to(run.within_device);
  for (const SortedJson& row : json.at("rows")) run.rows.push_back(row_of(row));
  for (const SortedJson& one : json.at("prefill")) {
    run.prefills.push_back({one.at("name"), one.at("shape"), one.at("tokens"), one.at("ms"),
                            one.at("kv_gb_per_second")});
  }
  return run;
}

}  // namespace

CLI::App* define_report_cold(CLI::App& app, ReportColdOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "cold", "A cold tier on a GPU: tables and a chart of packing caches and restoring them");
  sub->add_option("FILE", options.bench, "What scripts/nvcomp_cold.py printed")
      ->required()
      ->type_name("FILE");
  sub->add_option("--out", options.out, "Folder for the report, made if missing")
      ->required()
      ->type_name("R");
  sub->add_flag("--no-charts", options.no_charts,
                "Write the chart's data and script, but do not run gnuplot");
  sub->add_flag("--json", options.json, "Print one JSON document: out, files");
  sub->footer(kColdFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_cold(const ReportColdOptions& options) {
  ColdRun run;
  read_fields(options.bench, "scripts/nvcomp_cold.py",
              [&](const SortedJson& json) { run = run_of(json); });
  const std::vector<std::string> files =
      write_document(make_cold_report(run), options.out, !options.no_charts);
  if (options.json) {
    fmt::print("{}\n", SortedJson{{"out", options.out}, {"files", files}}.dump(2));
  } else {
    fmt::print("{} results: {}/report.md\n", run.rows.size(), options.out);
  }
}

}  // namespace kakeya
