// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace kakeya {

/// One step from tokens as the vocabulary writes them back to text: rewrites the list in place; the
/// text is what is left, joined. Immutable, thread-safe. Bytes come out as they went in, UTF-8 or
/// not.
class TokenDecoder {
 public:
  virtual ~TokenDecoder() = default;
  virtual void apply(std::vector<std::string>& tokens) const = 0;
};

/// Tokens of the byte alphabet to bytes; a token with other characters stays.
std::unique_ptr<TokenDecoder> make_byte_level_decoder();

/// "<0x41>" becomes "A".
std::unique_ptr<TokenDecoder> make_byte_fallback_decoder();

/// In each token, every `pattern` (not empty, else InputError) becomes `content`.
std::unique_ptr<TokenDecoder> make_replace_decoder(std::string pattern, std::string content);

/// All tokens become one.
std::unique_ptr<TokenDecoder> make_fuse_decoder();

/// Takes up to `first` times `content` off the front of each token and up to `last` off its end.
std::unique_ptr<TokenDecoder> make_strip_decoder(std::string content, std::size_t first,
                                                 std::size_t last);

/// Marks become spaces; with `prefixed`, those of the first token vanish.
std::unique_ptr<TokenDecoder> make_metaspace_decoder(std::string mark, bool prefixed);

/// A space between any two tokens: what Hugging Face does where no decoder is named.
std::unique_ptr<TokenDecoder> make_spacing_decoder();

/// One after the other.
std::unique_ptr<TokenDecoder> make_decoder_sequence(
    std::vector<std::unique_ptr<TokenDecoder>> steps);

/// The byte that a token such as "<0x41>" stands for; -1 for any other text.
int byte_of_token(const std::string& token);

}  // namespace kakeya
