// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/report/chart_layout.h"
#include "kakeya/report/gnuplot_text.h"
#include "kakeya/report/number.h"
#include "kakeya/store/arrays.h"

namespace kakeya {
namespace {

/// The data file: blocks, counted from 0, divided by two empty lines.
class DataFile {
 public:
  explicit DataFile(const Chart& chart) { text_ = fmt::format("# {}\n", chart.title); }

  int begin(const std::string& comment) {
    text_ += fmt::format("{}# block {}: {}\n", blocks_ > 0 ? "\n\n" : "", blocks_, comment);
    return blocks_++;
  }
  void line(const std::string& fields) { text_.append(fields).append("\n"); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int blocks_ = 0;
};

std::string fields(std::initializer_list<double> numbers) {
  std::string result;
  for (double number : numbers)
    result.append(result.empty() ? "" : " ").append(full_precision(number));
  return result;
}

int write_points(DataFile& data, const std::string& panel, const ChartSeries& series) {
  const int block = data.begin(fmt::format("{}: {}: x y low high label", panel, series.name));
  for (const ChartPoint& point : series.points) {
    data.line(
        fmt::format("{} \"{}\"", fields({point.x, point.y, point.low, point.high}), point.label));
  }
  return block;
}

int write_pairs(DataFile& data, const std::string& comment,
                const std::vector<std::pair<double, double>>& pairs) {
  const int block = data.begin(comment);
  for (const auto& [x, y] : pairs) data.line(fields({x, y}));
  return block;
}

/// The key, above the panels, so that it covers no point and names what any panel shows. gnuplot's
/// own key does not fit there: its columns depend on the width of one panel.
std::string key_script(const ChartLayout& layout) {
  std::string script;
  for (const KeyEntry& entry : layout.key) {
    const double from = entry.left / layout.width,
                 to = (entry.left + kKeySwatch - 6) / layout.width;
    const double y = 1 - entry.top / layout.height;
    script += fmt::format(
        "  set arrow from screen {:.5f},{:.5f} to screen {:.5f},{:.5f} nohead lw {} dt {} lc rgb "
        "'{}'\n",
        from, y, to, y, entry.line_width, entry.dash, entry.colour);
    if (entry.marker != 0) {
      script +=
          fmt::format("  set label '' at screen {:.5f},{:.5f} point pt {} ps size lc rgb '{}'\n",
                      (from + to) / 2, y, entry.marker, entry.colour);
    }
    script += fmt::format("  set label {} at screen {:.5f},{:.5f} left noenhanced\n",
                          gnuplot_quoted(entry.name), (entry.left + kKeySwatch) / layout.width, y);
  }
  return script;
}

/// The front as a region reads: from the top of the chart down to its first point, level to its
/// right end.
std::vector<std::pair<double, double>> extended(std::vector<std::pair<double, double>> front,
                                                const Axes& axes) {
  front.insert(front.begin(), {front.front().first, axes.at(axes.high)});
  front.emplace_back(axes.x_max, front.back().second);
  return front;
}

/// A smaller font for a title wider than its panel: it would run into the next one's.
std::string title_font(const std::string& title, const Box& area, int font) {
  const double wide = 0.62 * font * static_cast<double>(title.size());
  if (wide <= area.width()) return "";
  return fmt::format(" font ',{}'", std::max(6, static_cast<int>(font * area.width() / wide)));
}

std::string panel_script(const Chart& chart, const ChartLayout& layout, std::size_t index,
                         DataFile& data) {
  const ChartPanel& panel = chart.panels[index];
  const Box& area = layout.panels[index];
  const double y_min = layout.axes.at(layout.axes.low);
  std::string plots;
  const auto add = [&](const std::string& plot) {
    plots.append(plots.empty() ? "" : ", \\\n      ").append(plot);
  };
  if (!panel.front.empty()) {
    const int block =
        write_pairs(data, panel.title + ": front: x y", extended(panel.front, layout.axes));
    add(fmt::format("data index {} using 1:2 with steps lw 5 lc rgb '{}' notitle", block,
                    kFrontColour));
  }
  for (const ChartLine& line : panel.references) {
    const int block =
        write_pairs(data, fmt::format("{}: {}: x y", panel.title, line.name), line.points);
    add(fmt::format("data index {} using 1:2 with lines lw 1.5 dt {} lc rgb '{}' notitle", block,
                    line.dash, kReferenceColour));
  }
  for (const ChartSeries& series : panel.series) {
    if (series.points.empty()) continue;
    const int block = write_points(data, panel.title, series);
    add(fmt::format("data index {} using 1:2 with lines lw 1.2 lc rgb '{}' notitle", block,
                    series.colour));
    // Not yerrorbars, which clear the ground around each marker.
    add(
        fmt::format("data index {0} using 1:($3 > {1:.6g} ? $3 : {1:.6g}):(0):($4 - ($3 > {1:.6g} "
                    "? $3 : {1:.6g})) with vectors heads "
                    "size graph 0.005,90 lw 1.2 lc rgb '{2}' notitle",
                    block, y_min, series.colour));
    add(fmt::format("data index {} using 1:2 with points pt {} ps size lc rgb '{}' notitle", block,
                    series.marker, series.colour));
  }
  const std::vector<PlacedLabel> labels = place_labels(panel, layout.axes, area, layout.font);
  if (!labels.empty()) {
    const int block = data.begin(panel.title + ": labels: x y text colour");
    for (const PlacedLabel& label : labels) {
      data.line(fmt::format("{} \"{}\" 0x{}", fields({label.x, label.y}), label.text,
                            label.colour.substr(1)));
    }
    add(
        fmt::format("data index {} using 1:2:3:4 with labels center font ',{}' tc rgb variable "
                    "noenhanced notitle",
                    block, static_cast<int>(std::lround(0.85 * layout.font))));
  }
  std::string script;
  script += fmt::format("  set lmargin at screen {:.5f}; set rmargin at screen {:.5f}\n",
                        area.left / layout.width, area.right / layout.width);
  script += fmt::format("  set tmargin at screen {:.5f}; set bmargin at screen {:.5f}\n",
                        1 - area.top / layout.height, 1 - area.bottom / layout.height);
  script += fmt::format("  set title {} noenhanced offset 0,-0.6{}\n", gnuplot_quoted(panel.title),
                        title_font(panel.title, area, layout.font));
  if (index == 1) script += "  unset label\n  unset arrow\n";  // those of the whole chart
  // At a fixed place: gnuplot would put it where the widest tick label ends, which may be off the
  // canvas.
  script += fmt::format("  set label 999 {} at screen {:.5f},{:.5f} center rotate noenhanced\n",
                        gnuplot_quoted(chart.y_label),
                        (area.left - layout.left_margin + 0.8 * layout.font) / layout.width,
                        1 - (area.top + area.bottom) / 2 / layout.height);
  script += fmt::format("  plot {}\n", plots);
  return script;
}

std::string x_ticks(const Chart& chart, const Axes& axes) {
  const int step = axes.x_max - axes.x_min > 9 ? 2 : 1;
  if (!chart.x_is_log2) return std::to_string(step);
  std::string ticks;
  for (int power = static_cast<int>(std::ceil(axes.x_min)); power <= axes.x_max; power += step) {
    ticks += fmt::format("{}'{}' {}", ticks.empty() ? "" : ", ", full_precision(std::exp2(power)),
                         power);
  }
  return "(" + ticks + ")";
}

void require_drawable(const Chart& chart) {
  bool any = false;
  for (const ChartPanel& panel : chart.panels) {
    for (const ChartSeries& series : panel.series) {
      for (const ChartPoint& point : series.points) {
        if (!std::isfinite(point.y) || !std::isfinite(point.x) || !std::isfinite(point.high) ||
            (chart.logarithmic && !(point.y > 0))) {
          throw InputError(fmt::format(
              "chart {}: {}: a point at ({}, {}): expected {}", chart.name, series.name, point.x,
              point.y,
              chart.logarithmic ? "a positive y on a logarithmic axis" : "finite numbers"));
        }
        any = true;
      }
    }
  }
  if (!any) throw InputError(fmt::format("chart {}: no points", chart.name));
}

}  // namespace

void write_chart(const std::string& folder, const Chart& chart) {
  require_drawable(chart);
  const ChartLayout layout = lay_out(chart);
  DataFile data(chart);
  std::string panels;
  for (std::size_t i = 0; i < chart.panels.size(); ++i)
    panels += panel_script(chart, layout, i, data);
  const Axes& axes = layout.axes;
  std::string script =
      fmt::format("# {}\n# Redraw in this folder: gnuplot {}.gp\n", chart.title, chart.name);
  script += fmt::format("data = '{}.dat'\nset encoding utf8\n", chart.name);
  script += "do for [format in 'svg png'] {\n";
  // The two terminals draw a marker of the same size number differently.
  script += fmt::format(
      "  if (format eq 'svg') {{\n"
      "    set terminal svg size {:.0f},{:.0f} enhanced font 'Arial,{}' background rgb 'white'\n"
      "    size = 0.65\n"
      "  }}\n",
      layout.width, layout.height, layout.font);
  script += fmt::format(
      "  if (format eq 'png') {{\n"
      "    set terminal pngcairo size {:.0f},{:.0f} enhanced font 'DejaVu Sans,{}' fontscale 1.5 "
      "\\\n"
      "      linewidth 2 pointscale 2 background rgb 'white'\n"
      "    size = 1.15\n"
      "  }}\n",
      2 * layout.width, 2 * layout.height, layout.font);
  script += fmt::format(
      "  set output '{}.'.format\n  set multiplot\n  unset label\n  unset arrow\n", chart.name);
  script += fmt::format("  set label 1 {} at screen 0.5,{:.5f} center font ',{}'\n",
                        gnuplot_quoted(fmt::format("{{/:Bold {}}}", gnuplot_literal(chart.title))),
                        1 - 22 / layout.height, layout.font + 3);
  script += fmt::format(
      "  set label 2 {} at screen 0.5,{:.5f} center font ',{}' tc rgb '#444444' noenhanced\n",
      gnuplot_quoted(chart.subtitle), 1 - 48 / layout.height, layout.font - 2);
  script += fmt::format("  set xrange [{}:{}]\n  set yrange [{:.6g}:{:.6g}]\n", axes.x_min,
                        axes.x_max, axes.at(axes.low), axes.at(axes.high));
  script += axes.logarithmic ? "  set logscale y\n  set format y '%g'\n" : "  set format y '%g'\n";
  script += fmt::format(
      "  set xtics {} nomirror\n  set ytics nomirror\n  set mxtics 2\n  set mytics {}\n",
      x_ticks(chart, axes), axes.logarithmic ? 10 : 2);
  script += "  set border 3 lc rgb '#444444'\n  set tics textcolor rgb '#222222'\n";
  script += "  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'\n";
  script += "  unset key\n";
  script += key_script(layout);
  script += fmt::format("  set xlabel {} noenhanced\n", gnuplot_quoted(chart.x_label));
  script += panels;
  script += "  unset multiplot\n  unset output\n}\n";
  const std::filesystem::path stem = std::filesystem::path(folder) / chart.name;
  write_file(stem.string() + ".dat", data.text());
  write_file(stem.string() + ".gp", script);
}

}  // namespace kakeya
