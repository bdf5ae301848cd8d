// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report_output.h"

namespace kakeya {

/// `kakeya-report cold`: tables and a chart of what `scripts/nvcomp_cold.py` printed.
struct ReportColdOptions : ReportOutput {
  std::string bench;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_cold(CLI::App& app, ReportColdOptions& options);

/// Reads, writes the report, prints where it is or the JSON document. Throws CorruptStream on a file
/// that is not what the script writes, and InputError where it has no results or numbers that none can be,
/// naming it; IoError.
void run_report_cold(const ReportColdOptions& options);

}  // namespace kakeya
