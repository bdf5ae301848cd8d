// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/vocabulary.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/byte_alphabet.h"
#include "kakeya/model/tokenizer/token_decoder.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

// Rank of each score: 0 for the highest, one rank for equal ones.
std::unordered_map<double, std::uint32_t> ranks_of(std::vector<double> scores) {
  std::sort(scores.begin(), scores.end(), std::greater<>());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  std::unordered_map<double, std::uint32_t> ranks;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ranks[scores[i]] = static_cast<std::uint32_t>(i);
  }
  return ranks;
}

bool one_character(const std::string& text) { return utf8_at(text, 0).byte_count == text.size(); }

}  // namespace

Vocabulary byte_level_symbols(const Vocabulary& vocabulary) {
  Vocabulary symbols;
  for (const auto& [token, id] : vocabulary) {
    if (auto bytes = bytes_of_alphabet(token); bytes && !bytes->empty()) {
      symbols.emplace(*std::move(bytes), id);
    }
  }
  return symbols;
}

std::array<std::int32_t, 256> byte_tokens_of(const Vocabulary& vocabulary) {
  auto tokens = Fallback::none();
  for (const auto& [token, id] : vocabulary) {
    if (const int byte = byte_of_token(token); byte >= 0) {
      tokens[static_cast<std::size_t>(byte)] = id;
    }
  }
  return tokens;
}

BpeMerge merge_of(const Vocabulary& vocabulary, const std::string& left, const std::string& right,
                  std::size_t rank) {
  const auto id = [&](const std::string& token) {
    const auto found = vocabulary.find(token);
    if (found == vocabulary.end()) {
      throw CorruptStream("merge " + std::to_string(rank) + " (" + left + " " + right +
                          "): " + token + " is not in the vocabulary");
    }
    return found->second;
  };
  return {id(left), id(right), id(left + right), static_cast<std::uint32_t>(rank)};
}

void add_scored_merges(const Vocabulary& tokens, const std::vector<double>& scores,
                       BpeTable& table) {
  for (const double score : scores) {
    if (!std::isfinite(score)) throw CorruptStream("a token score is not finite");
  }
  const auto ranks = ranks_of(scores);
  table.symbols = tokens;
  auto next = table.token_end;
  // A token, or a character; -1 for anything else.
  const auto known = [&](const std::string& text) {
    const auto found = table.symbols.find(text);
    if (found != table.symbols.end()) return found->second;
    return one_character(text) ? table.token_end : -1;
  };
  const auto symbol = [&](const std::string& text) {
    const auto [at, added] = table.symbols.emplace(text, next);
    if (added) ++next;
    return at->second;
  };
  for (const auto& [text, id] : tokens) {
    for (std::size_t cut = 0; cut < text.size();) {
      cut += utf8_at(text, cut).byte_count;
      if (cut >= text.size()) break;
      const std::string left = text.substr(0, cut);
      const std::string right = text.substr(cut);
      if (known(left) < 0 || known(right) < 0) continue;
      const std::uint32_t rank = ranks.at(scores[static_cast<std::size_t>(id)]);
      table.merges.push_back({symbol(left), symbol(right), id, rank});
    }
  }
}

bool marks_begin_words(const Vocabulary& symbols, std::string_view mark) {
  if (symbols.find(std::string(mark)) == symbols.end()) return false;
  return std::all_of(symbols.begin(), symbols.end(), [&](const auto& symbol) {
    const std::string& text = symbol.first;
    std::size_t head = 0;
    while (text.compare(head, mark.size(), mark) == 0) head += mark.size();
    return text.find(mark, head) == std::string::npos;
  });
}

}  // namespace kakeya
