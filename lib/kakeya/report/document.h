// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/report/figure.h"
#include "kakeya/report/heat_map.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// A report, made but not written.
struct Document {
  std::string markdown;            ///< report.md
  std::string details;             ///< details.md, where report.md is one screen; "": there is none
  std::string csv = csv_header();  ///< results.csv: every table in long format, full precision
  std::vector<Chart> charts;
  std::vector<HeatMap> heat_maps;

  void paragraph(const std::string& text);

  /// A heading of `level` ("##"), the table, its note and, small, `provenance`; and the table's
  /// lines of the CSV. Nothing where the table has no rows.
  void table(const Table& table, const std::string& level, const std::string& provenance = "");
};

/// Writes report.md, details.md where there are details, results.csv and for every chart and heat
/// map .dat and .gp into `folder` (made if missing), and then, if `draw`, runs gnuplot for .svg and
/// .png. Returns the names of the files. Throws IoError; a missing gnuplot is noticed after
/// everything else was written.
std::vector<std::string> write_document(const Document& document, const std::string& folder,
                                        bool draw);

}  // namespace kakeya
