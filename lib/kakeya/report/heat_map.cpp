// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/report/gnuplot_text.h"
#include "kakeya/store/arrays.h"

namespace kakeya {
namespace {

// Pixels of the SVG.
constexpr double kWidth = 1000, kRight = 120, kTop = 76, kBottom = 62, kBetween = 36;
constexpr int kFont = 14;

struct Layout {
  double left = 0, panel_height = 0, height = 0;
};

Layout lay_out(const HeatMap& map) {
  Layout layout;
  std::size_t widest = 3;
  for (const std::string& row : map.rows) widest = std::max(widest, row.size());
  layout.left = 52 + 0.56 * kFont * static_cast<double>(widest);
  const double row_height = map.rows.empty() ? 9 : 20;
  layout.panel_height = std::max(120.0, row_height * static_cast<double>(map.row_count()));
  const auto panels = static_cast<double>(map.panels.size());
  layout.height = kTop + panels * layout.panel_height + (panels - 1) * kBetween + kBottom;
  return layout;
}

/// A block a panel, divided by two empty lines; a line a row, from the top.
std::string data_text(const HeatMap& map) {
  std::string text = fmt::format("# {}\n", map.title);
  for (std::size_t p = 0; p < map.panels.size(); ++p) {
    text += fmt::format("{}# block {}: {}: rows from the top\n", p > 0 ? "\n\n" : "", p,
                        map.panels[p].title);
    for (std::size_t i = 0; i < map.panels[p].values.size(); ++i) {
      const double value = map.panels[p].values[i];
      // gnuplot complains of a matrix with gaps: grey rectangles cover those.
      text +=
          fmt::format("{:.5g}", std::isnan(value) ? map.low : std::clamp(value, map.low, map.high));
      text += (i + 1) % map.columns == 0 ? '\n' : ' ';
    }
  }
  return text;
}

std::string row_tics(const HeatMap& map) {
  std::string tics;
  const std::size_t step = map.rows.empty() ? 5 : 1;
  for (std::size_t r = 0; r < map.row_count(); r += step) {
    const std::string name = map.rows.empty() ? std::to_string(r) : map.rows[r];
    tics.append(tics.empty() ? "" : ", ");
    tics += fmt::format("{} {}", gnuplot_quoted(name), r);
  }
  return tics;
}

/// Where columns have names, the lowest panel has them.
std::string column_tics(const HeatMap& map, bool last) {
  std::string tics;
  for (std::size_t c = 0; c < map.column_names.size(); ++c) {
    tics += fmt::format("{}{} {}", c == 0 ? "" : ", ",
                        gnuplot_quoted(last ? map.column_names[c] : ""), c);
  }
  return tics.empty() ? "" : fmt::format("  set xtics ({}) out nomirror noenhanced\n", tics);
}

/// Over every cell without a value.
std::string gaps_script(const HeatMap& map, const HeatPanel& panel) {
  std::string script = "  unset object\n";
  for (std::size_t i = 0; i < panel.values.size(); ++i) {
    if (!std::isnan(panel.values[i])) continue;
    const std::size_t row = i / map.columns;
    const auto x = static_cast<double>(i % map.columns), y = static_cast<double>(row);
    script += fmt::format(
        "  set object rectangle from first {},{} to first {},{} front fc rgb '#bbbbbb' fs solid "
        "noborder\n",
        x - 0.5, y - 0.5, x + 0.5, y + 0.5);
  }
  return script;
}

std::string panel_script(const HeatMap& map, const Layout& layout, std::size_t index) {
  const double top = kTop + static_cast<double>(index) * (layout.panel_height + kBetween);
  const bool last = index + 1 == map.panels.size();
  std::string script;
  script += fmt::format("  set tmargin at screen {:.5f}; set bmargin at screen {:.5f}\n",
                        1 - top / layout.height, 1 - (top + layout.panel_height) / layout.height);
  script += fmt::format("  set title {} noenhanced offset 0,-0.6\n",
                        gnuplot_quoted(map.panels[index].title));
  if (index == 1) script += "  unset label\n";  // those of the whole map
  // Columns are common: the lowest panel names them.
  script += fmt::format("  set format x '{}'\n", last ? "%g" : "");
  script += column_tics(map, last);
  if (last) script += fmt::format("  set xlabel {} noenhanced\n", gnuplot_quoted(map.x_label));
  script += gaps_script(map, map.panels[index]);
  // gnuplot takes no image of one row or one column.
  const bool line = map.columns < 2 || map.row_count() < 2;
  script += fmt::format("  plot data index {} matrix {} notitle\n", index,
                        line ? "using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror "
                               "fs solid noborder lc palette"
                             : "with image pixels");
  return script;
}

void require_drawable(const HeatMap& map) {
  if (map.panels.empty()) throw InputError(fmt::format("heat map {}: no panels", map.name));
  if (!(map.high > map.low)) {
    throw InputError(fmt::format("heat map {}: colours from {} to {}: expected a rising scale",
                                 map.name, map.low, map.high));
  }
  if (!map.column_names.empty() && map.column_names.size() != map.columns) {
    throw InputError(fmt::format("heat map {}: {} names of {} columns", map.name,
                                 map.column_names.size(), map.columns));
  }
  for (const HeatPanel& panel : map.panels) {
    if (panel.values.empty() || panel.values.size() != map.row_count() * map.columns) {
      throw InputError(fmt::format("heat map {}: {}: {} values: expected {} rows of {}", map.name,
                                   panel.title, panel.values.size(), map.row_count(), map.columns));
    }
  }
}

}  // namespace

void write_heat_map(const std::string& folder, const HeatMap& map) {
  require_drawable(map);
  const Layout layout = lay_out(map);
  std::string script =
      fmt::format("# {}\n# Redraw in this folder: gnuplot {}.gp\n", map.title, map.name);
  script += fmt::format("data = '{}.dat'\nset encoding utf8\n", map.name);
  script += "do for [format in 'svg png'] {\n";
  script += fmt::format(
      "  if (format eq 'svg') {{\n"
      "    set terminal svg size {0:.0f},{1:.0f} enhanced font 'Arial,{2}' background rgb 'white'\n"
      "  }}\n"
      "  if (format eq 'png') {{\n"
      "    set terminal pngcairo size {3:.0f},{4:.0f} enhanced font 'DejaVu Sans,{2}' fontscale "
      "1.5 \\\n"
      "      linewidth 2 background rgb 'white'\n"
      "  }}\n",
      kWidth, layout.height, kFont, 2 * kWidth, 2 * layout.height);
  script += fmt::format("  set output '{}.'.format\n  set multiplot\n  unset label\n", map.name);
  script += fmt::format("  set label 1 {} at screen 0.5,{:.5f} center font ',{}'\n",
                        gnuplot_quoted(fmt::format("{{/:Bold {}}}", gnuplot_literal(map.title))),
                        1 - 18 / layout.height, kFont + 3);
  script += fmt::format(
      "  set label 2 {} at screen 0.5,{:.5f} center font ',{}' tc rgb '#444444' noenhanced\n",
      gnuplot_quoted(map.subtitle), 1 - 40 / layout.height, kFont - 2);
  script += fmt::format("  set lmargin at screen {:.5f}; set rmargin at screen {:.5f}\n",
                        layout.left / kWidth, 1 - kRight / kWidth);
  script += map.diverging ? "  set palette defined (0 '#2166ac', 0.25 '#92c5de', 0.5 '#f7f7f7', "
                            "0.75 '#f4a582', 1 '#b2182b')\n"
                          : "  set palette defined (0 '#ffffff', 0.25 '#fdd49e', 0.5 '#f1605d', "
                            "0.75 '#9e2f7f', 1 '#2d1160')\n";
  script += fmt::format("  set cbrange [{:.6g}:{:.6g}]\n  set cblabel {} noenhanced\n", map.low,
                        map.high, gnuplot_quoted(map.colour_label));
  script += fmt::format("  set xrange [-0.5:{}.5]\n  set yrange [{}.5:-0.5]\n", map.columns - 1,
                        map.row_count() - 1);
  script += fmt::format("  set xtics 0,{} out nomirror\n  set ytics ({}) out nomirror noenhanced\n",
                        map.column_step, row_tics(map));
  script += "  set border 15 lc rgb '#444444' lw 0.6\n  set tics textcolor rgb '#222222'\n";
  script += fmt::format("  unset key\n  set ylabel {} noenhanced\n", gnuplot_quoted(map.y_label));
  for (std::size_t p = 0; p < map.panels.size(); ++p) script += panel_script(map, layout, p);
  script += "  unset multiplot\n  unset output\n  unset xlabel\n}\n";
  const std::filesystem::path stem = std::filesystem::path(folder) / map.name;
  write_file(stem.string() + ".dat", data_text(map));
  write_file(stem.string() + ".gp", script);
}

}  // namespace kakeya
