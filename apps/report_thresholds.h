// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report thresholds`: the fewest bits that lose no more than a reference codec.
struct ReportThresholdsOptions {
  bool chosen = false, json = false, no_charts = false;
  std::string reference = "fp8", factors = "1,1.05,1.2", bits = "measured", out;
  std::vector<std::string> folders, dumps, profiles, codecs, weights;
  std::vector<int> strategies = {1, 2};
  int threads = 0;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_thresholds(CLI::App& app, ReportThresholdsOptions& options);

/// Answers from samples, or codes the dumps and answers. Throws InputError where no setting of any
/// family is within any factor, after everything is printed.
void run_report_thresholds(const ReportThresholdsOptions& options,
                           const std::vector<std::string>& arguments);

}  // namespace kakeya
