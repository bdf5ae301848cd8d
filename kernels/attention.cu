// SPDX-License-Identifier: Apache-2.0
// Decode attention over packed pages. Blocks share a sequence's KV head, their warps take its pages
// in turn and run on their own until all are done; the last block of a head brings the sums of all
// together and takes the Hadamard transform back.
#include <algorithm>

#include "kernels/attention.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

constexpr float kLog2E = 1.44269504f;

/// Warps of a block: as many as have room for their pages.
template <int kDim>
constexpr int kWarps = kDim == 256 ? 8 : 16;

/// A block's shared memory: two pages a warp; afterwards what warps give each other. Then barriers,
/// and what queries are.
template <int kDim, int kSets>
struct AttentionShared {
  static constexpr int kHeads = 4 * kSets, kRoom = 2 * kDim * kPageTokens / 2 + 2 * 4 * kPageTokens;
  static constexpr int kPages = kWarps<kDim> * kRoom;
  static constexpr int kSums = kWarps<kDim> * kHeads * kDim * 4;
  static constexpr int kFirst = kPages > kSums ? kPages : kSums;

  std::uint64_t barrier[2 * kWarps<kDim>];
  float query[kHeads][kDim];    ///< as given
  float rotated[kHeads][kDim];  ///< its Hadamard transform; later sums of values
  std::int8_t digit[kHeads][2][kDim];
  float step[kHeads];  ///< what a unit of a rotated query's number is
  float most[kWarps<kDim>][kHeads], total[kWarps<kDim>][kHeads], share[kWarps<kDim>][kHeads];
  std::uint32_t turn;
};

/// Butterflies over rows of shared memory.
template <int kDim, int kHeads, int kBlock>
__device__ __forceinline__ void transform_rows(float (*row)[kDim]) {
  for (int half = 1; half < kDim; half *= 2) {
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < kHeads * kDim / 2; i += kBlock) {
      const int head = i / (kDim / 2), pair = i % (kDim / 2);
      const int at = pair / half * 2 * half + pair % half;
      const float a = row[head][at], b = row[head][at + half];
      row[head][at] = a + b;
      row[head][at + half] = a - b;
    }
  }
  __syncthreads();
}

__device__ __forceinline__ float scalar_at(const Vectors& x, std::int64_t at) {
  if (x.type == Scalar::fp32) return static_cast<const float*>(x.data)[at];
  const std::uint32_t pattern = static_cast<const std::uint16_t*>(x.data)[at];
  return x.type == Scalar::bf16 ? __uint_as_float(pattern << 16) : half_value(pattern);
}

/// Queries of a KV head: as given, transformed, and as digits.
template <int kDim, int kSets>
__device__ __forceinline__ void load_queries(const AttendCall& call, int sequence, int head,
                                             AttentionShared<kDim, kSets>& shared) {
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim>;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  for (int i = thread; i < kHeads * kDim; i += kBlock) {
    const int g = i / kDim, at = i % kDim;
    float value = 0.0f;
    if (g < call.group) {
      value = scalar_at(call.queries, sequence * call.queries.token_stride +
                                          (head * call.group + g) * call.queries.head_stride + at);
    }
    shared.query[g][at] = value;
    shared.rotated[g][at] = value;
  }
  transform_rows<kDim, kHeads, kBlock>(shared.rotated);
  for (int g = thread / 32; g < kHeads; g += kWarps<kDim>) {
    float most = 0.0f;
    for (int at = lane; at < kDim; at += 32) most = fmaxf(most, fabsf(shared.rotated[g][at]));
    for (int half = 1; half < 32; half *= 2) {
      most = fmaxf(most, __shfl_xor_sync(kAll, most, half));
    }
    const float digits = most > 0.0f ? kMostDigits / most : 0.0f;
    for (int at = lane; at < kDim; at += 32) {
      const auto number = static_cast<std::int32_t>(
          __float_as_uint(__fmaf_rn(shared.rotated[g][at], digits, kShift)) - kShiftPattern);
      const std::int32_t high = (number + 128) >> 8;
      shared.digit[g][0][at] = static_cast<std::int8_t>(high);
      shared.digit[g][1][at] = static_cast<std::int8_t>(number - 256 * high);
    }
    if (lane == 0) shared.step[g] = most / kMostDigits;
  }
  __syncthreads();
}

