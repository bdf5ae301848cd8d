// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/measure/speed/time_device.h"
#include "kakeya/measure/speed/time_pages.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// The plan for what --pages says: names of lattices, "prefix", or "none" alone; of 4194304 vectors, `page` a
/// page. Throws SpecError on others.
PageBenchPlan page_bench_plan(const std::vector<std::string>& names, std::size_t page);

/// Runs time_device() and time_pages() and prints tables, or one JSON document.
void run_gpu_bench(const DeviceBenchPlan& plan, const PageBenchPlan& pages,
                   const Provenance& provenance, bool json);

}  // namespace kakeya
