// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/store/lease.h"
#include "kakeya/store/planned_cells.h"
#include "kakeya/store/result_store.h"
#include "kakeya/store/shard.h"

namespace kakeya {

/// A process that writes to a folder of results, or that left its lock there.
struct SweepWriter {
  Shard shard;
  LeaseOwner owner;
  bool lives = false;  ///< on another machine: it wrote less than its seconds ago, by this clock
  double silent_seconds = 0;  ///< since it last wrote to its lock
  std::size_t missing = 0;    ///< cells of its shard that nobody has finished or seen fail
  std::optional<double> seconds_left = {};  ///< nothing where no cell was ever timed
};

/// What has become of the cells that runs of a folder set out to have: done + failed + running + missing
/// is cells.
struct SweepStatus {
  std::size_t cells = 0, done = 0, failed = 0, running = 0, missing = 0;
  std::vector<SweepWriter> writers;
  std::vector<Shard>
      idle;  ///< of the division that is at work, those that lack cells and have no writer
  std::size_t idle_cells = 0;
  /// Until the last of the living writers is through, reference passes left out; of all of them
  /// together, and what nobody works at. By the mean of the same codec's cells, else of all. Nothing
  /// where nobody lives (the first), or no cell was timed.
  std::optional<double> seconds_left, work_seconds_left;
  std::vector<MissingCells> lacking;  ///< missing, running and failed
  std::vector<Failure> failures;
};

/// Reads a folder that sweeps have written or are writing; writes nothing. Throws as read_results().
SweepStatus sweep_status(const std::string& folder);

}  // namespace kakeya
