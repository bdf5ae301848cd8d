// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/prefix.h"
#include "kernels/warp.cuh"

// What a page of prefix codes is written with: codewords of digits, and what they cost.

namespace kakeya::kernels {
namespace {

constexpr std::int32_t kMostPrefixCorrection = 1023;

/// The putter of coordinates v of a group; `within`: these, or the nearest that have a digit.
template <int kCount>
__device__ __forceinline__ std::uint32_t put_digits(const std::uint32_t* putters,
                                                    std::uint32_t kind, const std::int32_t* v,
                                                    std::int32_t* within) {
  constexpr std::int32_t kBase = kCount == 4 ? 5 : 25;
  const int low_bits = static_cast<int>(kind & 0x7f) - 1;
  std::int32_t index = 0;
#pragma unroll
  for (int k = kCount; k-- > 0;) {
    std::int32_t digit;
    if (kCount == 2 && low_bits >= 0) {
      const std::int32_t most = (kBase << low_bits) - 1;
      within[k] = v[k] < ~most ? ~most : (v[k] > most ? most : v[k]);
      digit = (within[k] ^ within[k] >> 31) >> low_bits;
    } else {
      within[k] = v[k] < -(kBase / 2) ? -(kBase / 2) : (v[k] > kBase / 2 ? kBase / 2 : v[k]);
      digit = within[k] + kBase / 2;
    }
    index = index * kBase + digit;
  }
  return putters[index];
}

/// What coordinate k of a putter stands for where it has `within`: PrefixGroup::nearest().
template <int kCount>
__device__ __forceinline__ std::int32_t near_of(std::uint32_t putter, std::uint32_t kind, int k,
                                                std::int32_t within) {
  const int low_bits = static_cast<int>(kind & 0x7f) - 1;
  const auto digit = static_cast<std::int32_t>(kCount == 4 ? putter >> (15 + 3 * k) & 7
                                                           : putter >> (15 + 5 * k) & 31);
  if (kCount == 4 || low_bits < 0) return digit - (kCount == 4 ? 2 : 12);
  const std::int32_t sign = within >> 31;
  return (digit << low_bits | ((within ^ sign) & ((1 << low_bits) - 1))) ^ sign;
}

/// How many corrections add up to so much.
__device__ __forceinline__ std::uint32_t corrections_of(std::int32_t left) {
  const std::uint32_t size = static_cast<std::uint32_t>(left < 0 ? -left : left);
  return (size + kMostPrefixCorrection - 1) / kMostPrefixCorrection;
}

/// Calls put(word, length) for the codewords of a group, `within` as put_digits(), and correct(coordinate, how
/// much is missing) where a codeword stands for something else.
template <int kCount, typename Put, typename Correct>
__device__ __forceinline__ void put_tuples(const std::uint32_t* putters, std::uint32_t kind,
                                           const std::int32_t (&v)[8], std::int32_t (&within)[8],
                                           const Put& put, const Correct& correct) {
#pragma unroll
  for (int first = 0; first < 8; first += kCount) {
    const std::uint32_t putter = put_digits<kCount>(putters, kind, v + first, within + first);
    put(putter & 2047, static_cast<int>(putter >> 11 & 15));
    bool other = putter >= kPrefixNearest;
#pragma unroll
    for (int k = first; k < first + kCount; ++k) other = other || v[k] != within[k];
    if (!other) continue;
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      correct(first + k, v[first + k] - near_of<kCount>(putter, kind, k, within[first + k]));
    }
  }
}
template <typename Put, typename Correct>
__device__ __forceinline__ void put_group(const std::uint32_t* putters, std::uint32_t kind,
                                          const std::int32_t (&v)[8], std::int32_t (&within)[8],
                                          const Put& put, const Correct& correct) {
  if ((kind & kPrefixQuads) != 0) {
    put_tuples<4>(putters, kind, v, within, put, correct);
  } else {
    put_tuples<2>(putters, kind, v, within, put, correct);
  }
}

/// PrefixCoder::most_bits() of a lane's vector.
__device__ inline std::uint64_t prefix_bits(const PrefixPages& codec, std::int64_t head,
                                            const PointMemory& vector) {
  const std::uint32_t* const kinds = codec.kinds + head * (kMostPrefixGroups / 4);
  const std::uint32_t* const putters = codec.putters + head * (codec.dim / 8) * kPrefixTuples;
  std::uint64_t bits = 0;
  for (int g = 0; g < codec.dim / 8; ++g) {
    const std::uint32_t kind = kinds[g / 4] >> (8 * (g % 4)) & 0xff;
    std::int32_t v[8], within[8];
    vector.from(32 * 8 * g).get(32, v);
#pragma unroll
    for (int c = 0; c < 8; ++c) v[c] /= 2;
    put_group(
        putters + g * kPrefixTuples, kind, v, within,
        [&](std::uint32_t, int length) { bits += static_cast<std::uint64_t>(length); },
        [&](int, std::int32_t left) { bits += std::uint64_t{32} * corrections_of(left); });
    bits += 8 * (kind & 0x7f);
  }
  return bits;
}

}  // namespace
}  // namespace kakeya::kernels
