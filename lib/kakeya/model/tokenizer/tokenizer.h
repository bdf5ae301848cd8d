// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kakeya/core/origin.h"

namespace kakeya {

/// Text to token ids and back, exactly as the model's own tokenizer does. Immutable, thread-safe.
///
/// Bytes that are not UTF-8 count as one U+FFFD each where words are cut, are not normalized, and
/// go to the model as they are: byte-level BPE and byte fallback keep them. A character for which
/// the vocabulary has no token, no bytes and no unknown token is left out, as the models' own
/// tokenizers do (SmolLM2 has no token for 21 of the 256 bytes, none of them printable).
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Ids of `text` (UTF-8). With `add_special`, what the tokenizer itself adds around a text (a
  /// BOS, say). Special tokens written out in the text are matched as such. `progress`, if set, is
  /// called with the bytes done so far.
  virtual std::vector<std::int32_t> encode(
      std::string_view text, bool add_special = true,
      const std::function<void(std::size_t)>& progress = {}) const = 0;

  /// Text of `ids`, special tokens left out. Bytes that are not UTF-8 come back as they are. Throws
  /// InputError naming an id that is not below vocab().
  virtual std::string decode(const std::vector<std::int32_t>& ids) const = 0;

  /// The first special token that `text` has written out, which encode() takes for the token.
  virtual std::optional<std::string> special_in(std::string_view text) const = 0;

  /// The largest id, and one.
  virtual std::size_t vocab() const = 0;

  /// One line: "byte-level BPE, 49152 tokens, pre-tokenizer smollm".
  virtual std::string describe() const = 0;

  /// SHA-256 of what it was made of, where it alone knows that (in a host); empty: of its file.
  virtual std::string sha256() const { return {}; }
};

/// The tokenizer of a model: a Hugging Face folder (its tokenizer.json), a tokenizer.json file, or
/// a .gguf file (its metadata); or of "transformers:NAME", that of the host. Throws IoError, CorruptStream (a damaged file) or InputError (a
/// kind that we do not know: named).
std::unique_ptr<Tokenizer> load_tokenizer(const std::string& path);

/// What records say of the tokenizer that was loaded from `path`: describe(), and the SHA-256 of the
/// file that holds it: tokenizer.json of a folder that has one, else `path` itself. `model_sha256`
/// is the digest of `model` and saves reading that file again. Throws IoError.
Source tokenizer_source(const Tokenizer& tokenizer, const std::string& path,
                        const std::string& model, const std::string& model_sha256);

/// The token that the tokenizer puts before a text, if it is one.
std::optional<std::int32_t> bos_of(const Tokenizer& tokenizer);

}  // namespace kakeya
