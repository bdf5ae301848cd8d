// SPDX-License-Identifier: Apache-2.0
#include "bench_updates.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kakeya/measure/speed/time_updates.h"
#include "kakeya/report/table.h"
#include "kakeya/simd/tile.h"
#include "kakeya/store/provenance.h"
#include "program.h"
#include "progress.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kHelpEnd =
    R"(klt with adapt=N makes means, predictors and rotations anew at token counts that writer and reader know, each time with
the same operations in the same order, so that both have the same bits. Timed is the linear algebra of one such update of a
group of n coordinates, n = 2 x layers x KV heads x head_dim of the layers that learn together, on one thread: eigenvectors;
and the rest, which is predictor, what it says of the group, and what rounding took. Operations are counted as 12 n^3.
scripts/updates_gpu.py times the same mathematics by cuSOLVER on a GPU, whose bits differ, beside this.

Examples:
  kakeya-bench updates
  kakeya-bench updates --width 384,4096 --repeat 1 --json)";

Json document_of(const UpdateTime& time) {
  return {{"width", time.width},
          {"rounds", time.rounds},
          {"eigenvectors_seconds", time.eigenvectors},
          {"rest_seconds", time.rest},
          {"operations", time.operations()},
          {"operations_per_second", time.operations() / time.seconds()}};
}

void print_table(const std::vector<UpdateTime>& times) {
  Table table;
  table.label_columns = 1;
  table.columns = {{"n", "n"},
                   {"eigenvectors (s)", "eigenvectors_seconds"},
                   {"rest (s)", "rest_seconds"},
                   {"an update (s)", "seconds"},
                   {"10^9 operations a second", "operations_per_second"}};
  for (const UpdateTime& time : times) {
    const auto seconds = [](double value) {
      return number_cell(value, fmt::format("{:.3g}", value));
    };
    table.rows.push_back({text_cell(std::to_string(time.width)), seconds(time.eigenvectors),
                          seconds(time.rest), seconds(time.seconds()),
                          fixed_cell(1e-9 * time.operations() / time.seconds(), 1)});
  }
  fmt::print("{}\none thread, {}; medians; operations counted as 12 n^3\n", to_markdown(table),
             simd_target());
}

}  // namespace

void define_bench_updates(CLI::App& app, BenchUpdatesOptions& options) {
  CLI::App* sub = app.add_subcommand("updates", "Time what codecs that learn compute at an update");
  sub->fallthrough();
  sub->add_option("--width", options.widths,
                  "Coordinates that are transformed together; several with commas "
                  "[384,768,1152,1536]")
      ->delimiter(',')
      ->check(whole_number(1, 16384))
      ->type_name("N");
  sub->add_option("--repeat", options.rounds, "Rounds [3]")->check(whole_number(1))->type_name("R");
  sub->footer(kHelpEnd);
  sub->callback([&] { options.chosen = true; });
}

void run_bench_updates(const BenchUpdatesOptions& options,
                       const std::vector<std::string>& arguments, bool json) {
  std::vector<UpdateTime> times;
  {
    Progress progress("bench", options.widths.size() * options.rounds);
    std::size_t done = 0;
    for (const std::size_t width : options.widths) {
      times.push_back(time_update(width, options.rounds, [&] {
        progress.update(++done, fmt::format("{} coordinates", width));
      }));
    }
  }
  if (!json) return print_table(times);
  Json document;
  for (const UpdateTime& time : times) document["updates"].push_back(document_of(time));
  document["simd_target"] = simd_target();
  document["provenance"] = Json::parse(to_json(make_provenance(arguments, 1)));
  fmt::print("{}\n", document.dump(2));
}

}  // namespace kakeya
