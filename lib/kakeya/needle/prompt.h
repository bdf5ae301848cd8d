// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kakeya/model/chat/chat_template.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "kakeya/needle/tasks.h"

namespace kakeya {

/// Tokens of a prompt, and of the right answer behind it.
struct NeedlePrompt {
  std::vector<std::int32_t> tokens, answer;
};

/// Prompts of an exact number of tokens: what the task says first, haystack with the needles in it, question, and how the
/// answer begins; as a user's message in the chat template, or plain behind the BOS.
///
///     <|im_start|>user  before  haystack needle haystack  question <|im_end|> <|im_start|>assistant  answer begins
///
/// Each part is tokens of its own, without special ones that its text did not have. A needle stands behind
/// the nearest end of a sentence before its depth, where one is within 64 tokens. The haystack is the
/// task's stretch of the text, and begins where a sentence does.
class NeedlePrompts {
 public:
  /// `chat`: nothing for plain prompts. Throws InputError where the text has a special token's text, and is
  /// to stand in a chat.
  NeedlePrompts(const Tokenizer& tokenizer, std::optional<ChatTemplate> chat,
                const std::string& text);

  /// Throws InputError where the length is less than what is no haystack takes, or the haystack is
  /// shorter than needed, naming both numbers; and what the chat template refuses.
  NeedlePrompt make(const NeedleTask& task, std::size_t length) const;

 private:
  std::size_t stretch_of(std::size_t count, double where) const;
  std::size_t place_of(double depth, std::size_t begin, std::size_t count) const;
  bool ends_sentence(std::size_t token) const;

  const Tokenizer& tokenizer_;
  std::optional<ChatTemplate> chat_;
  std::vector<std::int32_t> haystack_;
  std::vector<bool> ends_;  // by id: its text ends a sentence
};

}  // namespace kakeya
