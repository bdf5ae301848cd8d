// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// One stretch of text to run: exactly `context + scored` token ids, and where they came from.
struct Passage {
  std::vector<std::int32_t> tokens;
  std::string origin;  ///< "wiki.test.raw lines 12-87" or "03-tides.txt"
  int first_line = 0,
      last_line = 0;  ///< of the file that was cut, from 1; 0: one of a folder, or of no file
};

/// How a text file is cut into passages. Under both rules its lines are taken in order, blank ones
/// skipped, raw text concatenated; what a passage does not need of its last line is dropped.
enum class Cut {
  /// A passage ends as soon as the tokenizer gives it its tokens. A line of more than 512 bytes is
  /// taken in parts of at most as many, which end behind white space where they have any.
  tokens,
  /// The rule of the published harness (KakeyaLattice): a text is closed when int(words * 1.3)
  /// reaches the tokens wanted, and dropped if the tokenizer gives it fewer. Text without spaces,
  /// Chinese say, has few words and gives few passages or none.
  published,
};

/// "tokens" or "published": as stored in results and given on the command line.
std::string_view cut_name(Cut cut);

/// Throws SpecError naming the word given and the two known ones.
Cut parse_cut(const std::string& text);

struct PassageRequest {
  std::size_t tokens = 0;  ///< of each passage
  std::size_t count = 0;   ///< so many, from `first` on; 0: all there are
  Cut cut = Cut::tokens;   ///< of a file
  std::string made_of;     ///< for messages: what gave `tokens`, "--ctx 2048 + --eval 64"
  bool fewer = false;      ///< where there are fewer than `count`, they will do
  std::size_t first = 0;   ///< so many passages that could be had come before
};

/// The passages of a text file, cut as asked, or of a folder: one per .txt file, in name order,
/// each of which must be long enough. Throws IoError; InputError when fewer can be had than are
/// wanted (all: than one), naming both numbers, the tokens there are and why they give no more.
///
/// What a tokenizer puts before a text stands first in each passage and counts: a BOS, where the
/// model wants one.
std::vector<Passage> read_passages(const std::string& text_path, const Tokenizer& tokenizer,
                                   const PassageRequest& request);

/// SHA-256 of the ids of the first `tokens` tokens of each of the first `count` passages, int32
/// little-endian: what profiles remember of theirs. Empty where there are not as many.
std::string tokens_digest(const std::vector<Passage>& passages, std::size_t count,
                          std::size_t tokens);

}  // namespace kakeya