template <int kDim, int kSets>
__device__ __forceinline__ void load_operands(const AttentionShared<kDim, kSets>& shared, int lane,
                                              QueryOperands<kDim> (&query)[kSets]) {
  const int column = lane / 4, k = lane % 4;
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const std::int8_t* digit = shared.digit[4 * set + column / 2][column % 2];
#pragma unroll
    for (int step = 0; step < kDim / 32; ++step) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int word = 2 * (step / 2) + r;
        std::uint32_t bytes = 0;
#pragma unroll
        for (int byte = 0; byte < 4; ++byte) {
          const int at = key_coordinate(kDim, k, word, byte, step % 2);
          bytes |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(digit[at])) << (8 * byte);
        }
        query[set].word[step][r] = bytes;
      }
    }
  }
}

/// The pages of a sequence that it sees, and those that a warp takes.
struct PageWalk {
  const AttendCall& call;
  const std::int32_t* table;
  int sequence, page, step, end;
  std::int64_t slot;

  /// To the next page from `from` on that there is.
  __device__ __forceinline__ void seek(int from) {
    for (page = from; page < end; page += step) {
      slot = table[page];
      if (slot >= 0 && slot < call.pool.slots) return;
      atomicOr(call.flags + sequence, kBadSlot);
    }
  }
};

/// Tokens of a table or a room, as far as these reach.
__device__ __forceinline__ int tokens_within(const AttendCall& call, int sequence,
                                             std::int64_t tokens, std::int64_t most) {
  if (tokens >= 0 && tokens <= most) return static_cast<int>(tokens);
  atomicOr(call.flags + sequence, kBadLength);
  return tokens < 0 ? 0 : static_cast<int>(most);
}

/// One page: scores, weights, sums of values. `keys` and `values` are copies that were begun; those
/// of the next page are begun as soon as their rooms are free.
template <int kDim, int kSets, bool kE8>
struct PageStep {
  int lane;
  std::uint8_t *key_room, *value_room;
  BulkCopy keys, values;
  QueryOperands<kDim> query[kSets];
  float unit[kSets];  ///< of a score, in powers of two

  __device__ __forceinline__ void start(const AttendCall& call, const PageWalk& at, int head,
                                        bool of_keys) {
    constexpr int kPart = static_cast<int>(page_part_bytes(kDim));
    const std::uint8_t* from = call.pool.data + (at.slot * call.pool.heads + head) * (2 * kPart);
    if (of_keys) {
      keys.start(key_room, from, kPart);
    } else {
      values.start(value_room, from + kPart, kPart);
    }
  }

  __device__ __forceinline__ void run(const AttendCall& call, const PageWalk& now,
                                      const PageWalk& next, int head, int first, int tokens,
                                      Running<kDim> (&running)[kSets]) {
    float score[kSets][8], factor[8], shrink[kSets];
    keys.finish();
    bool good = load_factors(key_room, kDim, lane, factor);
    multiply_keys<kDim, kSets, kE8>(key_room, lane, query, score);
    if (next.page < next.end) start(call, next, head, true);
    const int begin = now.page * kPageTokens;
    const bool whole = begin >= first && begin + kPageTokens <= tokens;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      float most = running[set].most;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int token = begin + lane / 4 + 8 * i;
        score[set][i] *= factor[i] * unit[set];
        if (!whole && (token < first || token >= tokens)) score[set][i] = 2 * kNoScore;
        most = fmaxf(most, score[set][i]);
      }
      most = largest_of_rows(most);
      shrink[set] = power_of_two(running[set].most - most);
      running[set].most = most;
      float total = 0.0f;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        score[set][i] = power_of_two(score[set][i] - most);
        total += score[set][i];
      }
      running[set].total = __fmaf_rn(running[set].total, shrink[set], total);
    }
    values.finish();
    good = load_factors(value_room, kDim, lane, factor) && good;
    WeightOperands weight[kSets];
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
#pragma unroll
      for (int i = 0; i < 8; ++i) score[set][i] *= factor[i];
      weight[set] = weight_operands(score[set], lane);
    }
    add_values<kDim, kSets, kE8>(value_room, lane, weight, shrink, running);
    if (next.page < next.end) start(call, next, head, false);
    if (!good) atomicOr(call.flags + now.sequence, kBadScale);
  }
};

