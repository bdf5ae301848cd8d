// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// Something that was said, and by whom: "system", "user", "assistant".
struct ChatMessage {
  std::string role, content;
};

/// How a model wants a conversation written: a template in the language Jinja, as much of it as chat templates
/// use. A value: immutable, copies share what was parsed.
///
/// White space is as with trim_blocks and lstrip_blocks, as Hugging Face transformers render. A template may
/// not change anything, takes at most 5 million steps and a bounded amount of memory.
class ChatTemplate {
 public:
  /// `tokens`: special tokens by the names that templates have for them ("bos_token": "<s>"). Throws
  /// InputError "chat template, line N: ..." naming a construct that is not known.
  explicit ChatTemplate(std::string_view source, std::map<std::string, std::string> tokens = {});

  const std::string& source() const;

 private:
  friend std::string render_chat(const ChatTemplate&, std::span<const ChatMessage>, bool);
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

/// The text of a conversation; with `generation_prompt` so that the model's answer comes next. The names
/// messages, add_generation_prompt, tools and documents (none) and the special tokens are given. Throws InputError on what the template
/// refuses, and on what is not known: it names the line.
std::string render_chat(const ChatTemplate& chat, std::span<const ChatMessage> messages,
                        bool generation_prompt);

/// The template of a model: tokenizer.chat_template of a .gguf file, of a Hugging Face folder
/// chat_template.jinja or "chat_template" of tokenizer_config.json (of several, the one named
/// "default"). Nothing where it has none. Throws IoError, CorruptStream, and InputError as ChatTemplate().
std::optional<ChatTemplate> load_chat_template(const std::string& model);

/// The same; throws InputError where the model has none.
ChatTemplate require_chat_template(const std::string& model);

/// The tokens of a conversation: its text, with the template's special tokens as such and nothing put
/// round it. Throws InputError where a message has the text of a special token: it would be taken for one,
/// and could end the message that it stands in.
std::vector<std::int32_t> chat_tokens(const Tokenizer& tokenizer, const ChatTemplate& chat,
                                      std::span<const ChatMessage> messages,
                                      bool generation_prompt);

/// A user's message, behind a system's where one is given (an empty one is a message too): the tokens after
/// which the model answers. Throws as require_chat_template() and chat_tokens().
std::vector<std::int32_t> chat_prompt(const std::string& model, const Tokenizer& tokenizer,
                                      const std::optional<std::string>& system,
                                      const std::string& user);

}  // namespace kakeya
