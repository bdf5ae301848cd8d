// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report choose`: the cheapest setting that keeps to a KL divergence.
struct ReportChooseOptions {
  bool chosen = false, json = false;
  std::vector<std::string> folders;
  double kl = 0;
  std::string tier;
  std::optional<std::uint64_t> tokens;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_choose(CLI::App& app, ReportChooseOptions& options);

/// Reads the folders and prints a sentence and a table for each of their modes, or one JSON array.
/// Throws InputError where no setting of any folder keeps to the KL divergence.
void run_report_choose(const ReportChooseOptions& options);

}  // namespace kakeya
