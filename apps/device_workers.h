// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kakeya/measure/sweep.h"
#include "kakeya/store/shard.h"

namespace kakeya {

/// A process of its own that measures one shard on one device.
struct DeviceWorker {
  std::string device;
  Shard shard;
};

/// Part `shard` of a sweep, divided once more: a part for each device, the numbers of all of them as if
/// so many shards more had been asked for.
std::vector<DeviceWorker> workers_of(const std::vector<std::string>& devices, const Shard& shard);

/// What all workers did.
struct WorkersOutcome {
  SweepOutcome sum;  ///< `stopped` where one was
  bool counted =
      true;  ///< no worker was stopped before it knew its cells, so that `sum` has all of them
  std::string stop_signal;  ///< the first that this process or a worker was sent; empty: none
};

/// Forks a process for each worker, which runs `work` and ends, and waits for all of them. What they write to
/// stderr is written here, each line once; a bar shows how far their locks in `folder` say they are. A
/// signal that asks for the end (stop_signals.h) is handed on; workers whose parent is killed are asked
/// too. To be called before there are threads or a device. SIGCHLD has its default meanwhile, here and in
/// workers, as an ignored one would take their ends away.
///
/// Throws when all have ended where one was refused or threw: SpecError if only for how they were called, else
/// Error, which names their devices unless all say the same. That cells failed is no failure of a worker. Throws
/// IoError, and leaves no worker behind, where the system refuses a process or hides its end.
WorkersOutcome run_workers(const std::vector<DeviceWorker>& workers, const std::string& folder,
                           const std::function<SweepOutcome(const DeviceWorker&)>& work);

}  // namespace kakeya
