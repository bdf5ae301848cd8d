// SPDX-License-Identifier: Apache-2.0
#include "report_gpu.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/report/gpu_report.h"
#include "read_fields.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

constexpr char kGpuFooter[] = R"(
FILE is what `kakeya-bench gpu --json` printed. Written into R:

  report.md     codec by codec: microseconds of encode, decode and round trip, and the share of the bandwidth
                of a copy in the same run
  results.csv   the same in long format and full precision
  roofline.svg  values a second against the bytes that must move for a value, under the copy's bandwidth;
                roofline.gp and .dat redraw it

Examples:
  kakeya-bench gpu --json > bench.json
  kakeya-report gpu bench.json --out gpu
  kakeya-report gpu bench.json --published published.json --out gpu     (scripts/gpu_published.py writes it))";

GpuSpeed speed_of(const SortedJson& row) {
  GpuSpeed speed;
  row.at("codec").get_to(speed.codec);
  row.at("type").get_to(speed.type);
  row.at("operation").get_to(speed.operation);
  row.at("dim").get_to(speed.dim);
  row.at("vectors").get_to(speed.vectors);
  row.at("bytes").get_to(speed.bytes);
  row.at("us").at("median").get_to(speed.us);
  row.at("us").at("p99").get_to(speed.us_p99);
  speed.copy_gb_per_second =
      row.at("gb_per_second").get<double>() / row.at("of_copy").get<double>();
  return speed;
}

}  // namespace

CLI::App* define_report_gpu(CLI::App& app, ReportGpuOptions& options) {
  CLI::App* sub =
      app.add_subcommand("gpu", "Speed of the CUDA kernels: a table and a roofline chart");
  sub->add_option("FILE", options.bench, "What kakeya-bench gpu --json printed")
      ->required()
      ->type_name("FILE");
  sub->add_option("--published", options.published,
                  "What scripts/gpu_published.py printed on the same GPU: adds the ratio to the "
                  "published composition")
      ->type_name("FILE");
  define_output(*sub, options, kGpuFooter);
  return sub;
}

void run_report_gpu(const ReportGpuOptions& options) {
  GpuSpeeds speeds;
  Provenance measured;
  read_fields(options.bench, "kakeya-bench gpu --json", [&](const SortedJson& json) {
    json.at("device").at("name").get_to(speeds.device);
    json.at("device").at("cuda").get_to(speeds.cuda);
    for (const SortedJson& row : json.at("results")) speeds.rows.push_back(speed_of(row));
    measured = provenance_from_json(json.at("provenance").dump());
  });
  if (!options.published.empty()) {
    read_fields(options.published, "scripts/gpu_published.py", [&](const SortedJson& json) {
      json.at("round_trip_us").get_to(speeds.published_us);
      json.at("dim").get_to(speeds.published_dim);
      json.at("vectors").get_to(speeds.published_vectors);
      speeds.published_with = fmt::format("PyTorch {} on {}", json.at("torch").get<std::string>(),
                                          json.at("type").get<std::string>());
      if (json.at("device") != speeds.device) {
        throw InputError(fmt::format("{}: measured on {}, expected {}, as {}", options.published,
                                     json.at("device").dump(), speeds.device, options.bench));
      }
    });
  }
  write_report(make_gpu_report(speeds, measured), options, speeds.rows.size());
}

}  // namespace kakeya
