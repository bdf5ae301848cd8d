// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report layers`: tables and charts of what kakeya-sweep --layer-study measured.
struct ReportLayersOptions {
  bool chosen = false, json = false, no_charts = false;
  std::vector<std::string> folders;
  std::string out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_layers(CLI::App& app, ReportLayersOptions& options);

/// Reads, writes the report, prints where it is or the JSON document.
void run_report_layers(const ReportLayersOptions& options,
                       const std::vector<std::string>& arguments);

}  // namespace kakeya
