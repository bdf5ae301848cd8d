// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/model/tokenizer/added_tokens.h"
#include "kakeya/model/tokenizer/normalizer.h"
#include "kakeya/model/tokenizer/pre_tokenizer.h"
#include "kakeya/model/tokenizer/token_decoder.h"
#include "kakeya/model/tokenizer/token_model.h"
#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// A tokenizer in parts, in the order in which text goes through them: added tokens are cut out,
/// what lies between is normalized, cut into words, and each word becomes ids.
struct TokenPipeline {
  std::vector<AddedToken> added;
  std::unique_ptr<Normalizer> normalizer;       ///< null: none
  std::unique_ptr<PreTokenizer> pre_tokenizer;  ///< null: the whole text is one word
  std::unique_ptr<TokenModel> model;
  std::vector<std::int32_t> before, after;  ///< ids that add_special puts around a text
  std::vector<std::string> tokens;          ///< by id, as the vocabulary writes them
  std::unique_ptr<TokenDecoder> decoder;
  std::string description;
};

/// The caller provides a model, a decoder, and ids below tokens.size() everywhere.
std::unique_ptr<Tokenizer> make_pipeline_tokenizer(TokenPipeline pipeline);

}  // namespace kakeya
