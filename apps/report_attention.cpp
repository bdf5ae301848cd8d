// SPDX-License-Identifier: Apache-2.0
#include "report_attention.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "kakeya/core/error.h"
#include "kakeya/report/attention_report.h"
#include "kakeya/store/result_store.h"
#include "read_fields.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

constexpr char kAttentionFooter[] = R"(
FILEs are what `kakeya-bench attention --json` or `kakeya-bench step --json` printed on one GPU, such as one of drawn vectors
and one of a dump; the report names the commit of the first. Written into R:

  report.md      one screen: the chart, and every shape and codec at the most tokens
  details.md     a table for each shape: microseconds, share of the copy's bandwidth, ratio to attention over bf16
  results.csv    the same in long format and full precision
  attention.svg  the ratio against tokens, with --sdpa; attention.gp and .dat redraw it
  choice.svg     with --losses: KL divergence against the ratio, at the first shape and the most tokens

Examples:
  kakeya-bench attention --json > bench.json
  kakeya-report attention bench.json --sdpa sdpa.json --out attention     (scripts/gpu_sdpa.py writes sdpa.json))";

using Shape = std::tuple<std::string, std::size_t, std::size_t>;

// The fastest backend at each shape.
std::map<Shape, double> read_sdpa(const std::string& path, AttentionSpeeds& speeds) {
  std::map<Shape, double> fastest;
  read_fields(path, "scripts/gpu_sdpa.py", [&](const SortedJson& json) {
    if (json.at("device") != speeds.device) {
      throw InputError(fmt::format("{}: measured on {}, expected {}, as the attention", path,
                                   json.at("device").dump(), speeds.device));
    }
    speeds.bf16_with = fmt::format("PyTorch {}, scaled_dot_product_attention",
                                   json.at("torch").get<std::string>());
    for (const SortedJson& row : json.at("sdpa")) {
      if (row.at("best_us").is_null()) continue;
      const Shape shape{row.at("shape"), row.at("batch"), row.at("tokens")};
      fastest[shape] = row.at("best_us").get<double>();
    }
  });
  return fastest;
}

// Adds the rows of a run to those of others of the same GPU, and takes its provenance where it is the first.
void add_bench(const std::string& path, AttentionSpeeds& speeds, Provenance& measured) {
  read_fields(path, "kakeya-bench attention --json", [&](const SortedJson& json) {
    const auto device = json.at("device").at("name").get<std::string>();
    const bool first = speeds.device.empty();
    if (!first && device != speeds.device) {
      throw InputError(fmt::format("{}: measured on {}, expected {}, as the first file", path,
                                   device, speeds.device));
    }
    if (first) {
      speeds.device = device;
      json.at("device").at("cuda").get_to(speeds.cuda);
      measured = provenance_from_json(json.at("provenance").dump());
    }
    for (const SortedJson& row : json.at("attention")) {
      AttentionSpeed speed;
      speed.codec = without_profile(row.at("codec").get<std::string>());
      if (row.value("tap", "post-rope") == "pre-rope") speed.codec += " (keys before RoPE)";
      row.at("shape").get_to(speed.shape);
      row.at("batch").get_to(speed.batch);
      row.at("tokens").get_to(speed.tokens);
      row.at("bits_per_value").get_to(speed.bits_per_value);
      row.at("us").at("median").get_to(speed.us);
      row.at("us").at("p99").get_to(speed.us_p99);
      if (row.contains("layers")) {
        row.at("layers").get_to(speed.layers);
        if (!row.at("seal_us").is_null()) speed.pack_us = row.at("seal_us").get<double>();
      } else if (!row.at("pack_us").is_null()) {
        speed.pack_us = row.at("pack_us").at("median").get<double>();
      }
      row.at("gb_per_second").get_to(speed.gb_per_second);
      row.at("of_copy").get_to(speed.of_copy);
      row.at("values_per_second").get_to(speed.values_per_second);
      row.at("relative_error").get_to(speed.relative_error);
      speeds.rows.push_back(std::move(speed));
    }
  });
}

}  // namespace

CLI::App* define_report_attention(CLI::App& app, ReportAttentionOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "attention", "Speed of attention over packed pages: tables and a chart against bf16");
  sub->add_option("FILE", options.benches,
                  "What kakeya-bench attention --json, or step --json, printed; several of one GPU")
      ->required()
      ->type_name("FILE");
  sub->add_option("--sdpa", options.sdpa,
                  "What scripts/gpu_sdpa.py printed on the same GPU: adds the ratio to attention "
                  "over bf16")
      ->type_name("FILE");
  sub->add_option("--chart", options.charted,
                  "The codec that the chart shows [the slowest that every shape has]")
      ->type_name("SPEC");
  sub->add_option("--losses", options.losses,
                  "Samples of kakeya-sweep, of one mode, with some of the codecs: adds what each "
                  "loses against how fast it is; needs --sdpa")
      ->needs("--sdpa")
      ->type_name("DIR");
  define_output(*sub, options, kAttentionFooter);
  return sub;
}

void run_report_attention(const ReportAttentionOptions& options) {
  AttentionSpeeds speeds;
  Provenance measured;
  for (const std::string& path : options.benches) add_bench(path, speeds, measured);
  if (!options.sdpa.empty()) {
    const std::map<Shape, double> fastest = read_sdpa(options.sdpa, speeds);
    for (AttentionSpeed& row : speeds.rows) {
      const auto at = fastest.find({row.shape, row.batch, row.tokens});
      if (at != fastest.end()) row.bf16_us = at->second;
    }
  }
  speeds.charted = options.charted;
  std::vector<StoredResults> results;
  if (!options.losses.empty()) results.push_back(read_results(options.losses));
  const std::vector<ResultGroup> losses =
      results.empty() ? std::vector<ResultGroup>() : group_results(results, BitsOf::whole_cache);
  write_report(make_attention_report(speeds, measured, losses), options, speeds.rows.size());
}

}  // namespace kakeya
