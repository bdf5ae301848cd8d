// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report_output.h"

namespace kakeya {

/// `kakeya-report gpu`: a table and a roofline chart of what `kakeya-bench gpu --json` printed.
struct ReportGpuOptions : ReportOutput {
  std::string bench, published;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_gpu(CLI::App& app, ReportGpuOptions& options);

/// Reads, writes the report, prints where it is or the JSON document. Throws CorruptStream on files
/// that are not what these programs write, naming the file.
void run_report_gpu(const ReportGpuOptions& options);

}  // namespace kakeya
