// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/token_model.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

constexpr double kUnknownPenalty = 10.0;

class UnigramModel : public TokenModel {
 public:
  explicit UnigramModel(UnigramTable table) : table_(std::move(table)) {
    if (table_.pieces.size() != table_.scores.size() || table_.pieces.empty()) {
      throw InputError("a unigram vocabulary of " + std::to_string(table_.pieces.size()) +
                       " pieces and " + std::to_string(table_.scores.size()) +
                       " scores: one score a piece expected");
    }
    unknown_score_ =
        *std::min_element(table_.scores.begin(), table_.scores.end()) - kUnknownPenalty;
    table_.fallback.fuse_unknown = true;
    token_of_node_.push_back(-1);
    for (std::size_t i = 0; i < table_.pieces.size(); ++i) add(i);
  }

  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const override {
    const std::vector<Arrival> best = search(word);
    std::vector<std::size_t> ends;
    for (std::size_t at = word.size(); at > 0; at = best[at].begin) ends.push_back(at);
    bool unknown_before = false;
    std::size_t unknown_begin = 0;
    const auto flush = [&](std::size_t end) {  // a run of unknown characters is one piece
      if (!std::exchange(unknown_before, false)) return;
      bool fused = false;
      table_.fallback.append(word.substr(unknown_begin, end - unknown_begin), ids, fused);
    };
    for (auto end = ends.rbegin(); end != ends.rend(); ++end) {
      const Arrival& piece = best[*end];
      if (piece.token >= 0) {
        flush(piece.begin);
        ids.push_back(piece.token);
      } else if (!std::exchange(unknown_before, true)) {
        unknown_begin = piece.begin;
      }
    }
    flush(word.size());
  }

 private:
  // The best way to reach a byte of the word.
  struct Arrival {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t begin = 0;    // of the last piece
    std::int32_t token = -1;  // -1: unknown
    bool reached = false;
  };

  std::vector<Arrival> search(std::string_view word) const {
    std::vector<Arrival> best(word.size() + 1);
    best[0] = {0, 0, -1, true};
    const auto offer = [&](std::size_t begin, std::size_t end, double score, std::int32_t token) {
      Arrival& arrival = best[end];
      if (!arrival.reached || score > arrival.score) arrival = {score, begin, token, true};
    };
    for (std::size_t begin = 0; begin < word.size();) {
      const std::size_t character = utf8_at(word, begin).byte_count;
      bool known = false;
      std::uint32_t node = 0;
      for (std::size_t end = begin; end < word.size();) {
        node = child(node, word[end++]);
        if (node == 0) break;
        const std::int32_t token = token_of_node_[node];
        if (token < 0) continue;
        offer(begin, end, best[begin].score + table_.scores[static_cast<std::size_t>(token)],
              token);
        known = known || end - begin == character;
      }
      if (!known) offer(begin, begin + character, best[begin].score + unknown_score_, -1);
      begin += character;
    }
    return best;
  }

  static std::uint64_t edge(std::uint32_t node, char byte) {
    return std::uint64_t{node} << 8 | static_cast<std::uint8_t>(byte);
  }
  std::uint32_t child(std::uint32_t node, char byte) const {
    const auto found = children_.find(edge(node, byte));
    return found == children_.end() ? 0 : found->second;
  }
  void add(std::size_t piece) {
    std::uint32_t node = 0;
    for (const char byte : table_.pieces[piece]) {
      const auto fresh = static_cast<std::uint32_t>(token_of_node_.size());
      const auto [at, added] = children_.emplace(edge(node, byte), fresh);
      if (added) token_of_node_.push_back(-1);
      node = at->second;
    }
    if (node == 0 || static_cast<std::int32_t>(piece) == table_.fallback.unknown) return;
    token_of_node_[node] = static_cast<std::int32_t>(piece);
  }

  UnigramTable table_;
  double unknown_score_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> children_;  // trie: (node, byte) -> node
  std::vector<std::int32_t> token_of_node_;                    // -1: a piece only passes here
};

}  // namespace

std::unique_ptr<TokenModel> make_unigram_model(UnigramTable table) {
  return std::make_unique<UnigramModel>(std::move(table));
}

}  // namespace kakeya
