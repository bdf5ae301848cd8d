// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/measure/speed/time_device.h"
#include "kakeya/measure/speed/time_pages.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// The plan for what --pages says: names of lattices, or "none". Throws SpecError on others.
PageBenchPlan page_bench_plan(const std::vector<std::string>& names);

/// Runs time_device() and time_pages() and prints tables, or one JSON document.
void run_gpu_bench(const DeviceBenchPlan& plan, const PageBenchPlan& pages,
                   const Provenance& provenance, bool json);

}  // namespace kakeya
