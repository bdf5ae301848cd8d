// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/word_pattern.h"

#include <algorithm>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/pre_tokenizer.h"

namespace kakeya {
namespace {

constexpr const char* kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kTekkenPattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kGpt4oPattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct NamedPattern {
  std::vector<std::string_view> names;
  WordPattern pattern;
};

const std::vector<NamedPattern>& table() {
  static const std::vector<NamedPattern> kTable = {
      {{"default"},
       {{R"([\p{P}\$\+<=>\^~\|]+)", kGpt2Pattern, R"(\p{N}+)", "[0-9][0-9][0-9]"},
        false,
        false,
        false}},
      {{"falcon"},
       {{R"([\p{P}\$\+<=>\^~\|`]+)", kGpt2Pattern, "[0-9][0-9][0-9]"}, false, false, false}},
      {{"gpt-2", "phi-2", "mpt", "olmo", "jais"}, {{kGpt2Pattern}, false, false, false}},
      {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"},
       {{R"(\p{N})", kGpt2Pattern}, false, false, false}},
      {{"qwen2", "deepseek-r1-qwen"}, {{kQwen2Pattern}, true, false, false}},
      {{"stablelm2"}, {{kQwen2Pattern}, false, false, false}},
      {{"llama-bpe", "llama3", "llama-v3", "falcon3"}, {{kLlama3Pattern}, false, true, true}},
      {{"dbrx", "smaug-bpe", "glm4", "chatglm-bpe"}, {{kLlama3Pattern}, false, false, false}},
      {{"tekken"}, {{kTekkenPattern}, false, true, true}},
      {{"gpt-4o"}, {{kGpt4oPattern}, false, false, false}},
  };
  return kTable;
}

}  // namespace

const WordPattern& word_pattern(const std::string& pre) {
  std::string known;
  for (const NamedPattern& entry : table()) {
    if (std::find(entry.names.begin(), entry.names.end(), pre) != entry.names.end()) {
      return entry.pattern;
    }
    for (const std::string_view name : entry.names) {
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
  }
  throw InputError("pre-tokenizer " + pre + " (tokenizer.ggml.pre) is not known: one of " + known +
                   " expected");
}

}  // namespace kakeya
