// SPDX-License-Identifier: Apache-2.0
#include "bench_gpu.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kakeya/report/table.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kLegend[] =
    R"(us: microseconds a launch, events around each, launches queued back to back. GB/s: 10^9 bytes that must move (vectors,
scales and codes, each once) a second. of copy: against a copy within device memory, bytes read and written, in this run.
)";

void print_json(const std::vector<DeviceBenchRow>& rows, const DeviceBenchPlan& plan,
                const Provenance& provenance) {
  const DeviceInfo info = device_info();
  Json document;
  for (const DeviceBenchRow& row : rows) {
    document["results"].push_back(
        {{"codec", row.codec},
         {"dim", row.dim},
         {"vectors", row.vectors},
         {"type", row.type},
         {"operation", row.operation},
         {"bytes", row.bytes},
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

void print_table(const std::vector<DeviceBenchRow>& rows) {
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
  const DeviceInfo info = device_info();
  fmt::print("{}\n{}{}, {}\n", to_markdown(table), kLegend, info.name, info.cuda);
}

}  // namespace

void run_gpu_bench(const DeviceBenchPlan& plan, const Provenance& provenance, bool json) {
  const std::vector<DeviceBenchRow> rows = time_device(plan);
  json ? print_json(rows, plan, provenance) : print_table(rows);
}

}  // namespace kakeya
