// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/added_tokens.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

bool is_space(const Utf8Char& c) {
  return c.valid && u_isUWhiteSpace(static_cast<UChar32>(c.code_point));
}

bool is_word(const Utf8Char& c) {
  const auto point = static_cast<UChar32>(c.code_point);
  const auto category = U_MASK(u_charType(point));
  return c.valid && (u_hasBinaryProperty(point, UCHAR_ALPHABETIC) ||
                     (category & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0);
}

// Where the character before `at` begins; the caller keeps at > 0.
std::size_t step_back(std::string_view text, std::size_t at) {
  for (std::size_t back = 1; back <= 4 && back <= at; ++back) {
    const Utf8Char c = utf8_at(text, at - back);
    if (c.valid && c.byte_count == back) return at - back;
  }
  return at - 1;
}

bool touches_word(std::string_view text, const Span& span) {
  return (span.begin > 0 && is_word(utf8_at(text, step_back(text, span.begin)))) ||
         (span.end < text.size() && is_word(utf8_at(text, span.end)));
}

}  // namespace

AddedTokenFinder::AddedTokenFinder(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string& content = tokens_[i].content;
    if (content.empty()) continue;
    index_[content] = i;
    lengths_by_byte_[static_cast<std::uint8_t>(content.front())].push_back(content.size());
  }
  for (auto& lengths : lengths_by_byte_) {
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  }
}

const AddedToken* AddedTokenFinder::longest_at(std::string_view text, std::size_t at) const {
  for (const std::size_t length : lengths_by_byte_[static_cast<std::uint8_t>(text[at])]) {
    if (length > text.size() - at) continue;
    const auto found = index_.find(std::string(text.substr(at, length)));
    if (found != index_.end()) return &tokens_[found->second];
  }
  return nullptr;
}

std::vector<AddedTokenHit> AddedTokenFinder::find(std::string_view text) const {
  std::vector<AddedTokenHit> hits;
  std::size_t taken = 0;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest_at(text, at);
    if (token == nullptr) {
      ++at;
      continue;
    }
    Span span{at, at + token->content.size()};
    at = span.end;
    if (token->single_word && touches_word(text, span)) continue;
    while (token->strip_left && span.begin > taken) {
      const std::size_t back = step_back(text, span.begin);
      if (back < taken || !is_space(utf8_at(text, back))) break;
      span.begin = back;
    }
    while (token->strip_right && span.end < text.size() && is_space(utf8_at(text, span.end))) {
      span.end += utf8_at(text, span.end).byte_count;
    }
    hits.push_back({span, token->id});
    taken = at = span.end;
  }
  return hits;
}

}  // namespace kakeya
