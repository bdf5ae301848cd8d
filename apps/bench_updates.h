// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-bench updates`: what codecs that learn compute at each update.
struct BenchUpdatesOptions {
  bool chosen = false;
  std::vector<std::size_t> widths{384, 768, 1152, 1536};
  std::size_t rounds = 3;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
void define_bench_updates(CLI::App& app, BenchUpdatesOptions& options);

/// Times each width on one thread and prints the table, or one JSON document.
void run_bench_updates(const BenchUpdatesOptions& options,
                       const std::vector<std::string>& arguments, bool json);

}  // namespace kakeya
