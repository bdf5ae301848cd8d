// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "kakeya/model/tokenizer/tokenizer.h"

namespace kakeya {

/// The tokenizer of a tokenizer.json (Hugging Face tokenizers): models BPE and Unigram. Its
/// truncation and padding are settings of a training run and not followed. Throws IoError,
/// CorruptStream (no JSON, a key missing or of the wrong kind, a merge of tokens that are not
/// there) or InputError (a component or option that it does not know).
std::unique_ptr<Tokenizer> load_json_tokenizer(const std::string& path);

}  // namespace kakeya
