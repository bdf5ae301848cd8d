// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// Consecutive numbers, both ends included.
struct IndexRun {
  int first = 0, last = 0;
  bool operator==(const IndexRun&) const = default;
};

/// Some of the layers or heads of a model, as flags and plans write them: "0,5,10-20".
class IndexSet {
 public:
  /// The largest number that a set may hold: cache files have 16 bits for a layer and a head.
  static constexpr int kLargest = 65535;

  constexpr IndexSet() = default;

  /// All numbers below `count`.
  static IndexSet below(int count);

  /// Of numbers in any order, doubles allowed. Throws InputError where one is out of range.
  static IndexSet of(std::span<const int> numbers);

  /// Numbers and runs with commas between them; no spaces, no number twice. Throws SpecError that
  /// begins with `what` ("layers"), shows the text and says what was expected.
  static IndexSet parse(std::string_view text, std::string_view what);

  bool empty() const { return runs_.empty(); }
  std::size_t count() const;
  bool contains(int number) const;
  int first() const { return runs_.front().first; }  ///< of a set that is not empty
  int last() const { return runs_.back().last; }     ///< likewise
  std::vector<int> numbers() const;

  /// Ascending, with a gap between each and the next.
  std::span<const IndexRun> runs() const { return runs_; }

  /// The numbers below `count` that are not in this set.
  IndexSet others(int count) const;

  /// Canonical: ascending, three or more consecutive numbers as a run. parse() reads it back.
  std::string text() const;

  bool operator==(const IndexSet&) const = default;

 private:
  std::vector<IndexRun> runs_;
};

}  // namespace kakeya
