// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// The text of tokens as they come: what a further token adds, once it is whole characters.
class TextStream {
 public:
  /// `before`: tokens whose text has been given already. A decoder may treat a text's first token in its
  /// own way, so that a few of them are needed to know what others add.
  explicit TextStream(const Tokenizer& tokenizer, std::span<const std::int32_t> before = {});

  /// The text that is certain now. Empty while a character's bytes are not all there.
  std::string add(std::int32_t token);

  /// What was held back, as it is.
  std::string finish();

 private:
  // The text of the tokens from begin_ on, less what was given of it.
  std::string rest() const;

  const Tokenizer& tokenizer_;
  std::vector<std::int32_t> tokens_;
  std::size_t begin_ =
      0;  // tokens from here on are decoded together: what they begin with is context
  std::size_t given_ = 0;  // bytes of their text that were given
};

}  // namespace kakeya
