// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kakeya/model/tokenizer/normalizer.h"
#include "kakeya/model/tokenizer/pre_tokenizer.h"
#include "kakeya/model/tokenizer/token_decoder.h"

namespace kakeya {

/// The parts of a tokenizer.json that are not its model. Each function takes the part as it stands
/// in the file (null where it may be absent) and throws InputError naming a type or an option that
/// is not known here; a key of the wrong kind is an nlohmann::json::exception.

/// A token id: a whole number that fits (else CorruptStream; the caller checks it against the
/// vocabulary).
std::int32_t token_id_of(const nlohmann::json& value);

std::unique_ptr<Normalizer> normalizer_of(const nlohmann::json& part);

struct PreTokenizerPart {
  std::unique_ptr<PreTokenizer> pre_tokenizer;  ///< null: none
  bool byte_level = false;                      ///< words become bytes
  std::string description;                      ///< "Digits+ByteLevel"
};
PreTokenizerPart pre_tokenizer_of(const nlohmann::json& part);

/// Without a decoder the tokens of a text are joined by spaces.
std::unique_ptr<TokenDecoder> decoder_of(const nlohmann::json& part);

/// Ids that are put around a text.
struct Surroundings {
  std::vector<std::int32_t> before, after;
};
Surroundings surroundings_of(const nlohmann::json& part);

}  // namespace kakeya
