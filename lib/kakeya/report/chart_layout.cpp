// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/chart_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace kakeya {
namespace {

using Spot = std::pair<double, double>;  // pixels

constexpr double kMarkerRadius = 7;  // of a marker and a little air

Spot to_pixels(double x, double y, const Axes& axes, const Box& area) {
  return {area.left + (x - axes.x_min) / (axes.x_max - axes.x_min) * area.width(),
          area.bottom - (axes.along(y) - axes.low) / (axes.high - axes.low) * area.height()};
}

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool inside(const Spot& spot, const Box& box) {
  return spot.first > box.left && spot.first < box.right && spot.second > box.top &&
         spot.second < box.bottom;
}

/// Points along everything that is drawn as a line, a few pixels apart.
std::vector<Spot> ink(const ChartPanel& panel, const Axes& axes, const Box& area) {
  std::vector<Spot> spots;
  const auto stroke = [&](Spot from, Spot to) {
    const double length = std::hypot(to.first - from.first, to.second - from.second);
    for (double at = 0; at <= length; at += 4) {
      const double share = length > 0 ? at / length : 0;
      spots.emplace_back(from.first + share * (to.first - from.first),
                         from.second + share * (to.second - from.second));
    }
  };
  for (const ChartSeries& series : panel.series) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const ChartPoint& point = series.points[i];
      const Spot here = to_pixels(point.x, point.y, axes, area);
      if (i > 0)
        stroke(to_pixels(series.points[i - 1].x, series.points[i - 1].y, axes, area), here);
      const double low = std::max(point.low, axes.at(axes.low));
      stroke(to_pixels(point.x, low, axes, area), to_pixels(point.x, point.high, axes, area));
    }
  }
  for (const ChartLine& line : panel.references) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      stroke(to_pixels(line.points[i - 1].first, line.points[i - 1].second, axes, area),
             to_pixels(line.points[i].first, line.points[i].second, axes, area));
    }
  }
  return spots;
}

std::vector<KeyEntry> key_entries(const Chart& chart) {
  std::vector<KeyEntry> entries, lines;
  bool front = false;
  const auto add_once = [](std::vector<KeyEntry>& list, KeyEntry entry) {
    const bool known = std::any_of(list.begin(), list.end(),
                                   [&](const KeyEntry& e) { return e.name == entry.name; });
    if (!known) list.push_back(std::move(entry));
  };
  for (const ChartPanel& panel : chart.panels) {
    front |= !panel.front.empty();
    for (const ChartSeries& series : panel.series) {
      add_once(entries, {series.name, series.colour, series.marker});
    }
    for (const ChartLine& line : panel.references) {
      add_once(lines, {line.name, std::string(kReferenceColour), 0, 1.5, line.dash});
    }
  }
  if (front) entries.push_back({chart.front_name, std::string(kFrontColour), 0, 5, 1});
  entries.insert(entries.end(), lines.begin(), lines.end());
  return entries;
}

/// Places the entries in centred rows no wider than the canvas, from `top` down; returns the number
/// of rows.
std::size_t place_key(std::vector<KeyEntry>& key, double canvas, int font, double top,
                      double row_height) {
  constexpr double kGap = 22, kMargin = 20;
  const auto width = [&](const KeyEntry& entry) {
    return kKeySwatch + 0.62 * font * static_cast<double>(entry.name.size()) + kGap;
  };
  std::size_t rows = 0;
  for (std::size_t first = 0; first < key.size();) {
    double total = 0;
    std::size_t last = first;
    while (last < key.size() &&
           (last == first || total + width(key[last]) - kGap <= canvas - 2 * kMargin)) {
      total += width(key[last++]);
    }
    double left = (canvas - total + kGap) / 2;
    for (; first < last; ++first) {
      key[first].left = left;
      key[first].top = top + row_height * static_cast<double>(rows);
      left += width(key[first]);
    }
    ++rows;
  }
  return rows;
}

/// Around all points; a linear y axis takes in the references too, a logarithmic one may cut them
/// (a bound falls without end), as it cuts bars that reach far down.
Axes axes_of(const Chart& chart) {
  Axes axes;
  axes.logarithmic = chart.logarithmic;
  double x_min = std::numeric_limits<double>::max(), x_max = -x_min, y_min = x_min, y_max = -x_min;
  for (const ChartPanel& panel : chart.panels) {
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        const bool cut = chart.logarithmic && point.low <= point.y / 10;
        x_min = std::min(x_min, point.x);
        x_max = std::max(x_max, point.x);
        y_min = std::min(y_min, cut ? point.y : point.low);
        y_max = std::max({y_max, point.y, point.high});
      }
    }
    if (chart.logarithmic && !chart.floors) continue;
    for (const ChartLine& line : panel.references) {
      for (const auto& [x, y] : line.points) {
        y_min = std::min(y_min, y);
        y_max = std::max(y_max, y);
      }
    }
  }
  axes.x_min = std::floor(2 * x_min - 0.3) / 2;
  axes.x_max = std::ceil(2 * x_max + 0.3) / 2;
  const double margin = chart.logarithmic ? 0.25 : y_max > y_min ? 0.05 * (y_max - y_min) : 1;
  axes.low = axes.along(y_min) - margin;
  axes.high = axes.along(y_max) + margin;
  return axes;
}

}  // namespace

