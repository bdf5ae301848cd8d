// SPDX-License-Identifier: Apache-2.0
// Two implementations of one checksum: tables, and the instruction of x86-64 with SSE4.2.
#include "kakeya/bitstream/crc32c.h"

#include <array>
#include <cstring>

#include "kakeya/core/extension.h"

namespace kakeya {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: what byte b contributes when k more bytes follow it ("slicing by 8").
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1u) != 0 ? 0x82F63B78u : 0u);
    tables[0][byte] = rest;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xffu];
    }
  }
  return tables;
}
constexpr Tables kTables = make_tables();

// The remainder `crc` followed by `bytes`.
std::uint32_t by_tables(std::uint32_t crc, std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= kTables[7 - k][(word >> (8 * k)) & 0xffu];
  }
  for (; left != 0; --left, ++at) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xffu];
  }
  return crc;
}

#if defined(__x86_64__)
// The instruction takes eight bytes a cycle but three cycles until its result, so three chunks side
// by side. Remainders are linear: that of a chunk begun at 0, plus what becomes of the remainder
// before it behind as many zeros.
constexpr std::size_t kChunk = 1024;

// A linear map of remainders, by the images of its bits, and by those of each byte's values.
using Columns = std::array<std::uint32_t, 32>;
using Bytes = std::array<std::array<std::uint32_t, 256>, 4>;

constexpr std::uint32_t image(const Columns& map, std::uint32_t crc) {
  std::uint32_t sum = 0;
  for (std::size_t bit = 0; bit < 32; ++bit) sum ^= (crc >> bit & 1u) != 0 ? map[bit] : 0;
  return sum;
}

constexpr Bytes behind_a_chunk_of_zeros() {
  Columns map{};
  for (std::size_t bit = 0; bit < 32; ++bit) {  // behind one byte
    const std::uint32_t crc = std::uint32_t{1} << bit;
    map[bit] = (crc >> 8) ^ kTables[0][crc & 0xffu];
  }
  for (std::size_t bytes = 1; bytes < kChunk; bytes *= 2) {
    Columns twice{};
    for (std::size_t bit = 0; bit < 32; ++bit) twice[bit] = image(map, map[bit]);
    map = twice;
  }
  Bytes tables{};
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) tables[k][byte] = image(map, byte << (8 * k));
  }
  return tables;
}
constexpr Bytes kZeros = behind_a_chunk_of_zeros();

std::uint64_t append_zeros(std::uint64_t crc) {
  return kZeros[0][crc & 0xffu] ^ kZeros[1][crc >> 8 & 0xffu] ^ kZeros[2][crc >> 16 & 0xffu] ^
         kZeros[3][crc >> 24 & 0xffu];
}

std::uint64_t word_at(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

[[gnu::target("sse4.2")]] std::uint32_t by_instruction(std::uint32_t begin,
                                                       std::span<const std::byte> bytes) {
  std::uint64_t crc = begin;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 3 * kChunk; left -= 3 * kChunk, at += 3 * kChunk) {
    std::uint64_t second = 0, third = 0;
    for (std::size_t i = 0; i < kChunk; i += 8) {
      crc = __builtin_ia32_crc32di(crc, word_at(at + i));
      second = __builtin_ia32_crc32di(second, word_at(at + kChunk + i));
      third = __builtin_ia32_crc32di(third, word_at(at + 2 * kChunk + i));
    }
    crc = append_zeros(append_zeros(crc) ^ second) ^ third;
  }
  for (; left >= 8; left -= 8, at += 8) crc = __builtin_ia32_crc32di(crc, word_at(at));
  for (; left != 0; --left, ++at) {
    crc =
        __builtin_ia32_crc32qi(static_cast<std::uint32_t>(crc), std::to_integer<std::uint8_t>(*at));
  }
  return static_cast<std::uint32_t>(crc);
}
#else
constexpr auto* by_instruction = by_tables;
#endif

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  const bool instruction = extension_in_use() >= Extension::sse42;
  return ~(instruction ? by_instruction(0xffffffffu, bytes) : by_tables(0xffffffffu, bytes));
}

}  // namespace kakeya
