// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kakeya/measure/passages.h"

namespace kakeya {

/// Lines of a text, counted from 1.
struct LineRange {
  int first = 0, last = 0;
  bool holds(int begin, int end) const { return begin >= first && end <= last; }
  bool touches(int begin, int end) const { return begin <= last && end >= first; }
  std::string text() const;  ///< "1-1951"
};

/// In the place of a file: none is wanted.
inline constexpr std::string_view kNoSplits = "none";

/// Which lines of a text choices were made on, and which were kept for the end.
struct TextSplits {
  std::string path;         ///< of the file that says so
  std::string text_sha256;  ///< of the text that it speaks of
  LineRange development, held_out;
  std::string text() const;  ///< as plans record it: "development 1-1951, held-out 1952-4358"
};

/// Reads such a file: JSON with `text_sha256`, and `development` and `held-out`, the first and the last
/// line of each; a `description` may stand beside. Throws IoError, CorruptStream (no JSON), InputError on another key, a
/// missing one, or ranges that have a line in common.
TextSplits read_text_splits(const std::string& path);

/// Throws InputError where `splits` speaks of another text than that of `text_sha256`, or where a passage is not
/// wholly within the lines of the split that `name` says. `first` is the number of the first passage.
void check_text_splits(const TextSplits& splits, const std::string& name,
                       const std::vector<Passage>& passages, int first,
                       const std::string& text_sha256);

}  // namespace kakeya