/// Keys and values in bf16: a token a warp, a value a lane and dim / 32. `room`: dim floats of the
/// warp's own.
template <int kDim, int kSets>
__device__ __forceinline__ void add_exact(const AttendCall& call, std::int64_t row, int lane,
                                          const AttentionShared<kDim, kSets>& shared, float* room,
                                          Running<kDim> (&running)[kSets]) {
  constexpr int kEach = kDim / 32;
  float value[kEach], score[kSets] = {};
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const std::int64_t at = row * kDim + lane * kEach + j;
    value[j] = __uint_as_float(static_cast<std::uint32_t>(call.exact_values[at]) << 16);
  }
  for (int g = 0; g < call.group; ++g) {
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int at = lane * kEach + j;
      const float key =
          __uint_as_float(static_cast<std::uint32_t>(call.exact_keys[row * kDim + at]) << 16);
      sum = __fmaf_rn(key, shared.query[g][at], sum);
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
    if (g % 4 == lane % 4) score[g / 4] = sum * call.scale * kLog2E;
  }
  // The values' transform, over dim: its own inverse.
#pragma unroll
  for (int half = 1; half < kEach; half *= 2) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      if ((j & half) != 0) continue;
      const float a = value[j], b = value[j + half];
      value[j] = a + b;
      value[j + half] = a - b;
    }
  }
#pragma unroll
  for (int half = 1; half < 32; half *= 2) {
    const float sign = (lane & half) != 0 ? -1.0f : 1.0f;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      value[j] = __fmaf_rn(value[j], sign, __shfl_xor_sync(kAll, value[j], half));
    }
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < kEach; ++j) room[lane * kEach + j] = value[j] / kDim;
  __syncwarp();
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const float most = fmaxf(running[set].most, score[set]);
    const float shrink = power_of_two(running[set].most - most),
                weight = power_of_two(score[set] - most);
    running[set].most = most;
    running[set].total = __fmaf_rn(running[set].total, shrink, weight);
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) {
      float& sum = running[set].sum[i];
      sum = __fmaf_rn(sum, shrink, weight * room[value_coordinate(i / 2, i % 2, lane / 4)]);
    }
  }
}

/// What the warps of a block have, as one: into the block's part of `partial`, for each head its
/// largest score, its total and its sums.
template <int kDim, int kSets>
__device__ __forceinline__ void join_warps(const AttendCall& call, std::int64_t block, int warp,
                                           int lane, float* sums,
                                           AttentionShared<kDim, kSets>& shared,
                                           const Running<kDim> (&running)[kSets]) {
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim>;
  __syncthreads();  // nobody reads pages any more
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const int g = 4 * set + lane % 4;
    if (lane / 4 == 0) {
      shared.most[warp][g] = running[set].most;
      shared.total[warp][g] = running[set].total;
    }
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) {
      sums[(warp * kHeads + g) * kDim + value_coordinate(i / 2, i % 2, lane / 4)] =
          running[set].sum[i];
    }
  }
  __syncthreads();
  const int thread = static_cast<int>(threadIdx.x);
  float* to = call.partial + block * kHeads * (kDim + 2);
  if (thread < kHeads) {
    float most = kNoScore, total = 0.0f;
    for (int w = 0; w < kWarps<kDim>; ++w) most = fmaxf(most, shared.most[w][thread]);
    for (int w = 0; w < kWarps<kDim>; ++w) {
      shared.share[w][thread] = power_of_two(shared.most[w][thread] - most);
      total = __fmaf_rn(shared.total[w][thread], shared.share[w][thread], total);
    }
    to[thread] = most;
    to[kHeads + thread] = total;
  }
  __syncthreads();
  for (int i = thread; i < call.group * kDim; i += kBlock) {
    const int g = i / kDim;
    float sum = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps<kDim>; ++w) {
      sum = __fmaf_rn(sums[w * kHeads * kDim + i], shared.share[w][g], sum);
    }
    to[2 * kHeads + i] = sum;
  }
}

