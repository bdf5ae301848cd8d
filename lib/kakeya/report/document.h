// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/report/figure.h"
#include "kakeya/report/heat_map.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// The one screen that stands in front of a long report.
struct FrontPage {
  std::vector<std::string> head;  ///< the heading, what the report is of, warnings
  std::string chart;              ///< the name of the one that it shows; it links the others
  std::vector<std::string> says;  ///< what came out, a list item each
  Table table;                    ///< of cells that tables behind it have; not in the CSV again
  std::string made_by;            ///< the last line of both pages, made_by_line(); "": none
};

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

  /// Makes what was written so far details.md, and this page report.md.
  void put_behind(const FrontPage& front);
};

/// Writes report.md, details.md where there are details, results.csv and for every chart and heat
/// map .dat and .gp into `folder` (made if missing), and then, if `draw`, runs gnuplot for .svg and
/// .png. Returns the names of the files. Throws IoError; a missing gnuplot is noticed after
/// everything else was written.
std::vector<std::string> write_document(const Document& document, const std::string& folder,
                                        bool draw);

}  // namespace kakeya
