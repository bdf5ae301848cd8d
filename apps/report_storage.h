// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kakeya/capacity/storage.h"

namespace kakeya {

/// Flags that `storage` and `capacity` have in common.
struct CacheQuestionOptions {
  std::vector<std::string> configs, codecs;
  std::string tokens, open_page = "mean";
  int skipped_layers = 0, sinks = 0, residual_window = 0;

  /// Throws SpecError on a length or codec that cannot be read.
  StorageQuestion question() const;
  /// Reads every config. Throws InputError where two have the same name.
  std::vector<Decoder> decoders() const;
};

/// Declares those flags. `tokens` is the default of --tokens.
void add_cache_question(CLI::App& sub, CacheQuestionOptions& options, const std::string& tokens);

/// `kakeya-report storage`: what a cache takes, from a config alone.
struct ReportStorageOptions {
  bool chosen = false, json = false, published = false, no_charts = false;
  CacheQuestionOptions asked;
  std::string out;
};

/// Declares the subcommand on `app`; `options` gets what is given and must live as long.
CLI::App* define_report_storage(CLI::App& app, ReportStorageOptions& options);

/// Prints tables or the JSON document, or writes the report.
void run_report_storage(const ReportStorageOptions& options);

}  // namespace kakeya
