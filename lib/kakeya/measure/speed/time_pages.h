// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/lattice/lattice.h"
#include "kakeya/measure/speed/launch_times.h"

namespace kakeya {

/// Which entropy-coded pages are timed on a GPU.
struct PageBenchPlan {
  std::vector<Lattice> lattices;
  bool prefix = false;                   ///< prefix codes too, of Z
  std::size_t heads = 8, pages = 65536;  ///< of all heads together
  std::size_t page = 64, dim = 128, rounds = 20;
  /// Deviations of the first and the last coordinate in steps; those between fall evenly by octaves.
  double widest = 15.5, narrowest = 0.27;
  bool normal = false;  ///< coordinates are normal, of vectors without a gain
};

/// One operation on the pages of one lattice.
struct PageBenchRow {
  std::string lattice, pages, operation;  ///< pages: "rans" or "prefix"
  std::size_t values = 0;
  std::size_t page_bytes = 0;  ///< of all pages together
  std::size_t bytes = 0;       ///< that must move: pages, and points or sums of vectors, each once
  LaunchTimes us;
  double copy_gb_per_second = 0;  ///< bytes read and written by a copy within device memory

  double values_per_second() const { return static_cast<double>(values) / us.median * 1e6; }
  /// 10^9 bytes a second that the values would take as bfloat16.
  double bf16_gb_per_second() const { return values_per_second() * 2e-9; }
  /// The share of the copy's bandwidth.
  double of_copy() const {
    return static_cast<double>(bytes) * 1e-3 / us.median / copy_gb_per_second;
  }
  double bits_per_value() const {
    return 8.0 * static_cast<double>(page_bytes) / static_cast<double>(values);
  }
};

/// Times pages where the points are: "encode" from points in device memory, "decode" to there, "sum"
/// decoding with a consumer that adds up each vector and writes no points. Points: Student's t with 5
/// degrees of freedom, times a gain a vector of log-normal deviation 0.2, or normal, of the deviations of `plan`;
/// classes: the cheapest for them, whose shapes prefix codes have too. Pages of 16384 vectors are drawn, or fewer, and repeated. Every page must be
/// the CPU's and decode to its points, or it is an Error. Throws InputError where there is no GPU.
std::vector<PageBenchRow> time_pages(const PageBenchPlan& plan);

}  // namespace kakeya
