// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "report_storage.h"

namespace kakeya {

/// `kakeya-report capacity`: how many users fit on a card.
struct ReportCapacityOptions {
  bool chosen = false, json = false, published = false, no_charts = false;
  CacheQuestionOptions asked;
  std::string card, weights = "bf16", reserve = "10%", profile_bytes, users = "1", out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_capacity(CLI::App& app, ReportCapacityOptions& options);

/// Prints tables or the JSON document, or writes the report. Throws InputError where no model leaves
/// room for a cache.
void run_report_capacity(const ReportCapacityOptions& options);

}  // namespace kakeya
