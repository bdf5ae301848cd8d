// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/model/tokenizer/pre_tokenizer.h"

namespace kakeya {

/// An ICU regular expression over UTF-8. Immutable, thread-safe.
class RegexFinder {
 public:
  /// Throws InputError naming a pattern that ICU does not take.
  explicit RegexFinder(const std::string& pattern);
  ~RegexFinder();

  /// Calls `found` with each word of `list` and the matches inside it, as if the word stood alone.
  /// Throws InputError naming the pattern when ICU gives up (its backtracking stack is full).
  void find(const WordList& list,
            const std::function<void(const Span&, const std::vector<Span>&)>& found) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kakeya
