// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/json_tokenizer.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/byte_alphabet.h"
#include "kakeya/model/tokenizer/json_pipeline.h"
#include "kakeya/model/tokenizer/pipeline.h"
#include "kakeya/model/tokenizer/vocabulary.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxIdGap = 65536;  // ids run from 0; some files leave a few out

const json& part_of(const json& file, const char* key) {
  static const json kAbsent;
  const auto found = file.find(key);
  return found == file.end() ? kAbsent : *found;
}

// Options that change ids and that no current model sets.
void refuse_options(const json& model) {
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    const json& option = part_of(model, key);
    if (!option.is_null() && !option.get<std::string>().empty()) {
      throw InputError(std::string("BPE option ") + key + " " + option.dump() +
                       ": expected null or no text");
    }
  }
  const json& dropout = part_of(model, "dropout");
  if (!dropout.is_null() && dropout.get<double>() != 0) {
    throw InputError("BPE option dropout " + dropout.dump() + ": expected null or 0");
  }
}

Fallback fallback_of(const json& model, const Vocabulary& vocabulary) {
  Fallback fallback;
  if (model.value("byte_fallback", false)) fallback.byte_tokens = byte_tokens_of(vocabulary);
  fallback.fuse_unknown = model.value("fuse_unk", false);
  const json& unknown = part_of(model, "unk_token");
  if (!unknown.is_null()) {
    const auto found = vocabulary.find(unknown.get<std::string>());
    if (found == vocabulary.end()) {
      throw CorruptStream("unk_token " + unknown.get<std::string>() + " is not in the vocabulary");
    }
    fallback.unknown = found->second;
  }
  return fallback;
}

std::vector<BpeMerge> merges_of(const json& list, const Vocabulary& vocabulary) {
  std::vector<BpeMerge> merges;
  merges.reserve(list.size());
  for (const json& merge : list) {
    if (merge.is_array() && merge.size() == 2) {
      merges.push_back(merge_of(vocabulary, merge[0].get_ref<const std::string&>(),
                                merge[1].get_ref<const std::string&>(), merges.size()));
      continue;
    }
    const auto& text = merge.get_ref<const std::string&>();
    const std::size_t space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
      throw CorruptStream("merge " + std::to_string(merges.size()) + ": " + text +
                          ": two tokens and one space expected");
    }
    merges.push_back(
        merge_of(vocabulary, text.substr(0, space), text.substr(space + 1), merges.size()));
  }
  return merges;
}

BpeTable bpe_table(const json& model, const Vocabulary& vocabulary, bool byte_level) {
  refuse_options(model);
  BpeTable table;
  table.symbols = byte_level ? byte_level_symbols(vocabulary) : vocabulary;
  for (const auto& token : vocabulary)
    table.token_end = std::max(table.token_end, token.second + 1);
  table.merges = merges_of(model.at("merges"), vocabulary);
  table.bytes_are_symbols = byte_level;
  table.whole_words_first = model.value("ignore_merges", false);
  table.fallback = fallback_of(model, vocabulary);
  return table;
}

UnigramTable unigram_table(const json& model, const Vocabulary& vocabulary) {
  UnigramTable table;
  for (const json& entry : model.at("vocab")) {
    table.pieces.push_back(entry.at(0).get<std::string>());
    table.scores.push_back(entry.at(1).get<double>());
  }
  if (model.value("byte_fallback", false)) table.fallback.byte_tokens = byte_tokens_of(vocabulary);
  const json& unknown = part_of(model, "unk_id");
  if (!unknown.is_null()) {
    const std::int32_t id = token_id_of(unknown);
    if (id < 0 || static_cast<std::size_t>(id) >= table.pieces.size()) {
      throw CorruptStream("unk_id " + std::to_string(id) + ": below the " +
                          std::to_string(table.pieces.size()) + " tokens expected");
    }
    table.fallback.unknown = id;
  }
  return table;
}

std::string model_type(const json& model) {
  const json& type = part_of(model, "type");
  if (!type.is_null()) return type.get<std::string>();
  return model.contains("merges") ? "BPE" : "";  // files before 2021 name no type
}

Vocabulary vocabulary_of(const json& model) {
  Vocabulary vocabulary;
  const json& entries = model.at("vocab");
  if (entries.is_object()) {
    for (const auto& [token, id] : entries.items()) vocabulary[token] = token_id_of(id);
  } else {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      vocabulary[entries.at(i).at(0).get<std::string>()] = static_cast<std::int32_t>(i);
    }
  }
  return vocabulary;
}

