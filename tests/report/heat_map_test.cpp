// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kakeya/core/error.h"
#include "kakeya/report/figure.h"

namespace kakeya {
namespace {

HeatMap small_map() {
  HeatMap map;
  map.name = "map";
  map.title = "Title_1";
  map.rows = {"first's", "second"};
  map.columns = 3;
  map.high = 2;
  map.panels = {{"K", {0, 1, NAN, 2, 3, -1}}, {"V", {0, 0, 0, 0, 0, 0.5}}};
  return map;
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(HeatMap, WritesRowsClampedToTheColours) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "kakeya_heat_map_test";
  std::filesystem::create_directories(folder);
  write_heat_map(folder.string(), small_map());
  EXPECT_EQ(text_of(folder / "map.dat"),
            "# Title_1\n# block 0: K: rows from the top\n0 1 0\n2 2 0\n\n\n"
            "# block 1: V: rows from the top\n0 0 0\n0 0 0.5\n");
  const std::string script = text_of(folder / "map.gp");
  EXPECT_NE(script.find("'first''s' 0, 'second' 1"), std::string::npos) << script;
  EXPECT_NE(script.find("Title\\_1"), std::string::npos);
  EXPECT_NE(script.find("set cbrange [0:2]"), std::string::npos);
  EXPECT_NE(script.find("plot data index 1 matrix"), std::string::npos);
  EXPECT_NE(script.find("rectangle from first 1.5,-0.5 to first 2.5,0.5"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(HeatMap, ColumnsMayHaveNames) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "kakeya_heat_map_names";
  std::filesystem::create_directories(folder);
  HeatMap map = small_map();
  map.column_names = {"512", "1024", "2048"};
  write_heat_map(folder.string(), map);
  const std::string script = text_of(folder / "map.gp");
  EXPECT_NE(script.find("set xtics ('' 0, '' 1, '' 2)"), std::string::npos) << script;
  EXPECT_NE(script.find("set xtics ('512' 0, '1024' 1, '2048' 2)"), std::string::npos) << script;
  map.column_names.pop_back();
  EXPECT_THROW(write_heat_map(folder.string(), map), InputError);
  std::filesystem::remove_all(folder);
}

TEST(HeatMap, GnuplotHasNothingToComplainOf) {  // that would be an IoError
  if (std::system("gnuplot --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "gnuplot is not installed";
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "kakeya_heat_map_drawn";
  std::filesystem::create_directories(folder);
  write_heat_map(folder.string(), small_map());
  draw_chart(folder.string(), "map");
  EXPECT_GT(std::filesystem::file_size(folder / "map.png"), 10000u);
  EXPECT_GT(std::filesystem::file_size(folder / "map.svg"), 1000u);
  std::filesystem::remove_all(folder);
}

// A needle of one length, or at one depth.
TEST(HeatMap, OneColumnAndOneRowAreDrawn) {
  const bool drawn = std::system("gnuplot --version > /dev/null 2>&1") == 0;
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "kakeya_heat_map_line";
  std::filesystem::create_directories(folder);
  for (const bool column : {true, false}) {
    HeatMap map = small_map();
    map.rows = column ? std::vector<std::string>{"a", "b", "c"} : std::vector<std::string>{"a"};
    map.columns = column ? 1 : 3;
    map.panels = {{"K", {0, 1, NAN}}, {"V", {0.5, 0, 2}}};
    write_heat_map(folder.string(), map);
    EXPECT_EQ(text_of(folder / "map.gp").find("with image"), std::string::npos);
    if (!drawn) continue;
    draw_chart(folder.string(), map.name);
    // Cells whose left is that of the panel: all of one column, with the grey of its gap; one a panel of one row.
    const std::string picture = text_of(folder / "map.svg"), cell = ")' points = '75.52,";
    int cells = 0;
    for (std::size_t at = 0; (at = picture.find(cell, at)) != std::string::npos; ++at) ++cells;
    EXPECT_EQ(cells, column ? 7 : 2) << picture;
  }
  std::filesystem::remove_all(folder);
}

TEST(HeatMap, RefusesOtherShapes) {
  HeatMap map = small_map();
  map.panels[1].values.pop_back();
  EXPECT_THROW(write_heat_map("/nonexistent", map), InputError);
  map = small_map();
  map.panels.clear();
  EXPECT_THROW(write_heat_map("/nonexistent", map), InputError);
  map = small_map();
  map.low = 2;
  EXPECT_THROW(write_heat_map("/nonexistent", map), InputError);
}

}  // namespace
}  // namespace kakeya
