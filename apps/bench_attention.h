// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kakeya/measure/speed/time_attention.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// The flags of `kakeya-bench attention` and `kakeya-bench step`.
struct BenchAttentionOptions {
  AttentionBenchPlan plan;
  std::vector<std::string> shapes;
  std::string tap = "post-rope";
  std::string dump;  ///< a file of captured keys and values
  int layer = 0;     ///< its first layer whose heads are taken
  std::vector<std::string> profiles;
  bool chosen = false;
  bool step = false;  ///< all layers of a model
};

void define_bench_attention(CLI::App& app, BenchAttentionOptions& options);
void define_bench_step(CLI::App& app, BenchAttentionOptions& options);

/// Times what is asked for and prints a table, or one JSON document. Throws SpecError on shapes that
/// are none.
void run_bench_attention(BenchAttentionOptions options, const std::vector<std::string>& arguments,
                         bool json);

}  // namespace kakeya
