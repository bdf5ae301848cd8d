// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kakeya/io/provenance.h"
#include "kakeya/io/result_store.h"
#include "kakeya/report/figure.h"

namespace kakeya {

/// The report of one or more folders of results, made but not written.
struct SweepReport {
  std::string markdown;  ///< report.md
  std::string csv;       ///< results.csv: every table in long format, full precision
  std::vector<Chart> charts;
  std::size_t codecs = 0;             ///< different pairs of specs
  std::size_t passages = 0;           ///< different (text, passage)
  std::vector<std::string> warnings;  ///< as in the report: cells not finished, failed cells,
                                      ///< unequal passages, a broken control
  bool control_broken = false;        ///< identity was there and was not exactly zero
};

/// `self` is who makes the report. Throws as group_results().
SweepReport make_sweep_report(std::span<const StoredResults> results, const Provenance& self);

/// Writes report.md, results.csv and for every chart .dat and .gp into `folder` (made if missing),
/// and then, if `draw`, runs gnuplot for .svg and .png. Returns the names of the files. Throws
/// IoError; a missing gnuplot is noticed after everything else was written.
std::vector<std::string> write_sweep_report(const SweepReport& report, const std::string& folder,
                                            bool draw);

}  // namespace kakeya
