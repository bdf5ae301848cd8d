// SPDX-License-Identifier: Apache-2.0
// Decode attention over pages of fields: the shape of attention.cu, whose warps take the pages of a
// sequence's KV head in turn, with another page.
#include "kernels/field_attention_body.cuh"
#include "kernels/slot_steps.cuh"

namespace kakeya::kernels {
namespace {

/// One page: scores, weights, sums of values. Keys lie at the beginning of the warp's room and values at its
/// end; those of the next page are begun as soon as there is room for them.
template <int kOfDim, int kOfSets>
struct FieldStep {
  static constexpr int kDim = kOfDim, kSets = kOfSets, kMostWarps = kFieldWarps<kDim, kSets>;
  using Own = FieldWarp<kDim, kSets>;
  using Shared = FieldShared<kDim, kSets>;

  int lane;
  std::uint8_t* room;
  int room_bytes;
  Own& own;
  const Shared& shared;
  BulkCopy keys, values;
  float unit[kSets], offset[kSets];  ///< of a score, in powers of two

  __device__ __forceinline__ void start_keys(const FieldWalk& at) {
    keys.start(room, at.keys, at.key_bytes);
  }
  __device__ __forceinline__ void start_values(const FieldWalk& at) {
    values.start(room + room_bytes - at.value_bytes, at.values, at.value_bytes);
  }

  __device__ __forceinline__ void start(const FieldWalk& first) {
    start_keys(first);
    start_values(first);
  }
  /// kDim of the warp's own, between pages.
  __device__ __forceinline__ float* floats() { return reinterpret_cast<float*>(&own.sum[0][0]); }

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
      const std::uint8_t* const page_begin = of_keys ? room : room + room_bytes - bytes;
      if (!has_step(now.room, page_begin + bytes)) {
        found = kBadPage;
        continue;
      }
      if (!open_page<kDim>(page_begin, bytes_before_step(now.room, bytes), least, lane, own.groups,
                           page, &found)) {
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
        const float factor = factor_before(now.room, room + room_bytes);
#pragma unroll
        for (int set = 0; set < kSets; ++set) scale[set] *= factor;
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
      const float factor = factor_before(now.room, room + now.key_bytes);
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
          score[set][i] = __fmaf_rn(__int2float_rn(static_cast<std::int32_t>(sum)),
                                    unit[set] * factor, offset[set]);
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

template <int kDim, int kSets>
__global__ void __launch_bounds__(32 * kFieldWarps<kDim, kSets>, 1)
    attend_field_pages(AttendCall call, FieldRoom room, FieldTransforms transforms) {
  KAKEYA_DYNAMIC_SHARED(memory);
  attend_pages<FieldStep<kDim, kSets>>(call, room, transforms, memory);
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
    launch_attend<FieldStep<dim(), sets()>>(attend_field_pages<dim(), sets()>, call, room,
                                            room.head_bytes, transforms, stream);
  });
}

}  // namespace kakeya::kernels
