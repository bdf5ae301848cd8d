// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kakeya/report/verify/figures.h"

namespace kakeya {

/// A number that is committed, and what it is called: "results.csv | codecs | smollm2 | ... | value".
struct CommittedCell {
  std::string name;
  double value = 0;
};

/// The lines of a .csv file, each its fields (RFC 4180). Throws CorruptStream where a quoted field has
/// no end, with the path.
std::vector<std::vector<std::string>> csv_lines(const std::string& text, const std::string& path);

/// Every number of a .csv (a line's texts and the column's heading name it; numbers within texts
/// count too) or of a .json file. `called` is what its name begins with. Throws IoError,
/// CorruptStream.
std::vector<CommittedCell> cells_of(const std::string& path, const std::string& called);

/// How a figure may follow from a cell: "", "100 * ", "1 - ", "100 - 100 * ", "1 / ", "8 * " (bits of
/// bytes), "1e-3 * ", "1e-6 * ", "1e3 * ", "1e6 * ". Signs do not count.
double followed(std::string_view how, double value);

/// Whether `value` rounds to what is printed.
bool rounds_to(double value, const QuotedFigure& figure);

/// The files whose cells a reference of figures.csv names ("../held-out/results.csv"): one, two where it is
/// "A over B" or "A less B", none where it names other figures of its line.
std::vector<std::string> files_of(const std::string& reference);

/// Cells by name.
class CellNames {
 public:
  explicit CellNames(const std::vector<CommittedCell>& cells);

  /// Whether `reference`, as CellFinder::find() gives it or of two cells ("A over B", "A less B"), is there
  /// and rounds to `figure`. "" where it does; otherwise what is wrong.
  std::string mismatch(const std::string& reference, const QuotedFigure& figure) const;

 private:
  std::unordered_map<std::string, std::vector<double>> values_;  // in the order of the cells
};

/// Cells by value, and by the words of their names: for a figure that no reference is known of.
class CellFinder {
 public:
  explicit CellFinder(std::vector<CommittedCell> cells);

  /// "HOW NAME" of the cell that `figure` most likely quotes: of those that round to it the one whose
  /// name has most in common with what the figure is about (words count by how rare they are among
  /// names). "" where none has enough in common, and where chance explains it: where of the cells
  /// about as large that are named as well, spread evenly, more than one in twenty would round to it.
  std::string find(const QuotedFigure& figure) const;

 private:
  using Words = std::vector<int>;  // numbers of words, sorted, each once
  Words words_of(std::string_view text) const;
  double in_common(const Words& about, const Words& name) const;

  std::vector<CommittedCell> cells_;    // by value without its sign
  std::vector<Words> words_;            // of each one's name
  std::map<std::string, int> numbers_;  // of words
  std::vector<double> weight_;  // of each word: log2 of how many names there are for one with it
};

}  // namespace kakeya