/// What the blocks of a sequence's head have, as one, and back from the transform.
template <int kDim, int kSets>
__device__ __forceinline__ void join_blocks(const AttendCall& call, int unit, int sequence,
                                            int head, AttentionShared<kDim, kSets>& shared) {
  constexpr int kHeads = 4 * kSets, kBlock = 32 * kWarps<kDim>;
  constexpr std::int64_t kStride = kHeads * (kDim + 2);
  const float* all = call.partial + static_cast<std::int64_t>(unit) * call.splits * kStride;
  for (int i = static_cast<int>(threadIdx.x); i < kHeads * kDim; i += kBlock) {
    const int g = i / kDim;
    float most = kNoScore, total = 0.0f, sum = 0.0f;
    if (g < call.group) {
      for (int s = 0; s < call.splits; ++s) most = fmaxf(most, all[s * kStride + g]);
      for (int s = 0; s < call.splits; ++s) {
        const float share = power_of_two(all[s * kStride + g] - most);
        total = __fmaf_rn(all[s * kStride + kHeads + g], share, total);
        sum = __fmaf_rn(all[s * kStride + 2 * kHeads + i], share, sum);
      }
    }
    shared.rotated[g][i % kDim] = total > 0.0f ? sum / total : 0.0f;
  }
  transform_rows<kDim, kHeads, kBlock>(shared.rotated);
  const Vectors& out = call.out;
  for (int i = static_cast<int>(threadIdx.x); i < call.group * kDim / 8; i += kBlock) {
    const int g = i / (kDim / 8), at = 8 * (i % (kDim / 8));
    store8(out, sequence * out.token_stride + (head * call.group + g) * out.head_stride + at,
           shared.rotated[g] + at, 0x1.fffffep127f);
  }
}

template <int kDim, int kSets, bool kE8>
__global__ void __launch_bounds__(32 * kWarps<kDim>, 1) attend_pages(AttendCall call) {
  using Room = AttentionShared<kDim, kSets>;
  KAKEYA_DYNAMIC_SHARED(memory);
  Room& shared = *reinterpret_cast<Room*>(memory + Room::kFirst);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const auto splits = static_cast<unsigned>(call.splits);
  const int unit = static_cast<int>(blockIdx.x / splits),
            split = static_cast<int>(blockIdx.x % splits);
  const int sequence = unit / call.pool.heads, head = unit % call.pool.heads;

  const int tokens =
      tokens_within(call, sequence, call.packed_tokens[sequence], call.table_stride * kPageTokens);
  const int first =
      call.first_tokens == nullptr
          ? 0
          : tokens_within(call, sequence, call.first_tokens[sequence], 0x7fffffff - kPageTokens);
  std::uint8_t* const rooms = memory + warp * Room::kRoom;
  PageStep<kDim, kSets, kE8> step{lane,
                                  rooms,
                                  rooms + page_part_bytes(kDim),
                                  BulkCopy(shared.barrier + 2 * warp, lane),
                                  BulkCopy(shared.barrier + 2 * warp + 1, lane),
                                  {},
                                  {}};
  __syncthreads();
  const int workers = call.splits * kWarps<kDim>, worker = split * kWarps<kDim> + warp;
  PageWalk now{call,    call.table + sequence * call.table_stride, sequence, 0,
               workers, (tokens + kPageTokens - 1) / kPageTokens,  0};
  now.seek(first / kPageTokens + worker);
  if (now.page < now.end) {
    step.start(call, now, head, true);
    step.start(call, now, head, false);
  }
  load_queries<kDim, kSets>(call, sequence, head, shared);
  load_operands<kDim, kSets>(shared, lane, step.query);
  Running<kDim> running[kSets];
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    step.unit[set] = shared.step[4 * set + lane % 4] * (call.scale * kLog2E * 0.0625f);
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) running[set].sum[i] = 0.0f;
  }
  while (now.page < now.end) {
    PageWalk next = now;
    next.seek(now.page + workers);
    step.run(call, now, next, head, first, tokens, running);
    now.page = next.page, now.slot = next.slot;
  }
