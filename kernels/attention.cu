// SPDX-License-Identifier: Apache-2.0
// Decode attention over packed pages. Blocks share a sequence's KV head, their warps take its pages
// in turn and run on their own until all are done; the last block of a head brings the sums of all
// together and takes the Hadamard transform back, where pages are of transforms.
#include "kernels/attention_joins.cuh"
#include "kernels/byte_attention.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

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

/// One page: scores, weights, sums of values. `keys` and `values` are copies that were begun; those
/// of the next page are begun as soon as their rooms are free.
template <typename Pages, int kSets>
struct PageStep {
  static constexpr int kDim = Pages::kDim;
  int lane;
  std::uint8_t *key_room, *value_room;
  BulkCopy keys, values;
  typename Pages::Query query[kSets];
  float unit[kSets];  ///< of a score, in powers of two

  __device__ __forceinline__ void start(const AttendCall& call, const PageWalk& at, int head,
                                        bool of_keys) {
    constexpr int kPart = Pages::kPartBytes;
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
    float score[kSets][8], shrink[kSets];
    keys.finish();
    std::uint32_t found = Pages::template scores<kSets>(key_room, lane, query, unit, score);
    if (next.page < next.end) start(call, next, head, true);
    const int begin = now.page * kPageTokens;
    const bool whole = begin >= first && begin + kPageTokens <= tokens;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      float most = running[set].most;
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int token = begin + lane / 4 + 8 * i;
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
    found |= Pages::template add<kSets>(value_room, lane, score, shrink, running);
    if (next.page < next.end) start(call, next, head, false);
    if (found != 0) atomicOr(call.flags + now.sequence, found);
  }
};

/// Keys and values in bf16: a token a warp, a value a lane and dim / 32. `room`: dim floats of the
/// warp's own.
template <typename Pages, int kSets>
__device__ __forceinline__ void add_exact(const AttendCall& call, const Unit& unit,
                                          std::int64_t row, int lane,
                                          const AttentionShared<Pages, kSets>& shared, float* room,
                                          Running<Pages::kDim> (&running)[kSets]) {
  constexpr int kDim = Pages::kDim, kEach = kDim / 32;
  float value[kEach], score[kSets] = {};
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const std::int64_t at = row * kDim + lane * kEach + j;
    value[j] = __uint_as_float(static_cast<std::uint32_t>(call.exact_values[at]) << 16);
  }
  for (int g = 0; g < unit.count; ++g) {
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
  Pages::turn(value, lane);
  __syncwarp();
#pragma unroll
  for (int j = 0; j < kEach; ++j) room[lane * kEach + j] = value[j] * Pages::kBack;
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
      sum = __fmaf_rn(sum, shrink, weight * room[Pages::coordinate(i / 2, i % 2, lane / 4)]);
    }
  }
}

