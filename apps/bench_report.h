// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/measure/speed/time_codec.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// What all rows of a benchmark have in common.
struct BenchSetting {
  std::string simd_target;
  std::string memory;             ///< "system" or "kept"
  std::string reference_library;  ///< empty: the published round trip was not timed
  Provenance provenance;
};

/// Prints one JSON document on stdout: that of the row, or of several rows in "results".
void print_bench_json(const BenchSetting& setting, const std::vector<BenchResult>& results);

/// Prints a table for people (markdown) and, below it, what its columns mean and where it was made.
void print_bench_table(const BenchSetting& setting, const std::vector<BenchResult>& results);

}  // namespace kakeya
