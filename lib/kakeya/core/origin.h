// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kakeya {

/// Something that data were made with: what it is called, and the SHA-256 of its bytes, hexadecimal
/// (empty where nobody took it).
struct Source {
  std::string name, sha256;
  bool operator==(const Source&) const = default;
};

/// Name and digest in one text, as records keep a tokenizer: "NAME, sha256 DIGEST"; the name alone
/// where there is no digest. And back.
std::string described(const Source& source);
Source parse_source(std::string_view text);

/// Where data come from.
struct Origin {
  Source model, text, tokenizer;
  std::string architecture;  ///< of the model: "llama", "qwen3", ...
  bool operator==(const Origin&) const = default;
};

}  // namespace kakeya
