// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/chat/chat_template.h"

#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/chat/evaluate.h"

namespace kakeya {

struct ChatTemplate::Parsed {
  std::string source;
  std::map<std::string, std::string> tokens;
  std::vector<chat::Statement> statements;
};

ChatTemplate::ChatTemplate(std::string_view source, std::map<std::string, std::string> tokens) {
  auto parsed = std::make_shared<Parsed>();
  parsed->source = source;
  parsed->tokens = std::move(tokens);
  parsed->statements = chat::parse(source);
  parsed_ = std::move(parsed);
}

const std::string& ChatTemplate::source() const { return parsed_->source; }

std::string render_chat(const ChatTemplate& chat, std::span<const ChatMessage> messages,
                        bool generation_prompt) {
  using namespace chat;
  std::size_t length = 0;
  std::vector<Value> said;
  for (const ChatMessage& message : messages) {
    length += message.role.size() + message.content.size();
    said.push_back(dict_value(
        {{"role", text_value(message.role)}, {"content", text_value(message.content)}}, 1));
  }
  std::map<std::string, Value> names = {{"messages", list_value(std::move(said), 1)},
                                        {"add_generation_prompt", {generation_prompt}},
                                        {"tools", {None()}},
                                        {"documents", {None()}}};
  for (const auto& [name, text] : chat.parsed_->tokens) names[name] = text_value(text);
  constexpr std::size_t kBytes = 64 << 20, kCopies = 64;  // what a template may make
  Budget budget(kBytes + kCopies * length);
  return evaluate(chat.parsed_->statements, names, budget);
}

ChatTemplate require_chat_template(const std::string& model) {
  std::optional<ChatTemplate> chat = load_chat_template(model);
  if (!chat) {
    throw InputError(model +
                     ": has no chat template: expected tokenizer.chat_template of a .gguf " +
                     "file, chat_template.jinja or tokenizer_config.json of a folder");
  }
  return *std::move(chat);
}

std::vector<std::int32_t> chat_tokens(const Tokenizer& tokenizer, const ChatTemplate& chat,
                                      std::span<const ChatMessage> messages,
                                      bool generation_prompt) {
  for (const ChatMessage& message : messages) {
    if (const auto found = tokenizer.special_in(message.content)) {
      throw InputError("the message of " + message.role + ": has the text of the special token " +
                       *found +
                       ", which the model would take for the token: expected text without");
    }
  }
  return tokenizer.encode(render_chat(chat, messages, generation_prompt), false);
}

std::vector<std::int32_t> chat_prompt(const std::string& model, const Tokenizer& tokenizer,
                                      const std::optional<std::string>& system,
                                      const std::string& user) {
  std::vector<ChatMessage> messages;
  if (system) messages.push_back({"system", *system});
  messages.push_back({"user", user});
  return chat_tokens(tokenizer, require_chat_template(model), messages, true);
}

}  // namespace kakeya
