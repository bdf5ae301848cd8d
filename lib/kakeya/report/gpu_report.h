// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// One operation of one codec on a GPU, as `kakeya-bench gpu --json` has it.
struct GpuSpeed {
  std::string codec, type, operation;  ///< of one row: a spec, "bf16", "encode"
  std::size_t dim = 0, vectors = 0;
  double bytes = 0;               ///< that must move: vectors, scales and codes, each once
  double us = 0, us_p99 = 0;      ///< microseconds a launch: the median, the 99th percentile
  double copy_gb_per_second = 0;  ///< of a copy in the same run, 10^9 bytes read and written

  double values() const { return static_cast<double>(vectors) * static_cast<double>(dim); }
  double gb_per_second() const { return bytes * 1e-3 / us; }
  double of_copy() const { return gb_per_second() / copy_gb_per_second; }
};

/// A run of the benchmark.
struct GpuSpeeds {
  std::string device, cuda;
  std::vector<GpuSpeed> rows;
  /// Microseconds that a published composition takes for the round trip of as many vectors of the
  /// same dim, by codec; and what it ran on, "torch 2.11.0, float32". Empty: not measured.
  std::map<std::string, double> published_us;
  std::string published_with;
  std::size_t published_dim = 0, published_vectors = 0;
};

/// A table of all operations, a line a codec, dim, type and number of vectors, and a roofline chart
/// of the first dim, type and number: values a second against the bytes that must move for each,
/// under the copy's bandwidth. Throws InputError when there are no rows.
Document make_gpu_report(const GpuSpeeds& speeds, const Provenance& measured);

}  // namespace kakeya
