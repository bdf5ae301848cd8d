// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/pair_table.h"
#include "kakeya/model/tokenizer/token_model.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

constexpr std::int32_t kUnknown = -1;  // a stretch of the word that has no symbol
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A stretch of the word; the list of stretches is linked, since merges take out of its middle.
struct Node {
  std::int32_t symbol = kUnknown;
  std::uint32_t begin = 0;
  std::uint32_t byte_count = 0;  // 0: merged into the stretch before
  std::uint32_t previous = kNone;
  std::uint32_t next = kNone;
};

struct Candidate {
  std::uint32_t rank = 0;
  std::uint32_t left = 0;
  std::int32_t merged = 0;
};
struct Later {
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.rank != b.rank ? a.rank > b.rank : a.left > b.left;
  }
};
using Queue = std::priority_queue<Candidate, std::vector<Candidate>, Later>;

class BpeModel : public TokenModel {
 public:
  explicit BpeModel(BpeTable table) : table_(std::move(table)), pairs_(table_.merges) {
    table_.merges = {};
    for (const auto& [text, symbol] : table_.symbols) {
      if (text.size() == 1) byte_symbols_[static_cast<std::uint8_t>(text.front())] = symbol;
    }
  }

  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const override {
    if (word.size() >= kNone) {
      throw InputError("a word of " + std::to_string(word.size()) + " bytes: below 2^32 expected");
    }
    if (table_.whole_words_first) {
      const auto whole = table_.symbols.find(std::string(word));
      if (whole != table_.symbols.end() && whole->second < table_.token_end) {
        ids.push_back(whole->second);
        return;
      }
    }
    std::vector<Node> nodes = start(word);
    merge(nodes);
    bool unknown_before = false;
    for (const Node& node : nodes) {
      if (node.byte_count == 0) continue;
      if (node.symbol >= 0 && node.symbol < table_.token_end) {
        ids.push_back(node.symbol);
        unknown_before = false;
      } else {
        table_.fallback.append(word.substr(node.begin, node.byte_count), ids, unknown_before);
      }
    }
  }

 private:
  std::vector<Node> start(std::string_view word) const {
    std::vector<Node> nodes;
    nodes.reserve(word.size());
    for (std::uint32_t at = 0; at < word.size();) {
      Node node;
      node.begin = at;
      node.byte_count = table_.bytes_are_symbols ? 1 : utf8_at(word, at).byte_count;
      at += node.byte_count;
      const std::string_view text = word.substr(node.begin, node.byte_count);
      node.symbol = symbol_of(text);
      if (node.symbol == kUnknown && !table_.fallback.covers(text)) continue;
      const auto here = static_cast<std::uint32_t>(nodes.size());
      node.previous = here == 0 ? kNone : here - 1;
      if (here > 0) nodes.back().next = here;
      nodes.push_back(node);
    }
    return nodes;
  }

  std::int32_t symbol_of(std::string_view text) const {
    if (text.size() == 1) return byte_symbols_[static_cast<std::uint8_t>(text.front())];
    const auto found = table_.symbols.find(std::string(text));
    return found == table_.symbols.end() ? kUnknown : found->second;
  }

  const PairTable::Entry* pair_at(const std::vector<Node>& nodes, std::uint32_t left) const {
    const Node& first = nodes[left];
    if (first.byte_count == 0 || first.next == kNone) return nullptr;
    const Node& second = nodes[first.next];
    if (first.symbol == kUnknown || second.symbol == kUnknown) return nullptr;
    return pairs_.find(first.symbol, second.symbol);
  }

  void merge(std::vector<Node>& nodes) const {
    std::vector<Candidate> first;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (const auto* pair = pair_at(nodes, i)) first.push_back({pair->rank, i, pair->merged});
    }
    Queue queue(Later{}, std::move(first));
    while (!queue.empty()) {
      const Candidate best = queue.top();
      queue.pop();
      const auto* pair = pair_at(nodes, best.left);
      if (pair == nullptr || pair->merged != best.merged) continue;  // merged otherwise meanwhile
      Node& left = nodes[best.left];
      Node& right = nodes[left.next];
      left.symbol = best.merged;
      left.byte_count += right.byte_count;
      left.next = right.next;
      right.byte_count = 0;
      if (left.next != kNone) nodes[left.next].previous = best.left;
      if (const auto* after = pair_at(nodes, best.left)) {
        queue.push({after->rank, best.left, after->merged});
      }
      if (left.previous == kNone) continue;
      if (const auto* before = pair_at(nodes, left.previous)) {
        queue.push({before->rank, left.previous, before->merged});
      }
    }
  }

  BpeTable table_;
  PairTable pairs_;
  std::array<std::int32_t, 256> byte_symbols_ = Fallback::none();
};

}  // namespace

std::unique_ptr<TokenModel> make_bpe_model(BpeTable table) {
  return std::make_unique<BpeModel>(std::move(table));
}

}  // namespace kakeya
