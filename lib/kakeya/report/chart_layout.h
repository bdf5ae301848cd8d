// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/report/figure.h"

namespace kakeya {

/// A rectangle of the canvas, in pixels of the SVG, y growing downwards.
struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// Common axes: x linear, y linear or logarithmic.
struct Axes {
  double x_min = 0, x_max = 1;
  bool logarithmic = true;
  double low = 0, high = 1;  ///< ends of the y axis, as along() gives them

  /// Where `y` lies along the axis: log10(y), or y itself.
  double along(double y) const;
  /// The y of a place along the axis.
  double at(double place) const;
};

inline constexpr char kFrontColour[] = "#80FFB000";  // amber, half transparent
inline constexpr char kReferenceColour[] = "#555555";
inline constexpr double kKeySwatch = 34;  ///< of a key entry: the width before its text

/// One entry of the key: a swatch with its text behind it, placed in pixels from the canvas's left
/// and top.
struct KeyEntry {
  std::string name, colour;
  int marker = 0;  ///< 0: a line only
  double line_width = 1.2;
  int dash = 1;
  double left = 0, top = 0;
};

/// Where everything of a chart goes.
struct ChartLayout {
  double width = 0, height = 0;  ///< canvas, pixels
  int font = 15;                 ///< points
  double left_margin = 0;        ///< of every panel: for tick labels and the name of the y axis
  Axes axes;
  std::vector<Box> panels;  ///< the plot areas
  std::vector<KeyEntry> key;
};

ChartLayout lay_out(const Chart& chart);

/// A label that found room, its centre in axis coordinates.
struct PlacedLabel {
  std::string text, colour;
  double x = 0, y = 0;
};

/// Labels of a panel that cover no marker, no other label and no edge; of the free places around a
/// point the one that crosses the fewest lines. Points whose label finds no room stay without.
/// Cost: points x labels.
std::vector<PlacedLabel> place_labels(const ChartPanel& panel, const Axes& axes, const Box& area,
                                      int font);

}  // namespace kakeya
