// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kakeya {

/// A measured point with its error bar. On a logarithmic axis y is positive; a bar that reaches 0
/// or below is cut at the axis.
struct ChartPoint {
  double x = 0, y = 0, low = 0, high = 0;  ///< low = high = y: no bar
  std::string label;  ///< beside the point, left out where there is no room; empty: none
};

/// Points of one colour, joined by a thin line in the order given.
struct ChartSeries {
  std::string name;    ///< in the key
  std::string colour;  ///< "#rrggbb"
  int marker = 7;      ///< gnuplot point type
  std::vector<ChartPoint> points;
};

/// A broken line without markers: a bound or a level.
struct ChartLine {
  std::string name;  ///< in the key, once for all panels
  int dash = 2;      ///< gnuplot dash type
  std::vector<std::pair<double, double>> points;
};

/// One pair of axes.
struct ChartPanel {
  std::string title;
  std::vector<ChartSeries> series;
  std::vector<std::pair<double, double>>
      front;  ///< drawn as a broad step line below everything, rising x
  std::vector<ChartLine> references;
  bool crowded = false;  ///< labels may stand farther off, to keep clear of bars
};

/// A chart of one or more panels with common axes.
struct Chart {
  std::string name;  ///< of the files: name.gp, name.dat, name.svg, name.png
  std::string title, subtitle;
  std::string x_label, y_label;
  std::string front_name = "Pareto front";  ///< in the key
  bool logarithmic = true;                  ///< y; a linear axis takes in the references as well
  bool floors = false;                      ///< a logarithmic axis takes in the references too
  bool x_is_log2 = false;                   ///< x are logarithms to base 2; ticks say the powers
  bool stacked = false;                     ///< panels below one another, each as wide as the chart
  std::vector<ChartPanel> panels;
};

/// Writes <folder>/<name>.dat and <name>.gp; `gnuplot <name>.gp` in that folder makes <name>.svg
/// and <name>.png. Labels are placed here, so that they cover neither points nor one another.
/// Throws InputError when no panel has a point, or a y is not finite or, on a logarithmic axis, not
/// positive.
void write_chart(const std::string& folder, const Chart& chart);

/// Runs gnuplot on <folder>/<name>.gp. Throws IoError: when gnuplot is not installed (naming the
/// package), when it fails or complains (with its message).
void draw_chart(const std::string& folder, const std::string& name);

}  // namespace kakeya
