// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "kakeya/model/tokenizer/tokenizer.h"
#include "kakeya/model/weights/gguf.h"

namespace kakeya {

/// The tokenizer in the metadata of a GGUF file (tokenizer.ggml.*): model gpt2 (byte-level BPE, the
/// words named by tokenizer.ggml.pre; where it is not there, those of llama.cpp's `default`, which
/// describe() says) or llama (SentencePiece BPE by scores). Control, user-defined and unknown
/// tokens are matched in text; the first and last are left out of decoded text. Of gpt2,
/// add_space_prefix is not followed, as in llama.cpp. Throws InputError (another model, an unknown
/// pre-tokenizer, a missing key: named) or CorruptStream (arrays that do not fit together).
std::unique_ptr<Tokenizer> gguf_tokenizer(const GgufFile& file);

}  // namespace kakeya
