// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report positions`: what codecs do by position, of texts that kakeya-perplexity scored.
struct ReportPositionsOptions {
  bool chosen = false, json = false, no_charts = false;
  std::vector<std::string> folders;
  std::string out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_positions(CLI::App& app, ReportPositionsOptions& options);

/// Prints tables or the JSON document, or writes the report.
void run_report_positions(const ReportPositionsOptions& options,
                          const std::vector<std::string>& arguments);

}  // namespace kakeya
