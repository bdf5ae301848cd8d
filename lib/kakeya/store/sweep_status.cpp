// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/sweep_status.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "kakeya/store/result_files.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

/// The mean seconds of a cell: of its codec and mode, or of all.
class Costs {
 public:
  explicit Costs(const std::vector<Sample>& samples) {
    for (const Sample& sample : samples) {
      add(of_[key(sample.key)], sample.cell_seconds);
      add(all_, sample.cell_seconds);
    }
  }
  bool known() const { return all_.count > 0; }
  double of(const CellKey& cell) const {
    const auto at = of_.find(key(cell));
    const Mean& mean = at == of_.end() ? all_ : at->second;
    return mean.sum / static_cast<double>(mean.count);
  }

 private:
  struct Mean {
    double sum = 0;
    std::size_t count = 0;
  };
  using Key = std::tuple<std::string, std::string, std::string>;
  static Key key(const CellKey& cell) { return {cell.codec_k, cell.codec_v, cell.mode}; }
  static void add(Mean& mean, double seconds) {
    mean.sum += seconds;
    ++mean.count;
  }
  std::map<Key, Mean> of_;
  Mean all_;
};

double seconds_since_written(const std::string& path) {
  std::error_code error;
  const auto written = fs::last_write_time(path, error);
  if (error) return 0;  // its writer has just gone
  return std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count();
}

std::vector<SweepWriter> writers_of(const std::string& folder) {
  std::vector<SweepWriter> writers;
  for (const Shard& shard : other_locks(folder, Shard{0, 0})) {
    const std::string path = ResultFiles{folder, shard}.lock();
    const std::optional<LeaseOwner> owner = Lease::read(path);
    if (!owner) continue;
    SweepWriter writer{shard, *owner};
    writer.silent_seconds = std::max(0.0, seconds_since_written(path));
    const Alive state = owner->token.empty() ? Alive::elsewhere : alive(*owner);
    writer.lives = state == Alive::yes ||
                   (state == Alive::elsewhere && writer.silent_seconds < owner->seconds);
    writers.push_back(std::move(writer));
  }
  return writers;
}

}  // namespace

SweepStatus sweep_status(const std::string& folder) {
  SweepStatus status;
  status.writers =
      writers_of(folder);  // before the samples: a cell that is finished meanwhile counts as done
  const StoredResults results = read_results(folder);
  std::set<CellKey> done, failed;
  for (const Sample& sample : results.samples) done.insert(sample.key);
  for (const Failure& failure : results.failures) failed.insert(failure.key);
  std::vector<CellKey> cells = planned_cells_of(results), rest;
  for (const CellKey& cell : cells) {
    if (!done.contains(cell) && !failed.contains(cell)) rest.push_back(cell);
  }
  status.done = done.size();
  status.failed = failed.size();
  status.failures = results.failures;
  status.lacking = missing_cells(results);
  const Costs costs(results.samples);
  const auto seconds_of = [&](const Shard& shard) {
    double seconds = 0;
    for (const CellKey& cell : rest) {
      if (shard.has(cell)) seconds += costs.of(cell);
    }
    return seconds;
  };
  const auto count_of = [&](const Shard& shard) {
    return static_cast<std::size_t>(
        std::count_if(rest.begin(), rest.end(), [&](const CellKey& c) { return shard.has(c); }));
  };
  int division = 0;
  for (SweepWriter& writer : status.writers) {
    writer.missing = count_of(writer.shard);
    if (!writer.lives) continue;
    division = writer.shard.count;
    if (writer.missing > 0) ++status.running;
    if (!costs.known()) continue;
    writer.seconds_left = seconds_of(writer.shard);
    status.seconds_left = std::max(status.seconds_left.value_or(0), *writer.seconds_left);
  }
  status.running = std::min(status.running, rest.size());
  status.missing = rest.size() - status.running;
  status.cells = status.done + status.failed + rest.size();
  for (const auto& planned : results.cells_planned) {  // runs of before they recorded which
    if (!cells.empty() || planned.value_or(0) <= status.cells) continue;
    status.missing += *planned - status.cells;
    status.cells = *planned;
  }
  if (costs.known()) status.work_seconds_left = seconds_of(Shard{});
  for (int index = 1; index <= division; ++index) {
    const Shard shard{index, division};
    const bool written = std::any_of(status.writers.begin(), status.writers.end(),
                                     [&](const auto& w) { return w.lives && w.shard == shard; });
    const std::size_t missing = written ? 0 : count_of(shard);
    if (missing == 0) continue;
    status.idle.push_back(shard);
    status.idle_cells += missing;
  }
  return status;
}

}  // namespace kakeya
