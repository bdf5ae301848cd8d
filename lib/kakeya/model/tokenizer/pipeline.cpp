// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/pipeline.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kCachedWordBytes = 64;
constexpr std::size_t kCachedWords = 1 << 18;
constexpr std::size_t kBytesATell = 1 << 16;

struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

// Ids of words met before in the same text.
class WordCache {
 public:
  explicit WordCache(const TokenModel& model) : model_(model) {}

  void encode(std::string_view word, std::vector<std::int32_t>& ids) {
    if (word.size() > kCachedWordBytes) return model_.encode_word(word, ids);
    auto known = words_.find(word);
    if (known == words_.end()) {
      if (words_.size() >= kCachedWords) words_.clear();
      known = words_.try_emplace(std::string(word)).first;
      model_.encode_word(word, known->second);
    }
    ids.insert(ids.end(), known->second.begin(), known->second.end());
  }

 private:
  const TokenModel& model_;
  std::unordered_map<std::string, std::vector<std::int32_t>, Hash, std::equal_to<>> words_;
};

class PipelineTokenizer : public Tokenizer {
 public:
  explicit PipelineTokenizer(TokenPipeline pipeline)
      : parts_(std::move(pipeline)), raw_(added(false)), normalized_(added(true)) {
    special_.resize(parts_.tokens.size());
    for (const AddedToken& token : parts_.added) {
      special_[static_cast<std::size_t>(token.id)] = token.special;
    }
  }

  std::vector<std::int32_t> encode(
      std::string_view text, bool add_special,
      const std::function<void(std::size_t)>& progress) const override {
    std::vector<std::int32_t> ids;
    if (add_special) ids = parts_.before;
    WordCache cache(*parts_.model);
    const auto stretch = [&](const Span& span) {
      const auto tell = [&](double share) {
        if (!progress) return;
        const auto bytes = static_cast<double>(span.end - span.begin);
        progress(span.begin + static_cast<std::size_t>(share * bytes));
      };
      encode_stretch(text.substr(span.begin, span.end - span.begin), span.begin == 0, cache, ids,
                     tell);
    };
    between(text, raw_.find(text), ids, stretch);
    if (add_special) ids.insert(ids.end(), parts_.after.begin(), parts_.after.end());
    if (progress) progress(text.size());
    return ids;
  }

  std::string decode(const std::vector<std::int32_t>& ids) const override {
    std::vector<std::string> tokens;
    for (const std::int32_t id : ids) {
      const auto place = static_cast<std::size_t>(id);
      if (id < 0 || place >= parts_.tokens.size()) {
        throw InputError("token id " + std::to_string(id) + ": 0 to " +
                         std::to_string(parts_.tokens.size() - 1) + " expected");
      }
      if (!special_[place]) tokens.push_back(parts_.tokens[place]);
    }
    parts_.decoder->apply(tokens);
    std::string text;
    for (const std::string& token : tokens) text += token;
    return text;
  }

  std::optional<std::string> special_in(std::string_view text) const override {
    std::vector<AddedTokenHit> hits = raw_.find(text);
    std::string plain(text);
    if (parts_.normalizer) plain = parts_.normalizer->apply(std::move(plain));
    const std::vector<AddedTokenHit> more = normalized_.find(plain);
    hits.insert(hits.end(), more.begin(), more.end());
    for (const AddedTokenHit& hit : hits) {
      const auto place = static_cast<std::size_t>(hit.id);
      if (special_[place]) return parts_.tokens[place];
    }
    return {};
  }

  std::size_t vocab() const override { return parts_.tokens.size(); }
  std::string describe() const override { return parts_.description; }

 private:
  // The added tokens that are looked for in normalized text, themselves normalized, or the others.
  std::vector<AddedToken> added(bool normalized) const {
    std::vector<AddedToken> tokens;
    for (AddedToken token : parts_.added) {
      if (token.normalized != normalized) continue;
      if (normalized && parts_.normalizer) {
        token.content = parts_.normalizer->apply(std::move(token.content));
      }
      tokens.push_back(std::move(token));
    }
    return tokens;
  }

  // Appends the id of each hit, and calls `stretch(span)` for the text between hits.
  template <typename Stretch>
  static void between(std::string_view text, const std::vector<AddedTokenHit>& hits,
                      std::vector<std::int32_t>& ids, const Stretch& stretch) {
    std::size_t at = 0;
    for (const AddedTokenHit& hit : hits) {
      if (hit.span.begin > at) stretch(Span{at, hit.span.begin});
      ids.push_back(hit.id);
      at = hit.span.end;
    }
    if (at < text.size()) stretch(Span{at, text.size()});
  }

  template <typename Tell>
  void encode_stretch(std::string_view raw, bool at_start, WordCache& cache,
                      std::vector<std::int32_t>& ids, const Tell& tell) const {
    std::string text(raw);
    if (parts_.normalizer) text = parts_.normalizer->apply(std::move(text));
    const auto words = [&](const Span& span) {
      WordList list{
          text.substr(span.begin, span.end - span.begin), {}, at_start && span.begin == 0};
      list.words.push_back({0, list.text.size()});
      if (parts_.pre_tokenizer) parts_.pre_tokenizer->apply(list);
      std::size_t told = 0;
      for (const Span& word : list.words) {
        cache.encode(list.word(word), ids);
        if (word.end < told + kBytesATell) continue;
        told = word.end;
        const double here = static_cast<double>(word.end) / static_cast<double>(list.text.size());
        const double span_bytes = static_cast<double>(span.end - span.begin);
        tell((static_cast<double>(span.begin) + here * span_bytes) /
             static_cast<double>(text.size()));
      }
    };
    between(text, normalized_.find(text), ids, words);
  }

  TokenPipeline parts_;
  AddedTokenFinder raw_, normalized_;
  std::vector<bool> special_;  // by id
};

}  // namespace

std::unique_ptr<Tokenizer> make_pipeline_tokenizer(TokenPipeline pipeline) {
  return std::make_unique<PipelineTokenizer>(std::move(pipeline));
}

}  // namespace kakeya
