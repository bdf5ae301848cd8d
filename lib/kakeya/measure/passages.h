// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// One stretch of text to run: exactly `context + scored` token ids, and where they came from.
struct Passage {
  std::vector<std::int32_t> tokens;
  std::string origin;  ///< "wiki.test.raw lines 12-87" or "03-tides.txt"
};

/// The first `count` passages of `tokens_each` tokens (0: all there are).
///
/// A file is cut by the published rule (KakeyaLattice harness): rows in order, blank rows skipped,
/// raw text concatenated; when int(words * 1.3) reaches `tokens_each` the text is closed, and kept
/// only if the tokenizer really gives that many tokens; then the next begins. A folder is one
/// passage per .txt file, in name order, each of which must be long enough. Throws InputError when
/// fewer than `count` can be had, naming both numbers.
///
/// What a tokenizer puts before a text stands first in each passage and counts: a BOS, where the
/// model wants one.
std::vector<Passage> read_passages(const std::string& text_path, const Tokenizer& tokenizer,
                                   std::size_t tokens_each, std::size_t count);

}  // namespace kakeya
