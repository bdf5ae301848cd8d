// SPDX-License-Identifier: Apache-2.0
#include "bench_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/report/table.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kLegend[] =
    R"(us: microseconds a launch, events around each, launches queued back to back. GB/s: 10^9 bytes that must move (vectors,
scales and codes, each once) a second, of entropy-coded ones what encoding these vectors wrote. of copy: against a copy within device memory, bytes read and written, in this run.
)";

constexpr char kPagesLegend[] =
    R"(Pages: points in device memory to entropy-coded pages (encode) and back (decode); sum: decoding that adds up each vector
and writes no points. G values/s: 10^9 coordinates a second; GB/s as bf16: what these would take as bf16. of copy: bytes of
pages, points (4 a value) and sums a second, against a copy within device memory in this run.
)";

void print_device_json(const std::vector<DeviceBenchRow>& rows,
                       const std::vector<PageBenchRow>& pages, const DeviceBenchPlan& plan,
                       const Provenance& provenance) {
  const DeviceInfo info = device_info();
  Json document;
  document["results"] = Json::array();
  for (const PageBenchRow& row : pages) {
    document["pages"].push_back(
        {{"lattice", row.lattice},
         {"pages", row.pages},
         {"operation", row.operation},
         {"values", row.values},
         {"page_bytes", row.page_bytes},
         {"us", {{"min", row.us.least}, {"median", row.us.median}, {"p99", row.us.p99}}},
         {"values_per_second", row.values_per_second()},
         {"bf16_gb_per_second", row.bf16_gb_per_second()},
         {"bytes", row.bytes},
         {"copy_gb_per_second", row.copy_gb_per_second},
         {"of_copy", row.of_copy()}});
  }
  for (const DeviceBenchRow& row : rows) {
    document["results"].push_back(
        {{"codec", row.codec},
         {"spec", row.spec},
         {"dim", row.dim},
         {"vectors", row.vectors},
         {"type", row.type},
         {"operation", row.operation},
         {"bytes", row.bytes},
         {"bits_per_value", row.bits_per_value},
         {"us", {{"min", row.us.least}, {"median", row.us.median}, {"p99", row.us.p99}}},
         {"gb_per_second", row.gb_per_second()},
         {"copy_us", row.copy_us},
         {"of_copy", row.of_copy()}});
  }
  document["heads"] = plan.heads;
  document["rounds"] = plan.rounds;
  document["device"] = {{"name", info.name},
                        {"cuda", info.cuda},
                        {"multiprocessors", info.multiprocessors},
                        {"memory_bytes", info.memory_bytes},
                        {"l2_bytes", info.l2_bytes}};
  document["provenance"] = Json::parse(to_json(provenance));
  fmt::print("{}\n", document.dump(2));
}

void print_device_table(const std::vector<DeviceBenchRow>& rows) {
  Table table;
  table.label_columns = 2;
  table.columns = {{"codec", "codec", false},
                   {"operation", "operation", false},
                   {"dim", "dim"},
                   {"vectors", "vectors"},
                   {"type", "type", false},
                   {"us", "median (us)"},
                   {"p99", "p99 (us)"},
                   {"GB/s", "GB/s"},
                   {"of copy", "of copy"}};
  for (const DeviceBenchRow& row : rows) {
    table.rows.push_back(
        {text_cell(row.codec), text_cell(row.operation), text_cell(std::to_string(row.dim)),
         text_cell(std::to_string(row.vectors)), text_cell(row.type), fixed_cell(row.us.median, 1),
         fixed_cell(row.us.p99, 1), fixed_cell(row.gb_per_second(), 0),
         number_cell(row.of_copy(), fmt::format("{:.1f} %", 100 * row.of_copy()))});
  }
  fmt::print("{}\n{}\n", to_markdown(table), kLegend);
}

void print_pages(const std::vector<PageBenchRow>& rows) {
  Table table;
  table.label_columns = 3;
  table.columns = {
      {"lattice", "lattice", false}, {"pages", "pages", false}, {"operation", "operation", false},
      {"bits", "bits per value"},    {"us", "median (us)"},     {"p99", "p99 (us)"},
      {"values", "G values/s"},      {"GB/s", "GB/s as bf16"},  {"of copy", "of copy"}};
  for (const PageBenchRow& row : rows) {
    table.rows.push_back(
        {text_cell(row.lattice), text_cell(row.pages), text_cell(row.operation),
         number_cell(row.bits_per_value(), fmt::format("{:.3f}", row.bits_per_value())),
         number_cell(row.us.median, fmt::format("{:.1f}", row.us.median)),
         number_cell(row.us.p99, fmt::format("{:.1f}", row.us.p99)),
         number_cell(row.values_per_second(),
                     fmt::format("{:.0f}", row.values_per_second() * 1e-9)),
         number_cell(row.bf16_gb_per_second(), fmt::format("{:.0f}", row.bf16_gb_per_second())),
         number_cell(row.of_copy(), fmt::format("{:.1f} %", 100 * row.of_copy()))});
  }
  fmt::print("{}\n{}\n", to_markdown(table), kPagesLegend);
}

}  // namespace

PageBenchPlan page_bench_plan(const std::vector<std::string>& names, std::size_t page) {
  constexpr const char* kNames[] = {"z", "d4", "e8", "trellis"};
  PageBenchPlan plan;
  if (page % 32 != 0) {
    throw SpecError(fmt::format("--page {}: expected a multiple of 32 up to 4096", page));
  }
  plan.pages = plan.pages * plan.page / page;
  plan.page = page;
  for (const std::string& name : names) {
    if (name == "none" && names.size() == 1) break;
    if (name == "prefix") {
      plan.prefix = true;
      continue;
    }
    const auto at = std::find(std::begin(kNames), std::end(kNames), name);
    if (at == std::end(kNames)) {
      throw SpecError("--pages " + name +
                      ": expected z, d4, e8, trellis and prefix, or none alone");
    }
    plan.lattices.push_back(static_cast<Lattice>(at - std::begin(kNames)));
  }
  return plan;
}

void run_gpu_bench(const DeviceBenchPlan& plan, const PageBenchPlan& pages,
                   const Provenance& provenance, bool json) {
  const std::vector<DeviceBenchRow> rows = time_device(plan);
  const std::vector<PageBenchRow> page_rows = time_pages(pages);
  if (json) return print_device_json(rows, page_rows, plan, provenance);
  print_device_table(rows);
  if (!page_rows.empty()) print_pages(page_rows);
  const DeviceInfo info = device_info();
  fmt::print("{}, {}\n", info.name, info.cuda);
}

}  // namespace kakeya
