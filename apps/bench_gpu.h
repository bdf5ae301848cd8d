// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/measure/speed/time_device.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// Runs time_device() and prints a table, or one JSON document.
void run_gpu_bench(const DeviceBenchPlan& plan, const Provenance& provenance, bool json);

}  // namespace kakeya