template <typename Pages, int kSets>
__global__ void __launch_bounds__(32 * Pages::template kWarps<kSets>, 1)
    attend_pages(AttendCall call) {
  using Room = AttentionShared<Pages, kSets>;
  constexpr int kDim = Pages::kDim, kWarps = Room::kWarps;
  KAKEYA_DYNAMIC_SHARED(memory);
  Room& shared = *reinterpret_cast<Room*>(memory + Room::kFirst);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const auto splits = static_cast<unsigned>(call.splits);
  const auto split = static_cast<int>(blockIdx.x % splits);
  const Unit unit = unit_of<kSets>(call, static_cast<int>(blockIdx.x / splits));
  const int sequence = unit.sequence, head = unit.head;
  const int workers = call.splits * kWarps, worker = split * kWarps + warp;
  const int tokens =
      tokens_of(call, sequence, call.packed_tokens[sequence], call.table_stride * kPageTokens);
  const int first =
      call.first_tokens == nullptr
          ? 0
          : tokens_of(call, sequence, call.first_tokens[sequence], 0x7fffffff - kPageTokens);
  std::uint8_t* const rooms = memory + warp * Room::kRoom;
  PageStep<Pages, kSets> step{lane,
                              rooms,
                              rooms + Pages::kPartBytes,
                              BulkCopy(shared.barrier + 2 * warp, lane),
                              BulkCopy(shared.barrier + 2 * warp + 1, lane),
                              {},
                              {}};
  PageWalk now{call,    call.table + sequence * call.table_stride, sequence, 0,
               workers, (tokens + kPageTokens - 1) / kPageTokens,  0};
  now.seek(first / kPageTokens + worker);
  if (now.page < now.end) {
    step.start(call, now, head, true);
    step.start(call, now, head, false);
  }
  load_queries<Pages, kSets>(call, unit, warp, lane, shared);
  __syncthreads();
  load_operands<Pages, kSets>(shared, lane, step.query);
  Running<kDim> running[kSets];
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    step.unit[set] = shared.step[4 * set + lane % 4] * (call.scale * kLog2E * Pages::kUnit);
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
    const ExactRows exact = exact_rows_of(call, sequence);
    // Those that have fewer pages come first.
    for (int row = workers - 1 - worker; row < exact.count; row += workers) {
      const std::int64_t at = (exact.first + row) * call.pool.heads + head;
      add_exact<Pages, kSets>(call, unit, at, lane, shared, reinterpret_cast<float*>(rooms),
                              running);
    }
  }
  join_warps<Pages, kSets>(call, blockIdx.x, warp, lane, reinterpret_cast<float*>(memory), shared,
                           running);

  // The last block that gets here brings all together.
  std::uint32_t* const counter =
      reinterpret_cast<std::uint32_t*>(call.partial +
                                       static_cast<std::int64_t>(gridDim.x) * kPart<kDim, kSets>) +
      unit.number;
  if (!last_of_unit(counter, splits, shared.turn)) return;
  join_blocks<Pages, kSets>(call, unit, warp, lane, reinterpret_cast<float*>(memory), shared);
  if (splits > 1 && threadIdx.x == 0) *counter = 0;
}

template <typename Pages, int kSets>
void launch_attend(const AttendCall& call, Stream stream) {
  using Room = AttentionShared<Pages, kSets>;
  constexpr int kThreads = 32 * Room::kWarps;
  constexpr std::size_t kBytes = Room::kFirst + sizeof(Room);
  if (blocks_at_once(attend_pages<Pages, kSets>, kThreads, kBytes) == 0) {
    throw Error("attention over packed pages takes " + std::to_string(kBytes) +
                " bytes of shared memory a block, more than this GPU lends");
  }
  const std::int64_t units = units_of(call.batch, call.pool.heads, call.group);
  launch_blocks(attend_pages<Pages, kSets>, units * call.splits, kThreads, kBytes, stream, call);
}

}  // namespace

// Pages of bytes are read in twice the time that nibbles take.
int attend_splits(const PagePool& pool, int batch, int group, std::int64_t tokens) {
  return best_splits(
      units_of(batch, pool.heads, group),
      (pool.bytes ? 2 : 1) * static_cast<double>(tokens) / kPageTokens * pool.dim / 128);
}

std::int64_t attend_workspace_bytes(int batch, int heads, int group, int dim, int splits) {
  return workspace_bytes(units_of(batch, heads, group), splits, group, dim + 2);
}

void attend(const AttendCall& call, Stream stream) {
  if (call.batch == 0) return;
  with_head_dim(call, [&](auto dim, auto sets) {
    if (call.pool.bytes) return launch_attend<BytePages<dim()>, sets()>(call, stream);
    if (call.lattice == FixedRate::e8) {
      return launch_attend<NibblePages<dim(), true>, sets()>(call, stream);
    }
    launch_attend<NibblePages<dim(), false>, sets()>(call, stream);
  });
}

}  // namespace kakeya::kernels
