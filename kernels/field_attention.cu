// SPDX-License-Identifier: Apache-2.0
// Decode attention over pages of fields: the shape of attention.cu, whose warps take the pages of a
// sequence's KV head in turn, with another page.
#include <algorithm>

#include "kernels/field_attention_joins.cuh"
#include "kernels/field_walk.cuh"
#include "kernels/pages_launch.cuh"

namespace kakeya::kernels {
namespace {

/// One page: scores, weights, sums of values. Keys lie at the beginning of the warp's room and values at its
/// end; those of the next page are begun as soon as there is room for them.
template <int kDim, int kSets>
struct FieldStep {
  int lane;
  std::uint8_t* room;
  int room_bytes;
  FieldWarp<kDim, kSets>& own;
  const FieldShared<kDim, kSets>& shared;
  BulkCopy keys, values;
  float unit[kSets], offset[kSets];  ///< of a score, in powers of two

  __device__ __forceinline__ void start_keys(const FieldWalk& at) {
    keys.start(room, at.keys, at.key_bytes);
  }
  __device__ __forceinline__ void start_values(const FieldWalk& at) {
    values.start(room + room_bytes - at.value_bytes, at.values, at.value_bytes);
  }

  /// Weights of this page's tokens as whole numbers up to `most`, in own.weight, their sums, and what a
  /// unit of them is.
  __device__ __forceinline__ void weigh(float (&score)[kSets][16], float most_number,
                                        FieldRunning<kDim> (&running)[kSets],
                                        std::int32_t (&weights)[kSets], float (&shrink)[kSets],
                                        float (&scale)[kSets]) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      float here = kNoScore;
#pragma unroll
      for (int i = 0; i < 16; ++i) here = fmaxf(here, score[set][i]);
      here = largest_of_rows(here);
      const float most = fmaxf(running[set].most, here);
      shrink[set] = power_of_two(running[set].most - most);
      scale[set] = power_of_two(here - most) * (1.0f / most_number);
      running[set].most = most;
      std::int32_t sum = 0;
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const float weight = power_of_two(score[set][i] - here) * most_number;
        const std::uint32_t number = __float_as_uint(weight + kShift) - kShiftPattern;
        own.weight[lane / 4 + 8 * i][4 * set + lane % 4] = static_cast<std::int16_t>(number);
        sum += static_cast<std::int32_t>(number);
      }
#pragma unroll
      for (int half = 4; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
      weights[set] = sum;
      const float total = __int2float_rn(sum) * scale[set];
      running[set].total = __fmaf_rn(running[set].total, shrink[set], total);
    }
    __syncwarp();
  }

  __device__ __forceinline__ void run(const AttendCall& call, const FieldWalk& now,
                                      const FieldWalk& next, int first, int tokens,
                                      FieldRunning<kDim> (&running)[kSets]) {
    const int begin = now.page * kFieldTokens,
              least = tokens - begin < kFieldTokens ? tokens - begin : kFieldTokens;
    const bool more = next.page < next.end,
               early = more && next.key_bytes <= room_bytes - now.value_bytes;
    float score[kSets][16] = {}, shrink[kSets] = {}, scale[kSets] = {};
    std::int32_t weights[kSets] = {};
    std::uint32_t found = 0;
    bool begun = false;  // the copy of the next keys
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
      const bool of_keys = part == 0;
      if (of_keys) {
        keys.finish();
      } else {
        values.finish();
      }
      if (found != 0) break;
      FieldPage page;
      const int bytes = of_keys ? now.key_bytes : now.value_bytes;
      if (!open_page<kDim>(of_keys ? room : room + room_bytes - bytes, bytes, least, lane,
                           own.groups, page, &found)) {
        continue;
      }
      if (!of_keys) {
        // Sums of fields beyond a byte leave weights fewer bits.
        const float most =
            page.most_levels <= 256 ? 32767.0f : __int2float_rn((1 << 23) / page.most_levels);
        weigh(score, most, running, weights, shrink, scale);
      }
      bool beyond = false;
      const bool good = sum_lists<kDim, kSets>(page, of_keys, lane, own, shared, &beyond);
      if (beyond) found |= kBeyondFields;
      if (!good) found |= kBadPage;
      found = __reduce_or_sync(kAll, found);
      if (!of_keys) {
        std::uint32_t word[kSets][8];
        weight_words<kDim, kSets>(own, lane, word);
        ValueSums<kDim, kSets> sums(own, lane, word);
        take_fields<kDim>(page, own.groups, lane, sums);
#pragma unroll
        for (int i = 0; i < kDim / 8; ++i) {
          const std::int32_t lower = lower_end<kDim>(page, own.groups, i, lane);
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
            const std::uint32_t sum = own.sum[4 * set + lane % 4][8 * i + lane / 4] +
                                      static_cast<std::uint32_t>(lower * weights[set]);
            float& to = running[set].sum[i];
            to = __fmaf_rn(to, shrink[set],
                           __int2float_rn(static_cast<std::int32_t>(sum)) * scale[set]);
          }
        }
        continue;
      }
      KeySums<kDim, kSets> sums(shared, lane);
      take_fields<kDim>(page, own.groups, lane, sums);
      std::int32_t more_each[kSets] = {};
      page_offsets<kDim, kSets>(page, lane, shared, more_each);
      if (early) start_keys(next);
      begun = early;
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          const std::int32_t(&four)[4] = sums.of[set][2 * (i / 4) + i % 2];
          const int row = i % 4 / 2;
          const std::uint32_t sum = own.sum[4 * set + lane % 4][lane / 4 + 8 * i] +
                                    static_cast<std::uint32_t>(more_each[set]) +
                                    static_cast<std::uint32_t>(four[2 * row]) * 256u +
                                    static_cast<std::uint32_t>(four[2 * row + 1]);
          score[set][i] =
              __fmaf_rn(__int2float_rn(static_cast<std::int32_t>(sum)), unit[set], offset[set]);
        }
      }
      if (begin < first || begin + kFieldTokens > tokens) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          const int token = begin + lane / 4 + 8 * i;
          if (token >= first && token < tokens) continue;
