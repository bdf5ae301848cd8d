// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kakeya {

/// Byte-level vocabularies write each byte as one printable character: printable Latin-1 stands for
/// itself, the other 68 bytes for U+0100 and up in order (a space is U+0120). Radford et al. 2019,
/// GPT-2, bytes_to_unicode.

/// The bytes that `token` writes; nothing where it has a character outside the alphabet.
std::optional<std::string> bytes_of_alphabet(std::string_view token);

/// `bytes` written in the alphabet.
std::string alphabet_of_bytes(std::string_view bytes);

}  // namespace kakeya
