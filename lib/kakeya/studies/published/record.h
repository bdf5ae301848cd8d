// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kakeya {

/// One line of data/published/*.jsonl: what was measured (its names) and what came out (its
/// numbers; a single number is a list of one).
struct PublishedRow {
  std::string kind;  ///< "ppl", "needle", ...
  std::map<std::string, std::string> names;
  std::map<std::string, std::vector<double>> numbers;
};

/// What a row must say: its kind, and some of its names or single numbers by their text.
struct RowSelector {
  std::string kind;
  std::vector<std::pair<std::string, std::string>> fields;  ///< ("codec", "d4:q=10")
};

/// The raw published figures.
class PublishedRecord {
 public:
  PublishedRecord() = default;
  PublishedRecord(PublishedRecord&&) noexcept = default;
  PublishedRecord(const PublishedRecord&) = delete;

  /// Adds the lines of `jsonl`. Throws CorruptStream naming `origin` and the line where one is not
  /// an object of names (texts) and numbers (numbers or lists of them) with a kind.
  void add(std::string_view jsonl, const std::string& origin);

  /// The row that fits, or nullptr. Throws InputError where two fit.
  const PublishedRow* find(const RowSelector& selector) const;

  /// The row that fits. Throws InputError where none or two fit.
  const PublishedRow& at(const RowSelector& selector) const;

  /// Whether any row of a kind has numbers, or names or numbers, of that name.
  bool has_numbers(const std::string& kind, const std::string& name) const;
  bool has_key(const std::string& kind, const std::string& name) const;

  /// All rows of a kind whose `fields` fit, in the order of the files.
  std::vector<const PublishedRow*> all(const RowSelector& selector) const;

  std::size_t size() const { return rows_.size(); }

 private:
  std::deque<PublishedRow> rows_;
  std::map<std::string, std::vector<const PublishedRow*>> by_kind_;
};

/// The numbers of a row; throws InputError naming the row where it has none of that name.
const std::vector<double>& numbers_of(const PublishedRow& row, const std::string& name);
/// The one number, the text of that name. Throw InputError naming the row where it has none of it,
/// or (number_of) another count of numbers than one.
double number_of(const PublishedRow& row, const std::string& name);
const std::string& name_of(const PublishedRow& row, const std::string& name);

/// "ppl codec=d4:q=10 part=kv run=isobit-qwen3", for messages: all but where the row comes from.
std::string to_text(const PublishedRow& row);

/// "ppl run=isobit-qwen3 codec=d4:q=10", for messages.
std::string to_text(const RowSelector& selector);

/// Reads every .jsonl file of `folder`, by name. Throws IoError where there is none.
PublishedRecord read_published_record(const std::string& folder);

}  // namespace kakeya
