// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

#include "kakeya/report/document.h"

namespace kakeya {

/// Where a report goes and how what it says is printed: what subcommands that make a report of measured
/// speeds have in common.
struct ReportOutput {
  bool chosen = false, json = false, no_charts = false;
  std::string out;
};

/// Declares --out, --no-charts and --json on `sub`, behind its own options, and its footer; `output` gets
/// what is given and must live as long.
void define_output(CLI::App& sub, ReportOutput& output, const char* footer);

/// Writes the report and prints the JSON document, or how many results it has and where it is. Throws
/// IoError.
void write_report(const Document& report, const ReportOutput& output, std::size_t results);

}  // namespace kakeya
