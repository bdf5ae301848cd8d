// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kakeya {

/// How a byte-level BPE in GGUF cuts words, by its tokenizer.ggml.pre.
struct WordPattern {
  std::vector<std::string> patterns;  ///< one after the other, each match a word of its own
  bool compose = false;               ///< the model's own tokenizer normalizes to NFC first
  bool whole_words_first = false;     ///< a word that is a token is that token (ignore_merges)
  bool add_bos = false;               ///< where the file does not say
};

/// The cut named `pre` ("gpt-2", "smollm", "qwen2"). Throws InputError naming `pre` and those
/// known. Patterns are those of the models' own tokenizer.json, where they have one.
const WordPattern& word_pattern(const std::string& pre);

}  // namespace kakeya
