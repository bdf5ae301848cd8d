// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report rd`: the rate-distortion report.
struct ReportRdOptions {
  bool chosen = false, json = false, no_charts = false, no_attention = false;
  std::vector<std::string> codecs, plugins, dumps, arrays,
      sources = {"gaussian", "laplace", "student-t"};
  std::size_t dim = 128, vectors = 8192;
  std::string out;
  std::uint64_t seed = 0;
  int threads = 0;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_rd(CLI::App& app, ReportRdOptions& options);

/// Measures, writes the report, prints a line or the JSON document. `arguments` is argv.
void run_report_rd(const ReportRdOptions& options, const std::vector<std::string>& arguments);

}  // namespace kakeya
