// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/stats/interval.h"

namespace kakeya {

/// One cell: what a person reads, and the number behind it.
struct Cell {
  std::string text;
  std::optional<double> value, half_width;  ///< unscaled, full precision
  std::size_t samples = 0;
};

Cell text_cell(std::string text);
Cell number_cell(double value, std::string text);
Cell fixed_cell(double value, int decimals);
/// Value, half width and sample count of `interval`; the half width is left out when it is infinite
/// (one sample).
Cell interval_cell(const Interval& interval, std::string text);
/// The geometric mean of here[i] / there[i], "1.41 (1.26 to 1.58)", its value and half width those of the
/// log2; "-" where a number is not above 0 or there is none.
Cell ratio_cell(std::span<const double> here, std::span<const double> there);

struct Column {
  std::string heading;   ///< in markdown; empty: the column is in the CSV only
  std::string quantity;  ///< in the CSV, with its unit: "kld_mean (nats)"
  bool number = true;    ///< aligned right
};

/// A table of a report, written as markdown and as CSV from the same cells.
struct Table {
  std::string name;          ///< in the CSV: "codecs"
  std::string title, note;   ///< in markdown: the heading, and what a reader must know, below it
  std::string source, mode;  ///< a results folder and a mode; empty where it spans several
  std::size_t label_columns = 1;  ///< the first columns, which name a row
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
};

/// A table that has nothing but these yet.
Table named_table(std::string name, std::string title);

/// A pipe table, columns padded to equal width; '|' in a cell is escaped. Throws InputError when a
/// row has another length.
std::string to_markdown(const Table& table);

/// "table,source,mode,row,quantity,value,half_width,samples,text" and a line end.
std::string csv_header();

/// A field as a line of a CSV file has it: in quotes where it has to be (RFC 4180).
std::string csv_field(const std::string& text);

/// One line a cell that is not a label, in that order (RFC 4180 quoting). Throws as to_markdown().
std::string to_csv(const Table& table);

}  // namespace kakeya
