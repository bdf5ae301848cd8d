// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/gguf_tokenizer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/byte_alphabet.h"
#include "kakeya/model/tokenizer/pipeline.h"
#include "kakeya/model/tokenizer/vocabulary.h"
#include "kakeya/model/tokenizer/word_pattern.h"

namespace kakeya {
namespace {

// tokenizer.ggml.token_type
enum TokenType : std::int64_t {
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kByte = 6
};

template <typename T>
const std::vector<T>* array_of(const GgufFile& file, const std::string& key) {
  const GgufValue* value = file.find(key);
  if (value == nullptr) return nullptr;
  const auto* array = std::get_if<std::vector<T>>(value);
  if (array == nullptr) throw InputError("metadata key " + key + " is not the array expected");
  return array;
}

bool truth(const GgufFile& file, const std::string& key, bool absent) {
  const GgufValue* value = file.find(key);
  if (value == nullptr) return absent;
  if (const bool* given = std::get_if<bool>(value)) return *given;
  throw InputError("metadata key " + key + ": a bool expected");
}

// The arrays of a vocabulary, checked against each other.
class GgufVocabulary {
 public:
  explicit GgufVocabulary(const GgufFile& file)
      : file_(file),
        tokens_(file.texts("tokenizer.ggml.tokens")),
        types_(array_of<std::int64_t>(file, "tokenizer.ggml.token_type")) {
    if (tokens_.empty()) throw CorruptStream("tokenizer.ggml.tokens is empty");
    if (types_ != nullptr && types_->size() != tokens_.size()) {
      throw CorruptStream("tokenizer.ggml.token_type has " + std::to_string(types_->size()) +
                          " entries, " + std::to_string(tokens_.size()) + " expected");
    }
  }

  const std::vector<std::string>& tokens() const { return tokens_; }
  std::int64_t type(std::size_t id) const {
    if (types_ != nullptr) return (*types_)[id];
    return byte_of_token(tokens_[id]) >= 0 ? kByte : kNormal;
  }

  // Tokens by text, those whose type `wanted` takes; the first of two equal ones stands.
  template <typename Wanted>
  Vocabulary by_text(const Wanted& wanted) const {
    Vocabulary vocabulary;
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      if (wanted(type(id))) vocabulary.emplace(tokens_[id], static_cast<std::int32_t>(id));
    }
    return vocabulary;
  }

  std::vector<AddedToken> added() const {
    std::vector<AddedToken> added;
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      const std::int64_t kind = type(id);
      if (kind != kUnknown && kind != kControl && kind != kUserDefined) continue;
      AddedToken token;
      token.content = tokens_[id];
      token.id = static_cast<std::int32_t>(id);
      token.special = kind != kUserDefined;
      added.push_back(std::move(token));
    }
    return added;
  }

  // The token that `key` names, or `absent` where the file does not say.
  std::int32_t special(const std::string& key, std::optional<std::int64_t> absent) const {
    const bool there = file_.find(key) != nullptr;
    const std::int64_t id = there || !absent ? file_.integer(key) : *absent;
    if (id < 0 || static_cast<std::size_t>(id) >= tokens_.size()) {
      throw CorruptStream(key + " is " + std::to_string(id) + ": below the " +
                          std::to_string(tokens_.size()) + " tokens expected");
    }
    return static_cast<std::int32_t>(id);
  }

 private:
  const GgufFile& file_;
  const std::vector<std::string>& tokens_;
  const std::vector<std::int64_t>* types_;
};

// What the file wants around a text. `bos` and `eos`: ids where it does not say.
void surround(const GgufFile& file, const GgufVocabulary& vocabulary, bool add_bos,
              std::optional<std::int64_t> bos, std::optional<std::int64_t> eos,
              TokenPipeline& pipeline) {
  if (truth(file, "tokenizer.ggml.add_bos_token", add_bos)) {
    pipeline.before = {vocabulary.special("tokenizer.ggml.bos_token_id", bos)};
  }
  if (truth(file, "tokenizer.ggml.add_eos_token", false)) {
    pipeline.after = {vocabulary.special("tokenizer.ggml.eos_token_id", eos)};
  }
}

