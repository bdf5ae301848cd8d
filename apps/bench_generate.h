// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/model/model.h"
#include "policy_options.h"

namespace kakeya {

/// `kakeya-bench generate`: a model that decodes over packed caches, codec beside codec.
struct BenchGenerateOptions {
  bool chosen = false;
  std::string model, text, out;
  std::vector<std::string> codecs, profiles;
  std::vector<std::size_t> contexts{512}, batches{1};
  std::size_t tokens = 32, rounds = 4, prefill_chunk = 512, most = 64;
  std::optional<double> fit_mb;
  PolicyFlags policy;
  ModelOptions options;
  bool on_gpu = false;  ///< the caches
  bool packed_sums = false;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
void define_bench_generate(CLI::App& app, BenchGenerateOptions& options);

/// Measures, writes each finished context and batch to --out, prints the table or the document.
void run_bench_generate(const BenchGenerateOptions& options,
                        const std::vector<std::string>& arguments, bool json);

}  // namespace kakeya
