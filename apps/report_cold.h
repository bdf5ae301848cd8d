// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace kakeya {

/// `kakeya-report cold`: tables and a chart of what `scripts/nvcomp_cold.py` printed.
struct ReportColdOptions {
  bool chosen = false, json = false, no_charts = false;
  std::string bench, out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_cold(CLI::App& app, ReportColdOptions& options);

/// Reads, writes the report, prints where it is or the JSON document. Throws CorruptStream on a file
/// that is not what the script writes, and InputError where it has no results or numbers that none can be,
/// naming it; IoError.
void run_report_cold(const ReportColdOptions& options);

}  // namespace kakeya
