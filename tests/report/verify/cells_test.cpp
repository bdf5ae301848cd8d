// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/verify/cells.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

QuotedFigure figure_in(const std::string& markdown, std::size_t which = 0) {
  return figures_of(markdown).at(which);
}

// Both ways to ask of the same cells.
struct Index {
  CellNames names;
  CellFinder finder;
  explicit Index(const std::vector<CommittedCell>& cells) : names(cells), finder(cells) {}
  std::string find(const QuotedFigure& figure) const { return finder.find(figure); }
  std::string mismatch(const std::string& reference, const QuotedFigure& figure) const {
    return names.mismatch(reference, figure);
  }
};

Index index_of(const std::string& csv) {
  const testing::ScratchFolder folder;
  std::string text = csv;  // words count by how rare they are
  for (int i = 0; i < 200; ++i) text += "filler,row" + std::to_string(i) + ",nothing,1e9,\n";
  write_file(folder / "results.csv", text);
  return Index(cells_of(folder / "results.csv", "results.csv"));
}

constexpr char kCsv[] =
    "table,row,quantity,value,text\n"
    "codecs,kivi:b=4,bits,5.0962,5.10\n"
    "codecs,\"klt:bits=3,page=512\",bits,3.2134,\n"
    "codecs,q8_0,bits,5.1038,\n"
    "equal,klt,ratio,0.63054,0.631x (0.612 to 0.649)\n";

TEST(Cells, AreFoundByWhatAFigureIsAbout) {
  const Index index = index_of(kCsv);
  const std::string kivi = index.find(figure_in("| codecs kivi b 4 bits | 5.10 |"));
  EXPECT_NE(kivi.find("kivi:b=4 | bits | value"), std::string::npos) << kivi;
  const std::string other = index.find(figure_in("| q8_0 bits codecs | 5.10 |"));
  EXPECT_NE(other.find("q8_0"), std::string::npos) << other;
  const std::string low = index.find(figure_in("the ratio is 0.631 (0.612 to 0.649)", 1));
  EXPECT_NE(low.find("in 0.631x (0.612 to 0.649)"), std::string::npos) << low;
  EXPECT_EQ(index.find(figure_in("something else altogether 7.77")), "");
}

TEST(Cells, MismatchNamesBothNumbers) {
  const Index index = index_of(kCsv);
  const std::string cell = index.find(figure_in("| codecs kivi b 4 bits | 5.10 |"));
  EXPECT_EQ(index.mismatch(cell, figure_in("5.10")), "");
  EXPECT_EQ(index.mismatch(cell, figure_in("5.1")), "");
  const std::string wrong = index.mismatch(cell, figure_in("5.11"));
  EXPECT_NE(wrong.find("5.11 given, 5.0962 expected"), std::string::npos) << wrong;
  EXPECT_NE(index.mismatch("nowhere", figure_in("5.10")), "");
}

TEST(Cells, ReferencesSayTheirFiles) {
  using Files = std::vector<std::string>;
  EXPECT_EQ(files_of("100 - 100 * ../held-out/results.csv | equal | klt | value"),
            Files{"../held-out/results.csv"});
  EXPECT_EQ(files_of("bench.json | results | fp8"), Files{"bench.json"});
  EXPECT_EQ(files_of("a.csv | caches over all | value over ../b/c.json | bits"),
            (Files{"a.csv", "../b/c.json"}));
  EXPECT_EQ(files_of("3.139 / 5.520 of its line"), Files{});
}

TEST(Cells, TwoOfThemMakeAFigure) {
  const Index index = index_of(kCsv);
  const std::string klt = "results.csv | codecs | klt:bits=3,page=512 | bits | value",
                    kivi = "results.csv | codecs | kivi:b=4 | bits | value";
  EXPECT_EQ(index.mismatch(klt + " over " + kivi, figure_in("0.631")), "");
  EXPECT_EQ(index.mismatch("100 - 100 * " + klt + " over " + kivi, figure_in("37 %")), "");
  EXPECT_EQ(index.mismatch(klt + " less " + kivi, figure_in("1.88")), "");
  EXPECT_EQ(index.mismatch("8 * " + klt + " over " + kivi, figure_in("5.04")), "");
  const std::string wrong = index.mismatch(klt + " over " + kivi, figure_in("0.632"));
  EXPECT_NE(wrong.find("0.632 given, 0.630548 expected"), std::string::npos) << wrong;
  EXPECT_NE(index.mismatch(klt + " over results.csv | nowhere", figure_in("0.631")), "");
}

