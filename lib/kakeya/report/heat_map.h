// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kakeya {

/// One grid of a heat map.
struct HeatPanel {
  std::string title;
  std::vector<double> values;  ///< [rows, columns]; NaN is drawn grey
};

/// Grids one below the other, with common rows, columns and colours. Values beyond an end of the
/// colour scale get the colour of that end.
struct HeatMap {
  std::string name;  ///< of the files: name.gp, name.dat, name.svg, name.png
  std::string title, subtitle;
  std::string x_label, y_label, colour_label;
  std::vector<std::string> rows;  ///< names, from the top; none: as many as number_rows, counted
  std::size_t number_rows = 0;
  std::size_t columns = 0;                ///< counted from 0
  std::size_t column_step = 1;            ///< between the columns that are numbered
  std::vector<std::string> column_names;  ///< in place of their numbers; none, or one a column
  double low = 0, high = 1;               ///< ends of the colour scale
  bool diverging = false;  ///< blue, white, red, white in the middle; else white to dark violet
  std::vector<HeatPanel> panels;

  std::size_t row_count() const { return rows.empty() ? number_rows : rows.size(); }
};

/// Writes <folder>/<name>.dat and <name>.gp; draw_chart() makes <name>.svg and <name>.png of them.
/// Throws InputError when there is no panel, a panel has another number of values than rows times
/// columns, there are names for another number of columns, or the colour scale has no width.
void write_heat_map(const std::string& folder, const HeatMap& map);

}  // namespace kakeya