#pragma unroll
          for (int set = 0; set < kSets; ++set) score[set][i] = 2 * kNoScore;
        }
      }
      __syncwarp();
    }
    __syncwarp();
    // Where keys were not open their copy has not begun.
    if (more && !begun) start_keys(next);
    if (more) start_values(next);
    if (found != 0) atomicOr(call.flags + now.sequence, found);
  }
};

/// Keys and values in bf16: a token a warp, a value a lane and dim / 32. `room`: dim floats of the warp's own.
template <int kDim, int kSets>
__device__ __forceinline__ void add_plain(const AttendCall& call, const Unit& unit,
                                          std::int64_t row, int lane,
                                          const FieldShared<kDim, kSets>& shared, float* room,
                                          FieldRunning<kDim> (&running)[kSets],
                                          float (&plain)[kSets][kDim / 8]) {
  constexpr int kEach = kDim / 32;
  const auto bf16 = [](std::uint16_t pattern) {
    return __uint_as_float(static_cast<std::uint32_t>(pattern) << 16);
  };
  float score[kSets] = {};
  for (int g = 0; g < unit.count; ++g) {
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int at = lane * kEach + j;
      sum = __fmaf_rn(bf16(call.exact_keys[row * kDim + at]), shared.query[g][at], sum);
    }
#pragma unroll
    for (int half = 1; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
    if (g % 4 == lane % 4) score[g / 4] = sum * call.scale * kLog2E;
  }
  __syncwarp();
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    room[lane * kEach + j] = bf16(call.exact_values[row * kDim + lane * kEach + j]);
  }
  __syncwarp();
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const float most = fmaxf(running[set].most, score[set]);
    const float shrink = power_of_two(running[set].most - most),
                weight = power_of_two(score[set] - most);
    running[set].most = most;
    running[set].total = __fmaf_rn(running[set].total, shrink, weight);
    running[set].packed *= shrink;
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) {
      running[set].sum[i] *= shrink;
      plain[set][i] = __fmaf_rn(plain[set][i], shrink, weight * room[8 * i + lane / 4]);
    }
  }
}

