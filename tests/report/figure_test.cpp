// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "kakeya/core/error.h"
#include "kakeya/report/chart_layout.h"
#include "kakeya/report/charts.h"
#include "report/synthetic.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path fresh_folder(const std::string& name) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("kakeya_report_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

bool gnuplot_installed() { return std::system("command -v gnuplot > /dev/null 2>&1") == 0; }

Chart small_chart(const std::string& name) {
  Chart chart;
  chart.name = name;
  chart.title = "A 'quoted' title_with_underscores";
  chart.x_label = "bits";
  chart.y_label = "loss";
  chart.panels.push_back(
      {"panel",
       {{"e8 (q)", "#0072B2", 7, {{3, 0.1, 0.05, 0.15, "10"}, {5, 0.01, -0.01, 0.03, "38"}}}},
       {{3, 0.1}, {5, 0.01}},
       {}});
  return chart;
}

TEST(Figure, WritesDataAndScript) {
  const fs::path folder = fresh_folder("script");
  write_chart(folder.string(), small_chart("small"));
  const std::string data = text_of(folder / "small.dat"), script = text_of(folder / "small.gp");
  EXPECT_NE(data.find("\n3 0.1 0.05 0.15 \"10\"\n"), std::string::npos);
  EXPECT_NE(data.find("\n5 0.01 -0.01 0.03 \"38\"\n"),
            std::string::npos);  // the data keep what the axis cuts
  EXPECT_NE(script.find("'{/:Bold A ''quoted'' title\\_with\\_underscores}'"), std::string::npos);
  EXPECT_NE(script.find("data = 'small.dat'"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "small.svg"));
}

// Three panels side by side: a title of 60 characters at the common size would run into the next.
TEST(Figure, TitlesWiderThanTheirPanelAreSmaller) {
  const fs::path folder = fresh_folder("titles");
  Chart chart = small_chart("titles");
  chart.panels.resize(3, chart.panels.front());
  chart.panels[1].title = std::string(60, 'w');
  write_chart(folder.string(), chart);
  const std::string script = text_of(folder / "titles.gp");
  EXPECT_NE(script.find("set title 'panel' noenhanced offset 0,-0.6\n"), std::string::npos);
  const std::string wide =
      "set title '" + chart.panels[1].title + "' noenhanced offset 0,-0.6 font ',";
  const std::size_t at = script.find(wide);
  ASSERT_NE(at, std::string::npos);
  const int font = std::stoi(script.substr(at + wide.size()));
  EXPECT_LE(0.62 * font * 60, lay_out(chart).panels[1].width());
  EXPECT_GE(font, 6);
}

TEST(Figure, DrawsBothFormats) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  const fs::path folder = fresh_folder("draw");
  write_chart(folder.string(), small_chart("small"));
  draw_chart(folder.string(), "small");
  EXPECT_NE(text_of(folder / "small.svg").find("title_with_underscores"), std::string::npos);
  EXPECT_EQ(text_of(folder / "small.png").substr(1, 3), "PNG");
  EXPECT_GT(fs::file_size(folder / "small.png"), 10000u);
}

TEST(Figure, SaysWhatGnuplotSays) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  const fs::path folder = fresh_folder("bad");
  std::ofstream(folder / "bad.gp") << "plot 'missing.dat'\n";
  try {
    draw_chart(folder.string(), "bad");
    FAIL() << "expected an error";
  } catch (const IoError& e) {
    EXPECT_NE(std::string(e.what()).find("missing.dat"), std::string::npos) << e.what();
  }
}

TEST(Figure, SaysThatGnuplotIsMissing) {
  const fs::path folder = fresh_folder("missing");
  write_chart(folder.string(), small_chart("small"));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.c_str(), 1);
  std::string message;
  try {
    draw_chart(folder.string(), "small");
  } catch (const IoError& e) {
    message = e.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_NE(message.find("gnuplot-nox"), std::string::npos) << message;
  EXPECT_TRUE(fs::exists(folder / "small.gp"));
}