std::vector<AddedToken> added_tokens_of(const json& list) {
  std::vector<AddedToken> tokens;
  if (list.is_null()) return tokens;
  for (const json& entry : list) {
    AddedToken token;
    token.content = entry.at("content").get<std::string>();
    token.id = token_id_of(entry.at("id"));
    token.special = entry.at("special").get<bool>();
    token.normalized = entry.at("normalized").get<bool>();
    token.single_word = entry.at("single_word").get<bool>();
    token.strip_left = entry.at("lstrip").get<bool>();
    token.strip_right = entry.at("rstrip").get<bool>();
    tokens.push_back(std::move(token));
  }
  return tokens;
}

// The tokens by id, as the decoder takes them (`byte_level`: all in the byte alphabet); checks
// every id against the number of tokens, so that no id can ask for memory.
std::vector<std::string> tokens_by_id(const Vocabulary& vocabulary,
                                      const std::vector<AddedToken>& added, bool byte_level) {
  const std::size_t bound = vocabulary.size() + added.size() + kMaxIdGap;
  std::vector<std::string> tokens;
  const auto put = [&](const std::string& token, std::int32_t id) {
    if (id < 0 || static_cast<std::size_t>(id) >= bound) {
      throw CorruptStream("token " + token + ": id " + std::to_string(id) + ", 0 to " +
                          std::to_string(bound - 1) + " expected");
    }
    const auto place = static_cast<std::size_t>(id);
    if (place >= tokens.size()) tokens.resize(place + 1);
    tokens[place] = token;
  };
  for (const auto& [token, id] : vocabulary) put(token, id);
  for (const AddedToken& token : added) {
    put(byte_level ? alphabet_of_bytes(token.content) : token.content, token.id);
  }
  if (tokens.empty()) throw CorruptStream("the vocabulary is empty");
  return tokens;
}

TokenPipeline pipeline_of(const json& file) {
  const json& model = file.at("model");
  const std::string type = model_type(model);
  if (type != "BPE" && type != "Unigram") {
    throw InputError("tokenizer model " + (type.empty() ? "of no type" : type) +
                     ": expected BPE or Unigram");
  }
  TokenPipeline pipeline;
  const Vocabulary vocabulary = vocabulary_of(model);
  pipeline.added = added_tokens_of(part_of(file, "added_tokens"));
  const json& decoder = part_of(file, "decoder");
  const bool byte_level_decoder = !decoder.is_null() && decoder.at("type") == "ByteLevel";
  pipeline.tokens = tokens_by_id(vocabulary, pipeline.added, byte_level_decoder);
  pipeline.normalizer = normalizer_of(part_of(file, "normalizer"));
  PreTokenizerPart words = pre_tokenizer_of(part_of(file, "pre_tokenizer"));
  if (words.byte_level && type != "BPE") {
    throw InputError("pre-tokenizer ByteLevel with model " + type + ": BPE expected");
  }
  std::string kind = "unigram";
  if (type == "BPE") {
    kind = words.byte_level ? "byte-level BPE" : "BPE";
    BpeTable table = bpe_table(model, vocabulary, words.byte_level);
    if (!words.pre_tokenizer && marks_begin_words(table.symbols, kSpaceMark)) {
      words.pre_tokenizer = make_mark_cut(std::string(kSpaceMark));
    }
    pipeline.model = make_bpe_model(std::move(table));
  } else {
    pipeline.model = make_unigram_model(unigram_table(model, vocabulary));
  }
  pipeline.pre_tokenizer = std::move(words.pre_tokenizer);
  pipeline.decoder = decoder_of(decoder);
  Surroundings around = surroundings_of(part_of(file, "post_processor"));
  for (const auto* side : {&around.before, &around.after}) {
    for (const std::int32_t id : *side) {
      if (id < 0 || static_cast<std::size_t>(id) >= pipeline.tokens.size()) {
        throw CorruptStream("post-processor: id " + std::to_string(id) +
                            " is not in the vocabulary");
      }
    }
  }
  pipeline.before = std::move(around.before);
  pipeline.after = std::move(around.after);
  pipeline.description = kind + ", " + std::to_string(pipeline.tokens.size()) +
                         " tokens, pre-tokenizer " +
                         (words.description.empty() ? "none" : words.description);
  return pipeline;
}

}  // namespace

std::unique_ptr<Tokenizer> load_json_tokenizer(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(path + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const json file = parse_json(text, path);
  try {
    return make_pipeline_tokenizer(pipeline_of(file));
  } catch (const json::exception& error) {
    throw CorruptStream(path + ": expected a tokenizer.json: " + error.what());
  } catch (const CorruptStream& error) {
    throw CorruptStream(path + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

}  // namespace kakeya
