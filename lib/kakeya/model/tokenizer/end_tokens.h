// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kakeya {

/// The tokens after which a model has said all it wanted, ascending: of a .gguf file
/// `tokenizer.ggml.eos_token_id` and `.eot_token_id`, of a Hugging Face folder `eos_token_id` of
/// generation_config.json or else config.json, one or several; what the host says of
/// "transformers:NAME". Empty where none is named. Throws
/// IoError, CorruptStream on a damaged file and InputError on an id that is none.
std::vector<std::int32_t> end_tokens_of(const std::string& model);

}  // namespace kakeya
