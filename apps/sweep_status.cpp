// SPDX-License-Identifier: Apache-2.0
#include "sweep_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "kakeya/store/sweep_status.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kFooter[] = R"(
Counts cells (codec x mode x passage) of all that runs of DIR set out to measure, whole or in shards; reads only.
  done      finished        failed    tried, with a reason; the next run tries it again
  running   one a living shard        missing   all others
Time left is of the slowest living shard, by the mean of each codec's cells so far, without reference passes.
A shard without a sign of life for its --lease is not living: run its command again and it goes on.

JSON: `cells`, `done`, `failed`, `missing`, `running`; `seconds_left`, `work_seconds_left` (of all shards together; null where nothing
was timed, the first also where nobody runs); `shards` (of each lock: `shard`, `state` living or silent, `host`, `pid`, `silent_seconds`,
`now`, `done`, `total`, `missing`, `seconds_left`), `idle_shards`, `missing_cells` (`codec_k`, `codec_v`, `mode`, `passages`), `failures`.

Examples:
  kakeya-sweep status out/my
  watch -n 10 kakeya-sweep status out/my)";

std::string clock_text(const std::optional<double>& seconds) {
  if (!seconds) return "not known";
  const auto whole = static_cast<long>(*seconds + 0.5);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json status_json(const SweepStatus& status, const std::string& folder) {
  Json shards = Json::array(), idle = Json::array(), lacking = Json::array(),
       failures = Json::array();
  for (const SweepWriter& writer : status.writers) {
    shards.push_back({{"shard", writer.shard.text()},
                      {"state", writer.lives ? "living" : "silent"},
                      {"host", writer.owner.host},
                      {"pid", writer.owner.pid},
                      {"silent_seconds", writer.silent_seconds},
                      {"now", writer.owner.now},
                      {"done", writer.owner.done},
                      {"total", writer.owner.total},
                      {"missing", writer.missing},
                      {"seconds_left", number(writer.seconds_left)}});
  }
  for (const Shard& shard : status.idle) idle.push_back(shard.text());
  for (const MissingCells& cells : status.lacking) {
    lacking.push_back({{"codec_k", cells.codec_k},
                       {"codec_v", cells.codec_v},
                       {"mode", cells.mode},
                       {"passages", cells.passages}});
  }
  for (const Failure& failure : status.failures) {
    failures.push_back({{"codec_k", failure.key.codec_k},
                        {"codec_v", failure.key.codec_v},
                        {"passage", failure.key.passage},
                        {"mode", failure.key.mode},
                        {"reason", failure.reason}});
  }
  return {{"out", folder},
          {"cells", status.cells},
          {"done", status.done},
          {"failed", status.failed},
          {"missing", status.missing},
          {"running", status.running},
          {"seconds_left", number(status.seconds_left)},
          {"work_seconds_left", number(status.work_seconds_left)},
          {"shards", shards},
          {"idle_shards", idle},
          {"missing_cells", lacking},
          {"failures", failures}};
}

void print_writers(const SweepStatus& status) {
  if (status.writers.empty()) return;
  std::size_t width = 5;
  for (const SweepWriter& writer : status.writers)
    width = std::max(width, writer.owner.who().size());
  fmt::print("{:<9}  {:<{}}  {:>11}  {:>9}  {}\n", "shard", "where", width, "cells", "left", "now");
  for (const SweepWriter& writer : status.writers) {
    const std::string now =
        writer.lives ? writer.owner.now
                     : fmt::format("silent for {:.0f} s: its command, run again, goes on",
                                   writer.silent_seconds);
    fmt::print("{:<9}  {:<{}}  {:>11}  {:>9}  {}\n", writer.shard.text(), writer.owner.who(), width,
               fmt::format("{} of {}", writer.owner.done, writer.owner.total),
               writer.lives ? clock_text(writer.seconds_left) : "-", now);
  }
}

void print_text(const SweepStatus& status, const std::string& folder) {
  constexpr std::size_t kShown = 12;
  fmt::print("{}: {} cells: {} done, {} running, {} failed, {} missing\n", folder, status.cells,
             status.done, status.running, status.failed, status.missing);
  if (status.running > 0) {
    fmt::print("time left: about {}; of all shards together {}\n", clock_text(status.seconds_left),
               clock_text(status.work_seconds_left));
  } else if (status.missing > 0) {
    fmt::print("nobody runs: about {} of work is left\n", clock_text(status.work_seconds_left));
  }
  print_writers(status);
  if (!status.idle.empty()) {
    std::string names;
    for (std::size_t i = 0; i < std::min(kShown, status.idle.size()); ++i)
      names += (i == 0 ? "" : ", ") + status.idle[i].text();
    if (status.idle.size() > kShown) names += ", ...";
    fmt::print("nobody runs {}, which lack {} cells\n", names, status.idle_cells);
  }
  if (status.missing + status.running + status.failed > 0)
    fmt::print("not finished: {}\n", missing_text(status.lacking, kShown));
  for (std::size_t i = 0; i < std::min(kShown, status.failures.size()); ++i) {
    const Failure& failure = status.failures[i];
    fmt::print("failed: {} {} passage {}: {}\n", failure.key.codec_k, failure.key.mode,
               failure.key.passage, failure.reason);
  }
}

}  // namespace

void define_status(CLI::App& app, StatusFlags& flags) {
  flags.command =
      app.add_subcommand("status", "What is done, running, failed and missing in a folder");
  flags.command->add_option("DIR", flags.folder, "The --out of a sweep")->required();
  flags.command->add_flag("--json", flags.json, "Print one JSON document");
  flags.command->footer(kFooter);
}

void run_status(const StatusFlags& flags) {
  const SweepStatus status = sweep_status(flags.folder);
  if (flags.json) {
    fmt::print("{}\n", status_json(status, flags.folder).dump(2));
  } else {
    print_text(status, flags.folder);
  }
}

}  // namespace kakeya