double Axes::along(double y) const { return logarithmic ? std::log10(y) : y; }

double Axes::at(double place) const { return logarithmic ? std::pow(10.0, place) : place; }

ChartLayout lay_out(const Chart& chart) {
  constexpr double kKeyTop = 76, kPanelTop = 34, kRight = 20;
  ChartLayout layout;
  const std::size_t count = std::max<std::size_t>(1, chart.panels.size());
  const std::size_t columns = count == 1 || chart.stacked ? 1
                              : count <= 4                ? 2
                                                          : 3,
                    rows = (count + columns - 1) / columns;
  const double panel_width = columns == 1 ? 1000 : columns == 2 ? 700 : 600;
  const double panel_height = columns == 1 ? 560 : columns == 2 ? 500 : 530;
  const double bottom = columns == 3 ? 102 : 72;  // of a panel: its ticks and label, in its font
  layout.width = panel_width * static_cast<double>(columns);
  layout.font = columns == 1 ? 15 : columns == 2 ? 17 : 19;
  layout.key = key_entries(chart);
  const double key_row = 1.7 * layout.font;
  const double key_rows =
      static_cast<double>(place_key(layout.key, layout.width, layout.font, kKeyTop, key_row));
  const double panels_top = kKeyTop + 18 + key_row * (key_rows - 1);
  layout.height = panels_top + panel_height * static_cast<double>(rows);
  layout.left_margin = 4.4 * layout.font + 24;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / columns;
    const double left = panel_width * static_cast<double>(i % columns);
    const double top = panels_top + panel_height * static_cast<double>(row);
    layout.panels.push_back({left + layout.left_margin, top + kPanelTop,
                             left + panel_width - kRight, top + panel_height - bottom});
  }
  layout.axes = axes_of(chart);
  return layout;
}

std::vector<PlacedLabel> place_labels(const ChartPanel& panel, const Axes& axes, const Box& area,
                                      int font) {
  const double size = 0.85 * font, half_height = 0.62 * size;
  std::vector<Box> taken;
  for (const ChartSeries& series : panel.series) {
    for (const ChartPoint& point : series.points) {
      const auto [x, y] = to_pixels(point.x, point.y, axes, area);
      taken.push_back({x - kMarkerRadius, y - kMarkerRadius, x + kMarkerRadius, y + kMarkerRadius});
    }
  }
  const std::vector<Spot> lines = ink(panel, axes, area);
  std::vector<PlacedLabel> placed;
  for (const ChartSeries& series : panel.series) {
    for (const ChartPoint& point : series.points) {
      if (point.label.empty()) continue;
      const auto [x, y] = to_pixels(point.x, point.y, axes, area);
      const double half_width = 0.34 * size * static_cast<double>(point.label.size());
      const double dx = half_width + kMarkerRadius + 2, dy = half_height + kMarkerRadius + 1;
      std::vector<Spot> places = {
          {dx, -dy}, {-dx, dy},  {dx, 0},           {-dx, 0},          {0, -dy},     {0, dy},
          {dx, dy},  {-dx, -dy}, {dx + 8, -dy - 4}, {-dx - 8, dy + 4}, {dx + 12, 0}, {-dx - 12, 0}};
      if (panel.crowded) {
        for (double far : {6.0, 12.0, 18.0}) {
          places.insert(places.end(), {{dx, -dy - far},
                                       {-dx, -dy - far},
                                       {dx, dy + far},
                                       {-dx, dy + far},
                                       {dx + far, -dy / 2},
                                       {-dx - far, -dy / 2},
                                       {dx + far, dy / 2},
                                       {-dx - far, dy / 2}});
        }
      }
      double best_cost = std::numeric_limits<double>::max();
      Box best;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double cx = x + places[i].first, cy = y + places[i].second;
        const Box box = {cx - half_width, cy - half_height, cx + half_width, cy + half_height};
        const bool fits = box.left > area.left + 2 && box.right < area.right - 2 &&
                          box.top > area.top + 2 && box.bottom < area.bottom - 2;
        if (!fits ||
            std::any_of(taken.begin(), taken.end(), [&](const Box& b) { return overlap(b, box); }))
          continue;
        const auto crossed = std::count_if(lines.begin(), lines.end(),
                                           [&](const Spot& s) { return inside(s, box); });
        const double cost = static_cast<double>(crossed) + 0.05 * static_cast<double>(i);
        if (cost < best_cost) best_cost = cost, best = box;
      }
      if (best_cost == std::numeric_limits<double>::max()) continue;
      taken.push_back(best);
      const double cx = (best.left + best.right) / 2, cy = (best.top + best.bottom) / 2;
      placed.push_back(
          {point.label, series.colour,
           axes.x_min + (cx - area.left) / area.width() * (axes.x_max - axes.x_min),
           axes.at(axes.low + (area.bottom - cy) / area.height() * (axes.high - axes.low))});
    }
  }
  return placed;
}

}  // namespace kakeya
