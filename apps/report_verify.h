// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report verify`: folders of reports against what they were made of.
struct ReportVerifyOptions {
  bool chosen = false, json = false, bind = false;
  std::vector<std::string> folders, have;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_verify(CLI::App& app, ReportVerifyOptions& options);

/// Prints what was verified, or the JSON document. Throws InputError when something is not what it
/// has to be.
void run_report_verify(const ReportVerifyOptions& options);

}  // namespace kakeya