template <int kDim, int kSets>
__global__ void __launch_bounds__(32 * kFieldWarps<kDim, kSets>, 1)
    attend_field_pages(AttendCall call, FieldRoom room, FieldTransforms transforms) {
  using Own = FieldWarp<kDim, kSets>;
  KAKEYA_DYNAMIC_SHARED(memory);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32,
            warps = static_cast<int>(blockDim.x) / 32;
  std::uint8_t* const behind = memory + warps * room.head_bytes;
  auto& own = reinterpret_cast<Own*>(behind)[warp];
  auto& shared = *reinterpret_cast<FieldShared<kDim, kSets>*>(behind + warps * sizeof(Own));
  const auto splits = static_cast<unsigned>(call.splits);
  const Unit unit = unit_of<kSets>(call, static_cast<int>(blockIdx.x / splits));
  const int workers = call.splits * warps,
            worker = static_cast<int>(blockIdx.x % splits) * warps + warp;
  const int sequence = unit.sequence;
  const int tokens =
      tokens_of(call, sequence, call.packed_tokens[sequence], call.table_stride * kFieldTokens);
  const int first =
      call.first_tokens == nullptr
          ? 0
          : tokens_of(call, sequence, call.first_tokens[sequence], 0x7fffffff - kFieldTokens);
  FieldStep<kDim, kSets> step{lane,
                              memory + warp * room.head_bytes,
                              room.head_bytes,
                              own,
                              shared,
                              BulkCopy(shared.barrier + 2 * warp, lane),
                              BulkCopy(shared.barrier + 2 * warp + 1, lane),
                              {},
                              {}};
  FieldWalk now{call, room,    call.table + sequence * call.table_stride,  sequence, unit.head,
                0,    workers, (tokens + kFieldTokens - 1) / kFieldTokens, nullptr,  nullptr,
                0,    0};
  now.seek(first / kFieldTokens + worker);
  if (now.page < now.end) {
    step.start_keys(now);
    step.start_values(now);
  }
  load_field_queries<kDim, kSets>(call, transforms, unit, reinterpret_cast<float*>(behind), shared);
  __syncthreads();
  FieldRunning<kDim> running[kSets];
#pragma unroll
  for (int set = 0; set < kSets; ++set) {
    const int g = 4 * set + lane % 4;
    step.unit[set] = shared.step[g] * (call.scale * kLog2E);
    step.offset[set] = shared.offset[g] * (call.scale * kLog2E);
#pragma unroll
    for (int i = 0; i < kDim / 8; ++i) running[set].sum[i] = 0.0f;
  }
  while (now.page < now.end) {
    FieldWalk next = now;
    next.seek(now.page + workers);
    step.run(call, now, next, first, tokens, running);
    now.page = next.page, now.keys = next.keys, now.values = next.values;
    now.key_bytes = next.key_bytes, now.value_bytes = next.value_bytes;
  }
  float plain[kSets][kDim / 8] = {};
#pragma unroll
  for (int set = 0; set < kSets; ++set) running[set].packed = running[set].total;
  if (call.exact_tokens != nullptr) {
    const ExactRows exact = exact_rows_of(call, sequence);
    // Those that have fewer pages come first.
    for (int row = workers - 1 - worker; row < exact.count; row += workers) {
      const std::int64_t at = (exact.first + row) * call.pool.heads + unit.head;
      add_plain<kDim, kSets>(call, unit, at, lane, shared, reinterpret_cast<float*>(&own.sum[0][0]),
                             running, plain);
    }
  }
  join_field_warps<kDim, kSets>(call, blockIdx.x, warp, warps, lane,
                                reinterpret_cast<float*>(memory), shared, running, plain);

  // The last block that gets here brings all together.
  std::uint32_t* const counter =
      reinterpret_cast<std::uint32_t*>(call.partial + static_cast<std::int64_t>(gridDim.x) *
                                                          kFieldPart<kDim, kSets>) +
      unit.number;
  if (!last_of_unit(counter, splits, shared.turn)) return;
  join_field_blocks<kDim, kSets>(call, transforms, unit, warp, warps, lane,
                                 reinterpret_cast<float*>(memory), shared);
  if (splits > 1 && threadIdx.x == 0) *counter = 0;
}

/// Shared memory of a block of so many warps: their rooms, which at the end hold sums or shares.
template <int kDim, int kSets>
std::size_t shared_bytes(int warps, const FieldRoom& room) {
  return static_cast<std::size_t>(warps) *
             (static_cast<std::size_t>(room.head_bytes) + sizeof(FieldWarp<kDim, kSets>)) +
         sizeof(FieldShared<kDim, kSets>);
}
/// What joins need of the rooms.
template <int kDim, int kSets>
bool rooms_suffice(int warps, const FieldRoom& room) {
  const int sums = warps * 4 * kSets * kDim, joined = join_floats<kDim, kSets>(warps);
  return warps * room.head_bytes >= 4 * std::max(sums, joined);
}

template <int kDim, int kSets>
int warps_for(const FieldRoom& room) {
  int warps = kFieldWarps<kDim, kSets>;
  while (warps > 0 && shared_bytes<kDim, kSets>(warps, room) > kMostSharedBytes) --warps;
  return warps;
}

template <int kDim, int kSets>
void launch_attend_fields(const AttendCall& call, const FieldRoom& room,
                          const FieldTransforms& transforms, Stream stream) {
  const int warps = warps_for<kDim, kSets>(room);
  const std::size_t bytes = shared_bytes<kDim, kSets>(warps, room);
  if (warps == 0 || !rooms_suffice<kDim, kSets>(warps, room) ||
      blocks_at_once(attend_field_pages<kDim, kSets>, 32 * warps, bytes) == 0) {
    throw Error(
        "attention over pages of fields: " + std::to_string(room.head_bytes) +
        " bytes for a head's keys and values of 128 tokens, expected such as a block's shared "
        "memory has room for");
  }
  const std::int64_t units = units_of(call.batch, call.pool.heads, call.group);
  launch_blocks(attend_field_pages<kDim, kSets>, units * call.splits, 32 * warps, bytes, stream,
                call, room, transforms);
}

}  // namespace

// Pages take a warp about four times as long as 64 tokens of nibbles.
int attend_fields_splits(int batch, int heads, int group, int dim, std::int64_t tokens) {
  return best_splits(units_of(batch, heads, group),
                     4 * static_cast<double>(tokens) / kFieldTokens * dim / 128);
}

std::int64_t attend_fields_workspace_bytes(int batch, int heads, int group, int dim, int splits) {
  return workspace_bytes(units_of(batch, heads, group), splits, group, 2 * dim + 3);
}

void attend_fields(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                   Stream stream) {
  if (call.batch == 0) return;
  with_head_dim(call, [&](auto dim, auto sets) {
    launch_attend_fields<dim(), sets()>(call, room, transforms, stream);
  });
}

}  // namespace kakeya::kernels
