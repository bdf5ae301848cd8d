// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kakeya {

// Attention of a few queries over the keys and values of one head, on a CPU and in float32: what a step
// of one token does with what it has just decoded. LibTorch's products pack their operands first, which
// costs more than so few products.
//
// Vectors are `stride` floats apart, a multiple of 16, from dim on zeros. Sums are added in sixteen
// interleaved parts, whatever the processor has: the same bits on each.

inline constexpr std::size_t kAttendLanes = 16;

/// The floats that vectors of `dim` take: the next multiple of 16.
constexpr std::size_t attend_stride(std::size_t dim) {
  return (dim + kAttendLanes - 1) / kAttendLanes * kAttendLanes;
}

/// Rounds numbers to bfloat16.
void round_rows(float* rows, std::size_t count);

/// rotate_half() (decoder_ops.h) of `count` vectors in place, with its bits; cos and sin: [count, dim /
/// 2]. `bf16`: rounded afterwards.
void rotate_rows(float* rows, std::size_t count, std::size_t dim, const float* cos,
                 const float* sin, bool bf16);

/// scores[q * room + t] = the product of query q, [queries, stride], and key t, for all `count` keys. `keys`
/// and `scores` are read and written up to the next multiple of 16 keys.
void score_rows(const float* queries, std::size_t query_count, const float* keys, std::size_t count,
                std::size_t stride, float* scores, std::size_t room);

/// Tokens that are added up before their sum joins the others': an error grows with the longer of the two sums.
inline constexpr std::size_t kWeighedTogether = 32;

/// Adds weights[q * room + t] times value t to query q, for all `count` values, the first of which is number
/// `before`. Groups of kWeighedTogether that are whole go to `sums`, what is begun stays in `open`, both [queries,
/// stride]: so sums have the same bits wherever the pages that values come in end. add_begun() comes last.
void weigh_rows(const float* weights, std::size_t room, std::size_t query_count,
                const float* values, std::size_t before, std::size_t count, std::size_t stride,
                float* sums, float* open);

/// What `count` values left in `open`, added to sums.
void add_begun(std::size_t count, std::size_t query_count, std::size_t stride, float* sums,
               const float* open);

}  // namespace kakeya
