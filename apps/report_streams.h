// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report streams`: codecs on the KV streams of a model that has several.
struct ReportStreamsOptions {
  bool chosen = false, json = false, no_charts = false;
  std::vector<std::string> folders;
  std::string against = "fp8:scale=e8m0,tail=64", out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_streams(CLI::App& app, ReportStreamsOptions& options);

/// Reads, writes the report, prints where it is or the JSON document.
void run_report_streams(const ReportStreamsOptions& options);

}  // namespace kakeya
