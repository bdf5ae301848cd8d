// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pages.h"

// Pages of prefix codes (lib/kakeya/entropy/prefix_coder.h) on the device: launchers of
// prefix_decode.cu and prefix_encode.cu.

namespace kakeya::kernels {

inline constexpr int kPrefixEntries = 2048;   ///< of a group's table: by the next 11 bits
inline constexpr int kPrefixTuples = 625;     ///< 25^2 or 5^4 digits that a codeword may stand for
inline constexpr int kMostPrefixGroups = 64;  ///< of a head: dim 512
inline constexpr int kMostPrefixPlanes = 22;

/// How a group of eight coordinates is coded: its planes (PrefixGroup::planes()), and kPrefixQuads
/// where a codeword has four coordinates, not two.
inline constexpr std::uint8_t kPrefixQuads = 0x80;

/// An entry of a table: bits 0 to 3 are the codeword's length; then its digits, the first the lowest:
/// two of 5 bits, 0 .. 24, or four of 3 bits, 0 .. 4.
constexpr std::uint16_t prefix_entry(int length, bool quads, const std::uint8_t* digits) {
  const int bits = quads ? 3 : 5, count = quads ? 4 : 2;
  int entry = length;
  for (int k = 0; k < count; ++k) entry |= digits[k] << (4 + bits * k);
  return static_cast<std::uint16_t>(entry);
}
/// How digits are written: bits 0 to 10 the codeword, 11 to 14 its length, and from bit 15 on the
/// digits that it stands for, as in prefix_entry(); kPrefixNearest where those are others. Of digits d at
/// d[0] + 25 d[1], or d[0] + 5 d[1] + 25 d[2] + 125 d[3].
inline constexpr std::uint32_t kPrefixNearest = 1u << 31;
constexpr std::uint32_t prefix_putter(std::uint32_t word, int length, bool quads,
                                      const std::uint8_t* digits, bool others) {
  const std::uint32_t entry = prefix_entry(length, quads, digits);
  return word | static_cast<std::uint32_t>(length) << 11 | (entry >> 4) << 15 |
         (others ? kPrefixNearest : 0);
}

/// What pages of prefix codes of all heads hold, in device memory.
struct PrefixPages {
  std::int32_t heads = 0, dim = 0;         ///< dim: a multiple of 8 up to 512
  const std::uint16_t* tables = nullptr;   ///< [heads][dim / 8][kPrefixEntries]
  const std::uint32_t* putters = nullptr;  ///< [heads][dim / 8][kPrefixTuples]
  HeadPlans plans;                         ///< which of all three a head has (Klt::plans)
  const std::uint32_t* counts = nullptr;   ///< Klt::counts
  const std::uint32_t* kinds = nullptr;    ///< [heads][kMostPrefixGroups / 4], a byte a group
};

/// Bytes of device memory that encode_prefix() is lent, a multiple of 256.
std::size_t prefix_encode_workspace(const PagePoints& points, int heads);

/// Writes pages, stream_bytes and streams of all heads: the bytes of PrefixCoder::encode(). Pages have as
/// many vectors as `tokens` tell, of up to 4096; points.vectors is not read. Points that are none of Z, or
/// beyond 2^21, make a page that decodes to something else, or, where it had 2^32 bytes or more, is
/// kPageTooLong and left out; nothing is touched out of bounds. Three kernels.
void encode_prefix(const PrefixPages& codec, const PagePoints& points, std::int64_t tokens,
                   const PageSections& out, void* workspace, std::uint32_t* flags, Stream stream);

/// Bytes of device memory that decode_prefix() and sum_prefix() are lent, a multiple of 256.
std::size_t prefix_decode_workspace(const PagePoints& points, int heads);

/// Decodes as decode_pages(): every value of the room of every page is written, 0 where there is no
/// vector and in pages that PrefixCoder::decode() refuses, whose heads get kBadPage. Pages have as
/// many vectors as `tokens` tell, of up to 4096: points.vectors is not read. Two kernels.
void decode_prefix(const PrefixPages& codec, const PageSections& in, const PagePoints& points,
                   std::int64_t tokens, void* workspace, std::uint32_t* flags, Stream stream);

/// Decodes and adds up the coordinates of each vector, twice: sums[(h * pages + p) * page + t]. That
/// corrections stay within 2^21 is not looked at. For benchmarks. Two kernels.
void sum_prefix(const PrefixPages& codec, const PageSections& in, const PagePoints& points,
                std::int64_t tokens, std::int32_t* sums, void* workspace, std::uint32_t* flags,
                Stream stream);

}  // namespace kakeya::kernels
