// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/prefix.h"
#include "kernels/warp.cuh"

// What a page of prefix codes is written with: codewords of digits, and what they cost.

namespace kakeya::kernels {
namespace {

constexpr std::int32_t kMostPrefixCorrection = 1023;

/// PrefixGroup::nearest() of coordinates [first, first + count) of a group: the putter, and the coordinates
/// that it stands for.
template <int kCount>
__device__ __forceinline__ std::uint32_t put_digits(const std::uint32_t* putters,
                                                    std::uint32_t kind, const std::int32_t* v,
                                                    std::int32_t* near) {
  constexpr std::int32_t kBase = kCount == 4 ? 5 : 25;
  const int low_bits = static_cast<int>(kind & 0x7f) - 1;
  const bool in_planes = kCount == 2 && low_bits >= 0;
  std::int32_t within[kCount], index = 0;
#pragma unroll
  for (int k = kCount; k-- > 0;) {
    const std::int32_t most = in_planes ? (kBase << low_bits) - 1 : kBase / 2,
                       least = in_planes ? ~most : -most;
    within[k] = v[k] < least ? least : (v[k] > most ? most : v[k]);
    const std::int32_t digit =
        in_planes ? (within[k] < 0 ? ~within[k] : within[k]) >> low_bits : within[k] + kBase / 2;
    index = index * kBase + digit;
  }
  const std::uint32_t putter = __ldg(putters + index);
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const auto digit = static_cast<std::int32_t>(kCount == 4 ? putter >> (15 + 3 * k) & 7
                                                             : putter >> (15 + 5 * k) & 31);
    if (in_planes) {
      const std::int32_t u = within[k] < 0 ? ~within[k] : within[k],
                         made = digit << low_bits | (u & ((1 << low_bits) - 1));
      near[k] = within[k] < 0 ? ~made : made;
    } else {
      near[k] = digit - kBase / 2;
    }
  }
  return putter;
}

/// Calls put(word, length) for the codewords of a group, and sets `near` to what they stand for.
template <typename Put>
__device__ __forceinline__ void put_group(const std::uint32_t* putters, std::uint32_t kind,
                                          const std::int32_t (&v)[8], std::int32_t (&near)[8],
                                          const Put& put) {
  const auto give = [&](std::uint32_t putter) {
    put(putter & 2047, static_cast<int>(putter >> 11 & 15));
  };
  if ((kind & kPrefixQuads) != 0) {
#pragma unroll
    for (int k = 0; k < 8; k += 4) give(put_digits<4>(putters, kind, v + k, near + k));
  } else {
#pragma unroll
    for (int k = 0; k < 8; k += 2) give(put_digits<2>(putters, kind, v + k, near + k));
  }
}

/// How many corrections add up to so much.
__device__ __forceinline__ std::uint32_t corrections_of(std::int32_t left) {
  const std::uint32_t size = static_cast<std::uint32_t>(left < 0 ? -left : left);
  return (size + kMostPrefixCorrection - 1) / kMostPrefixCorrection;
}

/// PrefixCoder::most_bits() of a lane's vector.
__device__ inline std::uint64_t prefix_bits(const PrefixPages& codec, std::int64_t head,
                                            const std::int32_t* vector) {
  const std::uint32_t* const kinds = codec.kinds + head * (kMostPrefixGroups / 4);
  const std::uint32_t* const putters = codec.putters + head * (codec.dim / 8) * kPrefixTuples;
  std::uint64_t bits = 0;
  for (int g = 0; g < codec.dim / 8; ++g) {
    const std::uint32_t kind = kinds[g / 4] >> (8 * (g % 4)) & 0xff;
    std::int32_t v[8], near[8];
#pragma unroll
    for (int c = 0; c < 8; ++c) v[c] = vector[32 * (8 * g + c)] / 2;
    put_group(putters + g * kPrefixTuples, kind, v, near,
              [&](std::uint32_t, int length) { bits += static_cast<std::uint64_t>(length); });
    bits += 8 * (kind & 0x7f);
#pragma unroll
    for (int c = 0; c < 8; ++c) bits += std::uint64_t{32} * corrections_of(v[c] - near[c]);
  }
  return bits;
}

}  // namespace
}  // namespace kakeya::kernels
