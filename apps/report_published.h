// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kakeya {

/// `kakeya-report published`: the published figures, re-derived.
struct ReportPublishedOptions {
  bool chosen = false, json = false, no_charts = false, record = false, charts = false;
  std::string out, data;
  std::vector<std::string> ours, families;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_published(CLI::App& app, ReportPublishedOptions& options);

/// Derives, writes and prints. Throws InputError after that when a verdict is not the recorded one.
void run_report_published(const ReportPublishedOptions& options);

}  // namespace kakeya