TEST(Figure, RefusesWhatALogarithmicAxisCannotHold) {
  const fs::path folder = fresh_folder("zero");
  Chart chart = small_chart("zero");
  chart.panels[0].series[0].points[0].y = 0;
  EXPECT_THROW(write_chart(folder.string(), chart), InputError);
  chart.panels[0].series.clear();
  EXPECT_THROW(write_chart(folder.string(), chart), InputError);
}

// In decibels below and above zero; the level at 9 is above every point and still on the canvas.
TEST(Figure, DrawsALinearAxis) {
  const fs::path folder = fresh_folder("linear");
  Chart chart = small_chart("linear");
  chart.logarithmic = false;
  chart.panels[0].series[0].points = {{3, -1.5, -1.5, -1.5, "10"}, {5, 4, 4, 4, "38"}};
  chart.panels[0].references = {{"level", 3, {{3, 9}, {5, 9}}}};
  const ChartLayout layout = lay_out(chart);
  EXPECT_NEAR(layout.axes.low, -1.5 - 0.05 * 10.5, 1e-12);
  EXPECT_NEAR(layout.axes.high, 9 + 0.05 * 10.5, 1e-12);
  EXPECT_EQ(place_labels(chart.panels[0], layout.axes, layout.panels[0], layout.font).size(), 2u);
  write_chart(folder.string(), chart);
  const std::string script = text_of(folder / "linear.gp");
  EXPECT_EQ(script.find("logscale"), std::string::npos);
  EXPECT_NE(script.find("'level'"), std::string::npos);
  EXPECT_NE(text_of(folder / "linear.dat").find("panel: level: x y\n3 9\n5 9\n"),
            std::string::npos);
  if (gnuplot_installed()) draw_chart(folder.string(), "linear");
  chart.panels[0].series[0].points[0].y = std::nan("");
  EXPECT_THROW(write_chart(folder.string(), chart), InputError);
}

// Lines at, above and below a point cross every place near it; a crowded panel looks farther off.
TEST(Figure, CrowdedLabelsStandFartherOff) {
  ChartPanel panel;
  panel.series.push_back({"s", "#000000", 7, {{5, 0.5, 0.5, 0.5, "Q152"}}});
  for (double y : {0.466, 0.5, 0.534}) panel.references.push_back({"line", 2, {{3, y}, {7, y}}});
  const Axes axes = {0, 10, false, 0, 1};
  const Box area = {0, 0, 1000, 500};
  const auto rise = [&] {  // pixels from the point to the middle of its label
    return std::fabs(place_labels(panel, axes, area, 17).at(0).y - 0.5) * area.height();
  };
  EXPECT_LT(rise(), 22);
  panel.crowded = true;
  EXPECT_GT(rise(), 26);
}

TEST(Figure, LabelsCoverNothing) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward")};
  const std::vector<ResultGroup> groups = group_results(stored);
  for (const Chart& chart : hero_charts(groups)) {
    const ChartLayout layout = lay_out(chart);
    const Box& area = layout.panels[0];
    const std::vector<PlacedLabel> labels =
        place_labels(chart.panels[0], layout.axes, area, layout.font);
    EXPECT_GE(labels.size(), 16u) << chart.name;  // of 24
    const auto pixel = [&](double x, double y) {
      return std::pair(
          (x - layout.axes.x_min) / (layout.axes.x_max - layout.axes.x_min) * area.width(),
          (layout.axes.along(y) - layout.axes.low) / (layout.axes.high - layout.axes.low) *
              area.height());
    };
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto [x, y] = pixel(labels[i].x, labels[i].y);
      for (std::size_t j = 0; j < i; ++j) {
        const auto [u, v] = pixel(labels[j].x, labels[j].y);
        EXPECT_TRUE(std::fabs(x - u) > 8 || std::fabs(y - v) > 14)
            << labels[i].text << " on " << labels[j].text;
      }
      for (const ChartSeries& series : chart.panels[0].series) {
        for (const ChartPoint& point : series.points) {
          const auto [u, v] = pixel(point.x, point.y);
          EXPECT_GT(std::hypot(x - u, y - v), 10) << labels[i].text << " on a marker";
        }
      }
    }
  }
}

}  // namespace
}  // namespace kakeya
