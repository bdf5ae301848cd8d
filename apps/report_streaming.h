// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kakeya/measure/streaming/streaming.h"

namespace kakeya {

/// `kakeya-report streaming`: whether bytes and values depend on how tokens arrive.
struct ReportStreamingOptions {
  bool chosen = false, json = false, no_charts = false;
  std::vector<std::string> codecs;
  StreamInput input;
  std::string from, out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_streaming(CLI::App& app, ReportStreamingOptions& options);

/// Measures, or reads what was measured, and writes the report. Throws InputError where a cache
/// depends on how its tokens came, when everything is written.
void run_report_streaming(const ReportStreamingOptions& options,
                          const std::vector<std::string>& arguments);

}  // namespace kakeya
