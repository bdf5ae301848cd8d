// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/prompt.h"

#include <algorithm>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kSearched = 64;  // tokens in which the end of a sentence is looked for
constexpr std::size_t kLeastHaystack = 16;
constexpr char kMark[] = "[[haystack stands here]]";

using Tokens = std::vector<std::int32_t>;

void append(Tokens& to, const Tokens& more) { to.insert(to.end(), more.begin(), more.end()); }

// What stands before the haystack and behind it.
std::pair<std::string, std::string> frame_of(const NeedleTask& task,
                                             const std::optional<ChatTemplate>& chat) {
  if (!chat) return {task.before, task.question + "\n" + task.answer_begins};
  const ChatMessage message{"user", task.before + kMark + task.question};
  const std::string text = render_chat(*chat, {&message, 1}, true);
  const std::size_t at = text.find(kMark);
  if (at == std::string::npos || text.find(kMark, at + 1) != std::string::npos) {
    throw InputError("chat template: expected the user's message to stand in its text once");
  }
  return {text.substr(0, at), text.substr(at + sizeof kMark - 1) + task.answer_begins};
}

}  // namespace

NeedlePrompts::NeedlePrompts(const Tokenizer& tokenizer, std::optional<ChatTemplate> chat,
                             const std::string& text)
    : tokenizer_(tokenizer), chat_(std::move(chat)) {
  if (const auto special = chat_ ? tokenizer.special_in(text) : std::nullopt) {
    throw InputError("the haystack has the text of the special token " + *special +
                     ", which could end the message: expected text without, or --plain");
  }
  haystack_ = tokenizer.encode(text, false);
  ends_.resize(tokenizer.vocab());
  for (std::size_t id = 0; id < ends_.size(); ++id) {
    const std::string one = tokenizer.decode({static_cast<std::int32_t>(id)});
    ends_[id] = !one.empty() && std::string_view(".!?\n").find(one.back()) != std::string::npos;
  }
}

bool NeedlePrompts::ends_sentence(std::size_t token) const {
  return ends_[static_cast<std::size_t>(haystack_[token])];
}

std::size_t NeedlePrompts::stretch_of(std::size_t count, double where) const {
  const std::size_t last = haystack_.size() - count;
  const auto start = static_cast<std::size_t>(where * static_cast<double>(last + 1));
  for (std::size_t at = start; at <= last && at < start + kSearched; ++at) {
    if (at == 0 || ends_sentence(at - 1)) return at;
  }
  return std::min(start, last);
}

std::size_t NeedlePrompts::place_of(double depth, std::size_t begin, std::size_t count) const {
  const auto wanted =
      std::min(count, static_cast<std::size_t>(depth * static_cast<double>(count) + 0.5));
  for (std::size_t back = 0; back < kSearched && back < wanted; ++back) {
    if (ends_sentence(begin + wanted - back - 1)) return wanted - back;
  }
  return wanted <= kSearched && wanted < count ? 0 : wanted;
}

NeedlePrompt NeedlePrompts::make(const NeedleTask& task, std::size_t length) const {
  const auto [before, behind] = frame_of(task, chat_);
  NeedlePrompt prompt;
  if (const auto bos = chat_ ? std::nullopt : bos_of(tokenizer_)) prompt.tokens.push_back(*bos);
  append(prompt.tokens, tokenizer_.encode(before, false));
  // The tokens of question and answer are those of their text together.
  Tokens tail = tokenizer_.encode(behind, false);
  const Tokens whole = tokenizer_.encode(behind + task.answer, false);
  const auto common = std::mismatch(tail.begin(), tail.end(), whole.begin(), whole.end());
  tail.erase(common.first, tail.end());
  prompt.answer.assign(common.second, whole.end());
  if (prompt.answer.empty()) throw InputError("answer " + task.answer + ": has no tokens");
  std::vector<Tokens> needles;
  std::size_t taken = prompt.tokens.size() + tail.size();
  for (const HiddenSentence& needle : task.needles) {
    needles.push_back(tokenizer_.encode(" " + needle.text, false));
    taken += needles.back().size();
  }
  if (length < taken + kLeastHaystack) {
    throw InputError("length " + std::to_string(length) + ": expected at least " +
                     std::to_string(taken + kLeastHaystack) + " tokens, " + std::to_string(taken) +
                     " of them for question and needles");
  }
  const std::size_t count = length - taken;
  if (haystack_.size() < count) {
    throw InputError("the haystack has " + std::to_string(haystack_.size()) +
                     " tokens: expected at least " + std::to_string(count) + " for a prompt of " +
                     std::to_string(length));
  }
  const std::size_t begin = stretch_of(count, task.stretch);
  std::size_t at = 0;
  for (std::size_t i = 0; i < needles.size(); ++i) {
    const std::size_t place = std::max(at, place_of(task.needles[i].depth, begin, count));
    const auto from = haystack_.begin() + static_cast<std::ptrdiff_t>(begin);
    prompt.tokens.insert(prompt.tokens.end(), from + static_cast<std::ptrdiff_t>(at),
                         from + static_cast<std::ptrdiff_t>(place));
    append(prompt.tokens, needles[i]);
    at = place;
  }
  prompt.tokens.insert(prompt.tokens.end(),
                       haystack_.begin() + static_cast<std::ptrdiff_t>(begin + at),
                       haystack_.begin() + static_cast<std::ptrdiff_t>(begin + count));
  append(prompt.tokens, tail);
  return prompt;
}

}  // namespace kakeya
