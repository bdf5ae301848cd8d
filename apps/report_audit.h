// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report audit`: how far captured K and V are from what codecs assume.
struct ReportAuditOptions {
  bool chosen = false, json = false, no_charts = false;
  std::string dump, out;
  std::size_t draws = 99;
  std::uint64_t seed = 0;
  int threads = 0;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_audit(CLI::App& app, ReportAuditOptions& options);

/// Measures, writes the report where asked to, prints a table or the JSON document. `arguments` is
/// argv.
void run_report_audit(const ReportAuditOptions& options, const std::vector<std::string>& arguments);

}  // namespace kakeya
