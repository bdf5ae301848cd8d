// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "report_output.h"

namespace kakeya {

/// `kakeya-report attention`: tables and a chart of what `kakeya-bench attention --json` printed.
struct ReportAttentionOptions : ReportOutput {
  std::vector<std::string> benches;
  std::string sdpa, charted, losses;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_attention(CLI::App& app, ReportAttentionOptions& options);

/// Reads, writes the report, prints where it is or the JSON document. Throws CorruptStream on files
/// that are not what these programs write, naming the file, and InputError where they are of
/// different GPUs or samples of losses are of none of the codecs.
void run_report_attention(const ReportAttentionOptions& options);

}  // namespace kakeya
