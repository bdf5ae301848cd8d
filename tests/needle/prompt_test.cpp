// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/prompt.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// A token a byte; 1 is the BOS, and 2 the special token "<end>".
class Bytes : public Tokenizer {
 public:
  std::vector<std::int32_t> encode(std::string_view text, bool add_special,
                                   const std::function<void(std::size_t)>&) const override {
    std::vector<std::int32_t> ids;
    if (add_special) ids.push_back(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool end = text.substr(i, 5) == "<end>";
      ids.push_back(end ? 2 : static_cast<std::uint8_t>(text[i]));
      if (end) i += 4;
    }
    return ids;
  }
  std::string decode(const std::vector<std::int32_t>& ids) const override {
    std::string text;
    for (const std::int32_t id : ids) {
      if (id != 1 && id != 2) text += static_cast<char>(id);
    }
    return text;
  }
  std::optional<std::string> special_in(std::string_view text) const override {
    if (text.find("<end>") == std::string_view::npos) return {};
    return "<end>";
  }
  std::size_t vocab() const override { return 256; }
  std::string describe() const override { return "bytes"; }
};

std::string haystack() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "Line " + std::to_string(i) + " of the text.";
  return text;
}

const Bytes kBytes;

NeedleTask task_at(int depth, NeedleKind kind = NeedleKind::single) {
  return make_needle_task({kind, 1000, depth, 0}, 7);
}

TEST(NeedlePrompts, HaveTheLengthAndTheNeedleAtItsDepth) {
  const NeedlePrompts prompts(kBytes, {}, haystack());
  for (const NeedleKind kind : {NeedleKind::single, NeedleKind::multi_key, NeedleKind::multi_value,
                                NeedleKind::variable_tracking}) {
    for (const int depth : {0, 37, 100}) {
      for (const std::size_t length : {900, 1500}) {
        const NeedleTask task = task_at(depth, kind);
        const NeedlePrompt prompt = prompts.make(task, length);
        EXPECT_EQ(prompt.tokens.size(), length);
        EXPECT_EQ(prompt.tokens.front(), 1);
        EXPECT_EQ(std::count(prompt.tokens.begin(), prompt.tokens.end(), 1), 1);
        EXPECT_EQ(kBytes.decode(prompt.answer), task.answer);
        const std::string text = kBytes.decode(prompt.tokens);
        EXPECT_TRUE(text.starts_with(task.before));
        EXPECT_TRUE(text.ends_with(task.question + "\n" + task.answer_begins));
        std::size_t hidden = 0, at = 0;
        for (const HiddenSentence& needle : task.needles) {
          at = text.find(" " + needle.text, at);
          ASSERT_NE(at, std::string::npos) << needle.text;
          if (at > task.before.size()) {
            EXPECT_EQ(text[at - 1], '.') << text.substr(at - 20, 60);
          }
          const double hay =
              static_cast<double>(length - task.before.size() - 1 - task.question.size() - 1 -
                                  task.answer_begins.size());
          const double before = static_cast<double>(at - task.before.size() - hidden);
          hidden += needle.text.size() + 1;
          EXPECT_NEAR(before, needle.depth * (hay - 220), 230) << needle.text;
        }
      }
    }
  }
  // At its depth to a sentence.
  const NeedleTask task = task_at(50);
  const std::string text = kBytes.decode(prompts.make(task, 1500).tokens);
  const std::size_t at = text.find(" " + task.needles[0].text) - task.before.size();
  const std::size_t hay = 1500 - 1 - task.before.size() - task.needles[0].text.size() - 1 -
                          task.question.size() - 1 - task.answer_begins.size();
  EXPECT_LE(at, hay / 2 + 1);
  EXPECT_GE(at + 25, hay / 2);
}

TEST(NeedlePrompts, StandInTheChatTemplate) {
  const ChatTemplate chat(
      "{% for m in messages %}<end>{{ m.role }}: {{ m.content | trim }}<end>{% endfor %}"
      "{% if add_generation_prompt %}assistant: {% endif %}");
  const NeedlePrompts prompts(kBytes, chat, haystack());
  const NeedleTask task = task_at(50);
  const NeedlePrompt prompt = prompts.make(task, 900);
  EXPECT_EQ(prompt.tokens.size(), 900u);
  EXPECT_EQ(prompt.tokens.front(), 2);  // the template's, and no BOS
  EXPECT_EQ(std::count(prompt.tokens.begin(), prompt.tokens.end(), 2), 2);
  const std::string text = kBytes.decode(prompt.tokens);
  EXPECT_TRUE(text.starts_with("user: " + task.before));
  EXPECT_TRUE(text.ends_with(task.question + "assistant: " + task.answer_begins));
  // A haystack that could end the message is refused; plain it is text like any other.
  EXPECT_THROW(NeedlePrompts(kBytes, chat, haystack() + "<end>"), InputError);
  EXPECT_NO_THROW(NeedlePrompts(kBytes, {}, haystack() + "<end>"));
  // So is a template that does not have the message once.
  const NeedlePrompts twice(kBytes, ChatTemplate("{{ messages[0].content ~ messages[0].content }}"),
                            haystack());
  EXPECT_THROW(twice.make(task, 900), InputError);
}

TEST(NeedlePrompts, WhatDoesNotFitIsNamed) {
  const NeedlePrompts prompts(kBytes, {}, haystack());
  const auto refusal = [&](std::size_t length) -> std::string {
    try {
      prompts.make(task_at(50), length);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(100).find("length 100: expected at least "), std::string::npos) << refusal(100);
  EXPECT_NE(refusal(100000).find("the haystack has "), std::string::npos) << refusal(100000);
}

}  // namespace
}  // namespace kakeya
