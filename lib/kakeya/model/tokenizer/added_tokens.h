// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kakeya/model/tokenizer/pre_tokenizer.h"

namespace kakeya {

/// A token that is found in the text before anything else (Hugging Face tokenizers, AddedToken).
struct AddedToken {
  std::string content;
  std::int32_t id = 0;
  bool special = false;      ///< left out of decoded text
  bool normalized = false;   ///< looked for in the normalized text
  bool single_word = false;  ///< only where no word character touches it
  bool strip_left = false;   ///< takes the white space before it along
  bool strip_right = false;  ///< takes the white space after it along
};

/// A place in a text where an added token stands.
struct AddedTokenHit {
  Span span;
  std::int32_t id = 0;
};

/// Finds added tokens: from the left, the longest first. Immutable, thread-safe.
class AddedTokenFinder {
 public:
  explicit AddedTokenFinder(std::vector<AddedToken> tokens);
  std::vector<AddedTokenHit> find(std::string_view text) const;

 private:
  const AddedToken* longest_at(std::string_view text, std::size_t at) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<std::string, std::size_t> index_;         // content -> place in tokens_
  std::array<std::vector<std::size_t>, 256> lengths_by_byte_;  // first byte -> lengths, descending
};

}  // namespace kakeya
