// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/byte_alphabet.h"

#include <array>
#include <cstdint>

#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

constexpr std::uint32_t kAlphabetEnd = 256 + 68;

constexpr bool printable(std::uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
         (byte >= 0xAE && byte <= 0xFF);
}

constexpr std::array<std::uint32_t, 256> make_alphabet() {
  std::array<std::uint32_t, 256> alphabet{};
  std::uint32_t next = 256;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    alphabet[byte] = printable(byte) ? byte : next++;
  }
  return alphabet;
}
constexpr std::array<std::uint32_t, 256> kAlphabet = make_alphabet();

// Byte of each character below kAlphabetEnd, 256 where there is none.
constexpr std::array<std::uint16_t, kAlphabetEnd> make_bytes() {
  std::array<std::uint16_t, kAlphabetEnd> bytes{};
  for (auto& each : bytes) each = 256;
  for (std::uint16_t byte = 0; byte < 256; ++byte) bytes[kAlphabet[byte]] = byte;
  return bytes;
}
constexpr std::array<std::uint16_t, kAlphabetEnd> kBytes = make_bytes();

}  // namespace

std::optional<std::string> bytes_of_alphabet(std::string_view token) {
  std::string bytes;
  for (std::size_t at = 0; at < token.size();) {
    const Utf8Char next = utf8_at(token, at);
    if (!next.valid || next.code_point >= kAlphabetEnd || kBytes[next.code_point] > 255) {
      return std::nullopt;
    }
    bytes.push_back(static_cast<char>(kBytes[next.code_point]));
    at += next.byte_count;
  }
  return bytes;
}

std::string alphabet_of_bytes(std::string_view bytes) {
  std::string token;
  for (const char byte : bytes) append_utf8(token, kAlphabet[static_cast<std::uint8_t>(byte)]);
  return token;
}

}  // namespace kakeya
