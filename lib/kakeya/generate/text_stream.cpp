// SPDX-License-Identifier: Apache-2.0
#include "kakeya/generate/text_stream.h"

#include <algorithm>

namespace kakeya {
namespace {

constexpr std::size_t kTogether = 64;  // tokens decoded for one, at most

// Bytes of `text` up to the last character that is whole, or cannot become so.
std::size_t whole_bytes(const std::string& text) {
  for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return text.size();
    if (byte < 0xC0) continue;  // inside a character
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

TextStream::TextStream(const Tokenizer& tokenizer, std::span<const std::int32_t> before)
    : tokenizer_(tokenizer) {
  const auto few = before.last(std::min(before.size(), kTogether / 2));
  tokens_.assign(few.begin(), few.end());
  given_ = rest().size();
}

std::string TextStream::rest() const {
  const std::string text =
      tokenizer_.decode({tokens_.begin() + static_cast<std::ptrdiff_t>(begin_), tokens_.end()});
  return text.size() > given_ ? text.substr(given_) : std::string();
}

std::string TextStream::add(std::int32_t token) {
  tokens_.push_back(token);
  std::string text = rest();
  text.resize(whole_bytes(text));
  given_ += text.size();
  if (tokens_.size() - begin_ >= kTogether && !text.empty()) {
    // Half of them stay: a decoder may treat the first token of a text in its own way.
    begin_ = tokens_.size() - kTogether / 2;
    given_ = 0;
    given_ = whole_bytes(rest());
  }
  return text;
}

std::string TextStream::finish() {
  std::string text = rest();
  given_ += text.size();
  return text;
}

}  // namespace kakeya