TokenPipeline byte_level_pipeline(const GgufFile& file) {
  const GgufVocabulary vocabulary(file);
  // Older files name no pre-tokenizer; llama.cpp takes its `default` for them, and for an empty
  // name.
  const bool named =
      file.find("tokenizer.ggml.pre") != nullptr && !file.text("tokenizer.ggml.pre").empty();
  const std::string pre = named ? file.text("tokenizer.ggml.pre") : "default";
  const WordPattern& words = word_pattern(pre);
  const Vocabulary all = vocabulary.by_text([](std::int64_t) { return true; });
  BpeTable table;
  table.symbols = byte_level_symbols(vocabulary.by_text(
      [](std::int64_t type) { return type == kNormal || type == kUserDefined; }));
  table.token_end = static_cast<std::int32_t>(vocabulary.tokens().size());
  table.bytes_are_symbols = true;
  table.whole_words_first = words.whole_words_first;
  for (const std::string& merge : file.texts("tokenizer.ggml.merges")) {
    const std::size_t space = merge.find(' ', 1);  // a token may begin with a space, hardly end so
    if (space == std::string::npos) {
      throw CorruptStream("merge " + merge + ": two tokens and a space expected");
    }
    table.merges.push_back(
        merge_of(all, merge.substr(0, space), merge.substr(space + 1), table.merges.size()));
  }
  TokenPipeline pipeline;
  if (words.compose) pipeline.normalizer = make_unicode_normalizer("NFC");
  std::vector<std::unique_ptr<PreTokenizer>> steps;
  for (const std::string& pattern : words.patterns) {
    steps.push_back(make_regex_split(pattern, SplitBehavior::isolated));
  }
  pipeline.pre_tokenizer = make_pre_tokenizer_sequence(std::move(steps));
  pipeline.model = make_bpe_model(std::move(table));
  pipeline.decoder = make_byte_level_decoder();
  surround(file, vocabulary, words.add_bos, std::nullopt, std::nullopt, pipeline);
  pipeline.added = vocabulary.added();
  pipeline.tokens = vocabulary.tokens();
  pipeline.description = "byte-level BPE, " + std::to_string(pipeline.tokens.size()) +
                         " tokens, pre-tokenizer " + pre + (named ? "" : " (the file names none)");
  return pipeline;
}

TokenPipeline sentencepiece_pipeline(const GgufFile& file) {
  const GgufVocabulary vocabulary(file);
  const auto* scores = array_of<double>(file, "tokenizer.ggml.scores");
  if (scores == nullptr || scores->size() != vocabulary.tokens().size()) {
    throw CorruptStream("tokenizer.ggml.scores: " + std::to_string(vocabulary.tokens().size()) +
                        " numbers expected");
  }
  BpeTable table;
  table.token_end = static_cast<std::int32_t>(vocabulary.tokens().size());
  add_scored_merges(
      vocabulary.by_text([](std::int64_t type) { return type == kNormal || type == kUserDefined; }),
      *scores, table);
  table.fallback.byte_tokens =
      byte_tokens_of(vocabulary.by_text([](std::int64_t type) { return type == kByte; }));
  table.fallback.unknown = vocabulary.special("tokenizer.ggml.unknown_token_id", 0);
  TokenPipeline pipeline;
  const std::string mark(kSpaceMark);
  const bool prefix = truth(file, "tokenizer.ggml.add_space_prefix", true);
  std::vector<std::unique_ptr<Normalizer>> steps;
  if (prefix) steps.push_back(make_prepend_normalizer(mark));
  steps.push_back(make_replace_normalizer(" ", mark));
  pipeline.normalizer = make_normalizer_sequence(std::move(steps));
  if (marks_begin_words(table.symbols, kSpaceMark)) pipeline.pre_tokenizer = make_mark_cut(mark);
  pipeline.model = make_bpe_model(std::move(table));
  std::vector<std::unique_ptr<TokenDecoder>> decoders;
  decoders.push_back(make_replace_decoder(mark, " "));
  decoders.push_back(make_byte_fallback_decoder());
  decoders.push_back(make_fuse_decoder());
  if (prefix) decoders.push_back(make_strip_decoder(" ", 1, 0));
  pipeline.decoder = make_decoder_sequence(std::move(decoders));
  surround(file, vocabulary, true, 1, 2, pipeline);
  pipeline.added = vocabulary.added();
  pipeline.tokens = vocabulary.tokens();
  pipeline.description = "SentencePiece BPE, " + std::to_string(pipeline.tokens.size()) + " tokens";
  return pipeline;
}

}  // namespace

std::unique_ptr<Tokenizer> gguf_tokenizer(const GgufFile& file) {
  try {
    const std::string& model = file.text("tokenizer.ggml.model");
    if (model == "gpt2") return make_pipeline_tokenizer(byte_level_pipeline(file));
    if (model == "llama") return make_pipeline_tokenizer(sentencepiece_pipeline(file));
    throw InputError("tokenizer.ggml.model " + model + ": expected gpt2 or llama");
  } catch (const CorruptStream& error) {
    throw CorruptStream(file.path() + ": " + error.what());
  } catch (const InputError& error) {
    const std::string message = error.what();
    throw InputError(message.starts_with(file.path()) ? message : file.path() + ": " + message);
  }
}

}  // namespace kakeya
