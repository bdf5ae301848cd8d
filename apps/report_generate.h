// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report_output.h"

namespace kakeya {

/// `kakeya-report generate`: tables and charts of what `kakeya-bench generate --out` wrote.
struct ReportGenerateOptions : ReportOutput {
  std::string bench;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_generate(CLI::App& app, ReportGenerateOptions& options);

/// Reads, writes the report, prints where it is or the JSON document. Throws CorruptStream on a file that
/// is not what that program writes, naming it.
void run_report_generate(const ReportGenerateOptions& options);

}  // namespace kakeya
