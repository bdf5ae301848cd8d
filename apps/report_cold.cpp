// SPDX-License-Identifier: Apache-2.0
#include "report_cold.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/report/cold_report.h"
#include "kakeya/report/number.h"
#include "read_fields.h"

namespace kakeya {
namespace {

using SortedJson = nlohmann::json;

constexpr char kColdFooter[] = R"(
FILE is what `scripts/nvcomp_cold.py` printed. Written into R:

  report.md    one screen: the chart, and of every codec bits, ratio, rel-MSE and its best speeds
  details.md   every launch; the links for which restoring is sooner than bf16, and than the prefill; the prefills
  results.csv  the same in long format and full precision
  cold.svg     decoding and restoring against the ratio, beside what the link allows; cold.gp and .dat redraw it

Examples:
  scripts/nvcomp_cold.py cache.npy --kakeya libkakeya.so > bench.json
  kakeya-report cold bench.json --out cold)";

double positive(const SortedJson& of, const char* key) {
  const auto value = of.at(key).get<double>();
  if (!(value > 0)) throw InputError(fmt::format("{}: {}: expected more than 0", key, value));
  return value;
}

std::size_t count(const SortedJson& of, const char* key) {
  const double value = positive(of, key);
  if (value != std::floor(value) || value > 1e15) {
    throw InputError(fmt::format("{}: {}: expected a whole number", key, value));
  }
  return static_cast<std::size_t>(value);
}

ColdRow row_of(const SortedJson& row, const SortedJson& prefills) {
  ColdRow made;
  row.at("library").get_to(made.library);
  row.at("codec").get_to(made.codec);
  if (row.contains("layers_a_launch"))
    made.layers = static_cast<int>(count(row, "layers_a_launch"));
  made.bits_per_value = positive(row, "bits_per_value");
  made.ratio = positive(row, "ratio");
  if (row.contains("rel_mse")) made.rel_mse = row.at("rel_mse").get<double>();
  made.encode = positive(row, "compress_gb_per_second");
  made.decode = positive(row, "decompress_gb_per_second");
  made.restore = positive(row, "restore_gb_per_second");
  made.of_link = positive(row, "restore_of_link");
  made.over_bf16 = positive(row, "over_bf16");
  made.break_even = row.at("break_even_link_gb_per_second").get<double>();
  if (!(made.break_even >= 0)) {
    throw InputError(
        fmt::format("break_even_link_gb_per_second: {}: expected 0 or more", made.break_even));
  }
  for (const SortedJson& prefill : prefills) {
    const auto name = prefill.at("name").get<std::string>();
    const SortedJson& links = row.at("prefill_link");
    made.prefill_links[name] = links.at(name).is_null()
                                   ? std::nullopt
                                   : std::optional<double>(positive(links, name.c_str()));
  }
  return made;
}

ColdRun run_of(const SortedJson& json) {
  ColdRun run;
  json.at("device").get_to(run.device);
  const std::size_t nvcomp = count(json, "nvcomp");
  run.made_with = fmt::format("nvCOMP {}.{}, PyTorch {}", nvcomp / 1000, nvcomp / 100 % 10,
                              json.at("torch").get<std::string>());
  if (json.at("kakeya").is_string()) {
    run.made_with = "kakeya " + json.at("kakeya").get<std::string>() + ", " + run.made_with;
  }
  const SortedJson& cache = json.at("cache");
  run.cache = fmt::format("{}: {} layers, {} KV heads of {}, {} tokens, {:.2f} GB of bf16",
                          cache.at("file").get<std::string>(), count(cache, "layers"),
                          count(cache, "kv_heads"), count(cache, "head_dim"),
                          grouped(count(cache, "tokens")), 1e-9 * positive(cache, "bytes"));
  const SortedJson& copies = json.at("copies");
  run.to_device = positive(copies, "to_device_gb_per_second");
  run.to_host = positive(copies, "to_host_gb_per_second");
  run.within_device = positive(copies, "device_gb_per_second");
  const SortedJson& prefills = json.at("prefill");
  for (const SortedJson& row : json.at("rows")) run.rows.push_back(row_of(row, prefills));
  if (run.rows.empty()) throw InputError("rows: expected at least one");
  for (const SortedJson& one : prefills) {
    run.prefills.push_back({one.at("name"), one.at("shape"), count(one, "tokens"),
                            positive(one, "ms"), positive(one, "kv_gb_per_second")});
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
  define_output(*sub, options, kColdFooter);
  return sub;
}

void run_report_cold(const ReportColdOptions& options) {
  ColdRun run;
  read_fields(options.bench, "scripts/nvcomp_cold.py", [&](const SortedJson& json) {
    try {
      run = run_of(json);
    } catch (const InputError& error) {
      throw InputError(options.bench + ": " + error.what());
    }
  });
  write_report(make_cold_report(run), options, run.rows.size());
}

}  // namespace kakeya
