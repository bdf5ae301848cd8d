// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kakeya {

/// `kakeya-report needle`: tables and heat maps of what kakeya-needle measured.
struct ReportNeedleOptions {
  bool chosen = false, json = false, no_charts = false;
  std::string folder, out;
  double solved = 0.8;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_needle(CLI::App& app, ReportNeedleOptions& options);

/// Reads, writes the report, prints where it is or the JSON document.
void run_report_needle(const ReportNeedleOptions& options);

}  // namespace kakeya
