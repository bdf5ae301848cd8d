// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kakeya {

/// One word to ids. Immutable, thread-safe.
class TokenModel {
 public:
  virtual ~TokenModel() = default;
  /// Appends the ids of `word`.
  virtual void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const = 0;
};

/// What stands for a character without a token: the tokens of its bytes where all of them are
/// there, else the unknown token, else nothing (as in Hugging Face tokenizers and llama.cpp).
struct Fallback {
  std::array<std::int32_t, 256> byte_tokens = none();  ///< -1: no token
  std::int32_t unknown = -1;                           ///< -1: none
  bool fuse_unknown = false;                           ///< a run of unknown ones is one token

  /// Appends what stands for `bytes`; `previous` says whether the unknown token was the last thing
  /// appended, and is kept up to date.
  void append(std::string_view bytes, std::vector<std::int32_t>& ids, bool& previous) const;

  /// Whether anything stands for `bytes`.
  bool covers(std::string_view bytes) const;

  static constexpr std::array<std::int32_t, 256> none() {
    std::array<std::int32_t, 256> tokens{};
    for (auto& token : tokens) token = -1;
    return tokens;
  }
};

/// `left` and `right`, side by side, may become `merged`; the lowest rank goes first.
struct BpeMerge {
  std::int32_t left = 0;
  std::int32_t right = 0;
  std::int32_t merged = 0;
  std::uint32_t rank = 0;
};

/// Byte-pair encoding (Sennrich et al. 2016) as data. A symbol is a token, or a character that has
/// no token but is part of one.
struct BpeTable {
  std::unordered_map<std::string, std::int32_t> symbols;  ///< bytes of a symbol -> its number
  std::int32_t token_end = 0;                             ///< symbols from here on are no tokens
  std::vector<BpeMerge> merges;
  bool bytes_are_symbols = false;  ///< a word starts as its bytes, not as its characters
  bool whole_words_first =
      false;  ///< a word that is a token is that token, whatever the merges say
  Fallback fallback;
};

/// Merges by rank, the leftmost first among equals; n log n in the length of a word. A character
/// for which nothing stands is gone before the merges: its neighbours meet.
std::unique_ptr<TokenModel> make_bpe_model(BpeTable table);

/// A unigram language model (Kudo 2018) as data: piece i is token i.
struct UnigramTable {
  std::vector<std::string> pieces;
  std::vector<double> scores;  ///< log probability of each
  Fallback fallback;           ///< a run of unknown characters is one token
};

/// The most probable cut of a word into pieces (Viterbi); a character without a piece costs 10
/// below the lowest score, as in SentencePiece.
std::unique_ptr<TokenModel> make_unigram_model(UnigramTable table);

}  // namespace kakeya