#pragma unroll
  for (int set = 0; set < kSets; ++set) running[set].total = sum_of_rows(running[set].total);
  if (call.exact_tokens != nullptr) {
    const int exact = tokens_within(call, sequence, call.exact_tokens[sequence], call.exact_room);
    for (int row = worker; row < exact; row += workers) {
      const std::int64_t at =
          (static_cast<std::int64_t>(sequence) * call.exact_room + row) * call.pool.heads + head;
      add_exact<kDim, kSets>(call, at, lane, shared, reinterpret_cast<float*>(rooms), running);
    }
  }
  join_warps<kDim, kSets>(call, blockIdx.x, warp, lane, reinterpret_cast<float*>(memory), shared,
                          running);

  // The last block that gets here.
  auto* const counters = reinterpret_cast<std::uint32_t*>(
      call.partial + static_cast<std::int64_t>(gridDim.x) * 4 * kSets * (kDim + 2));
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) shared.turn = atomicAdd(counters + unit, 1u);
  __syncthreads();
  if (shared.turn + 1 != splits) return;
  __threadfence();
  join_blocks<kDim, kSets>(call, unit, sequence, head, shared);
  if (threadIdx.x == 0) counters[unit] = 0;
}

template <int kDim, int kSets, bool kE8>
void launch_attend(const AttendCall& call, Stream stream) {
  using Room = AttentionShared<kDim, kSets>;
  constexpr std::size_t kBytes = Room::kFirst + sizeof(Room);
  if (blocks_at_once(attend_pages<kDim, kSets, kE8>, 32 * kWarps<kDim>, kBytes) == 0) {
    throw Error("attention over packed pages takes " + std::to_string(kBytes) +
                " bytes of shared memory a block, more than this GPU lends");
  }
  launch_blocks(attend_pages<kDim, kSets, kE8>,
                static_cast<std::int64_t>(call.batch) * call.pool.heads * call.splits,
                32 * kWarps<kDim>, kBytes, stream, call);
}

template <int kDim>
void attend_dim(const AttendCall& call, Stream stream) {
  const bool e8 = call.lattice == FixedRate::e8;
  if (call.group <= 4) {
    return e8 ? launch_attend<kDim, 1, true>(call, stream)
              : launch_attend<kDim, 1, false>(call, stream);
  }
  e8 ? launch_attend<kDim, 2, true>(call, stream) : launch_attend<kDim, 2, false>(call, stream);
}

}  // namespace

int attend_splits(int batch, int heads, std::int64_t tokens) {
  const int units = batch * heads;
  const std::int64_t pages = (tokens + kPageTokens - 1) / kPageTokens;
  const std::int64_t wanted = std::max(device_facts().multiprocessors / std::max(units, 1), 1);
  return static_cast<int>(std::clamp<std::int64_t>(pages / 4, 1, wanted));
}

std::int64_t attend_workspace_bytes(int batch, int heads, int group, int dim, int splits) {
  const std::int64_t units = static_cast<std::int64_t>(batch) * heads;
  return units * splits * (group <= 4 ? 4 : 8) * (dim + 2) * 4 + units * 4;
}

void attend(const AttendCall& call, Stream stream) {
  if (call.batch == 0) return;
  if (call.pool.dim == 64) return attend_dim<64>(call, stream);
  if (call.pool.dim == 128) return attend_dim<128>(call, stream);
  attend_dim<256>(call, stream);
}

}  // namespace kakeya::kernels
