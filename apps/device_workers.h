// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kakeya/measure/sweep.h"
#include "kakeya/store/shard.h"

namespace kakeya {

/// Of "0,1", "cuda:0,cuda:1" or "cpu,cpu": "cuda:N" of a number, anything else as it is. Throws
/// SpecError where a name is missing.
std::vector<std::string> parse_device_list(const std::string& text);

/// A process of its own that measures one shard on one device.
struct DeviceWorker {
  std::string device;
  Shard shard;
};

/// Part `shard` of a sweep, divided once more: a part for each device, the numbers of all of them as if
/// so many shards more had been asked for.
std::vector<DeviceWorker> workers_of(const std::vector<std::string>& devices, const Shard& shard);

/// Forks a process for each worker, which runs `work` and ends, and waits for all of them. What they write to
/// stderr is written here, each line once; a bar shows how far their locks in `folder` say they are. A
/// signal that asks for the end (stop_signals.h) is handed on; workers whose parent is killed are asked
/// too. To be called before there are threads or a device.
///
/// Returns what they did together, `stopped` where one was. Throws when all have ended where one was refused
/// or threw: SpecError if only for how they were called, else Error, which names their devices unless all
/// say the same. That cells failed is no failure of a worker.
SweepOutcome run_workers(const std::vector<DeviceWorker>& workers, const std::string& folder,
                         const std::function<SweepOutcome(const DeviceWorker&)>& work);

}  // namespace kakeya
