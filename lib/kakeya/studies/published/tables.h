// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kakeya {

/// A row or a column of a published table: its heading, what `$name` in formulas stands for there,
/// and its own formulas, if any. A column with `ours_decimals` was never published: ours alone is
/// shown, with so many decimals, and not judged.
struct PublishedLine {
  std::string label;
  std::map<std::string, std::string> names;
  std::vector<std::string> formulas;
  std::optional<int> ours_decimals;
};

/// A named value that several cells of a table use. With `over`, one number for each combination of
/// the lines of those lists.
struct PublishedDefinition {
  std::string name, formula;
  std::vector<std::vector<PublishedLine>> over;
};

/// A table as it was published, and how each of its cells is computed from the record. Texts and
/// numbers only: what is ours comes from the formulas.
struct PublishedTable {
  std::string id, section, title, source, note;
  bool claim = false;  ///< nobody printed these cells: they say 1 (yes) or 0 for a claim in words
  int statement = 0;   ///< of a statement that the record contradicts, its number
  std::vector<PublishedDefinition> definitions;
  std::vector<std::string> formulas;  ///< one a part of a cell; a column's or row's own come first
  std::vector<PublishedLine> rows, columns;
  std::vector<std::vector<std::string>>
      cells;  ///< [row][column]; empty where nothing was published
};

/// The tables of a file. Throws CorruptStream, InputError naming file, table and key: unknown keys,
/// another count of rows or cells than the headings say, a missing list.
std::vector<PublishedTable> parse_published_tables(const std::string& json,
                                                   const std::string& origin);

/// Those of every .json file of `folder`, by name of the files. Throws IoError where there is none,
/// InputError where two tables have the same id.
std::vector<PublishedTable> read_published_tables(const std::string& folder);

}  // namespace kakeya