TEST(Cells, PercentsAndOtherWays) {
  const Index index = index_of(kCsv);
  const std::string name = "results.csv | equal | klt | ratio | 0.631x (0.612 to 0.649) | value";
  EXPECT_EQ(index.mismatch(name, figure_in("0.63")), "");
  EXPECT_EQ(index.mismatch("100 * " + name, figure_in("63 %")), "");
  EXPECT_EQ(index.mismatch("100 - 100 * " + name, figure_in("37 %")), "");
  EXPECT_EQ(index.mismatch("1 - " + name, figure_in("0.37")), "");
  EXPECT_EQ(index.mismatch("1 / " + name, figure_in("1.59")), "");
  EXPECT_NE(index.mismatch("100 * " + name, figure_in("64 %")), "");
}

// Two digits are no evidence where many cells have the same words in their names.
TEST(Cells, AreNotTakenWhereChanceExplainsThem) {
  std::string csv = kCsv;
  for (int i = 0; i < 60; ++i) {
    csv += "sweep,point" + std::to_string(i) + ",loss," + std::to_string(0.3 + 0.01 * i) + ",\n";
  }
  const Index index = index_of(csv);
  EXPECT_EQ(index.find(figure_in("the loss of the sweep is 0.47")), "");
  const std::string named = index.find(figure_in("the loss of the sweep at point17 is 0.47"));
  EXPECT_NE(named.find("point17"), std::string::npos) << named;
  const std::string exact = index.find(figure_in("codecs klt:bits=3,page=512 bits 3.2134"));
  EXPECT_NE(exact.find("klt:bits=3"), std::string::npos) << exact;
}

// A thousand times or a thousandth of a cell is nothing that a page says by itself.
TEST(Cells, AreNotTakenInOtherUnits) {
  EXPECT_EQ(index_of(kCsv).find(figure_in("| codecs kivi b 4 bits | 5096.2 |")), "");
}

TEST(Cells, RatiosOfALine) {
  const Index index = index_of(kCsv);
  const std::string line = "| 5.520 | 3.139 | 0.569 |", changed = "| 5.520 | 3.139 | 0.571 |";
  const std::string found = index.find(figure_in(line, 2));
  EXPECT_EQ(found, "3.139 / 5.520 of its line");
  EXPECT_EQ(index.mismatch(found, figure_in(line, 2)), "");
  EXPECT_NE(index.mismatch(found, figure_in(changed, 2)), "");
  const std::string ends = "| 5.520 | 3.139 | 0.61 (0.569) |";
  EXPECT_EQ(index.find(figure_in(ends, 3)), "");
  EXPECT_NE(index.mismatch(found, figure_in(ends, 3)), "");
}

TEST(Cells, OfJsonAreNamedByTheirRecord) {
  const testing::ScratchFolder folder;
  std::string json =
      R"({"results": [{"codec": "fp8", "us": {"median": 12.5}}, {"codec": "e8", "us": {"median": 12.5}})";
  for (int i = 0; i < 500; ++i) {
    json += R"(, {"codec": "x)" + std::to_string(i) + R"(", "us": {"median": 1}})";
  }
  write_file(folder / "bench.json", json + "]}");
  const Index index(cells_of(folder / "bench.json", "bench.json"));
  const std::string found = index.find(figure_in("e8 takes a median of 12.5 us"));
  EXPECT_NE(found.find("e8"), std::string::npos) << found;
  EXPECT_EQ(found.find("fp8"), std::string::npos) << found;
}

TEST(Cells, DamagedFilesAreNamed) {
  const testing::ScratchFolder folder;
  write_file(folder / "a.csv", "x,y\n\"open,1\n");
  EXPECT_THROW(cells_of(folder / "a.csv", "a.csv"), CorruptStream);
  EXPECT_THROW(cells_of(folder / "none.csv", "none.csv"), IoError);
}

}  // namespace
}  // namespace kakeya
