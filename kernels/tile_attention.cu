// SPDX-License-Identifier: Apache-2.0
// Decode attention over pages of tiles: a warp a page, as field_attention.cu.
#include "kernels/field_attention_body.cuh"
#include "kernels/slot_steps.cuh"
#include "kernels/tile_attention.cuh"

namespace kakeya::kernels {
namespace {

/// One page: scores, weights, sums of values. Values lie at the beginning of the warp's room and keys at its end.
/// Tiles of keys are taken from the first to the last and those of values from the last to the first, so that
/// what is free grows from the middle: there the next part is copied to, at first as much of it as there is
/// room for, and the rest when that is free.
template <int kOfDim, int kOfSets>
struct TileStep {
  static constexpr int kDim = kOfDim, kSets = kOfSets, kMostWarps = kTileWarps<kDim, kSets>;
  static constexpr int kTiles = kDim / 32;
  using Own = TileWarp<kDim, kSets>;
  using Shared = FieldShared<kDim, kSets, kMostWarps>;

  int lane;
  std::uint8_t* room;
  int room_bytes;
  Own& own;
  const Shared& shared;
  BulkCopy keys, values;
  float unit[kSets], offset[kSets];    ///< of a score, in powers of two
  int keys_left = 0, values_left = 0;  ///< bytes of a part that are not being copied yet

  __device__ __forceinline__ void start(const FieldWalk& first) {
    begin_keys(first, 0);
    begin_values(first, first.key_bytes);
  }
  __device__ __forceinline__ float* floats() { return reinterpret_cast<float*>(own.tile); }

  /// Keys but for what lies where `taken` bytes of values are.
  __device__ __forceinline__ void begin_keys(const FieldWalk& at, int taken) {
    const int first = room_bytes - at.key_bytes;
    keys_left = taken > first ? (taken - first < at.key_bytes ? taken - first : at.key_bytes) : 0;
    keys.expect(at.key_bytes);
    if (keys_left < at.key_bytes) {
      keys.piece(room + first + keys_left, at.keys + keys_left, at.key_bytes - keys_left);
    }
  }
  /// Their rest, where no more than `taken` bytes of values are needed.
  __device__ __forceinline__ void end_keys(const FieldWalk& at, int taken) {
    if (keys_left == 0 || taken > room_bytes - at.key_bytes) return;
    keys.piece(room + room_bytes - at.key_bytes, at.keys, keys_left);
    keys_left = 0;
  }
  /// Values but for what lies where `taken` bytes of keys are.
  __device__ __forceinline__ void begin_values(const FieldWalk& at, int taken) {
    const int most = room_bytes - taken, now = at.value_bytes < most ? at.value_bytes : most;
    values_left = at.value_bytes - now;
    values.expect(at.value_bytes);
    if (now > 0) values.piece(room, at.values, now);
  }
  /// Their rest, where no more than `taken` bytes of keys are needed.
  __device__ __forceinline__ void end_values(const FieldWalk& at, int taken) {
    if (values_left == 0 || at.value_bytes > room_bytes - taken) return;
    const int done = at.value_bytes - values_left;
    values.piece(room + done, at.values + done, values_left);
    values_left = 0;
  }

  /// Weights of this page's tokens as whole numbers up to 32767, in own.weight, their sums, and what a unit of
  /// them is.
  __device__ __forceinline__ void weigh(float (&score)[kSets][16],
                                        FieldRunning<kDim> (&running)[kSets],
                                        std::int32_t (&weights)[kSets], float (&shrink)[kSets],
                                        float (&scale)[kSets]) {
    constexpr float kMost = 32767.0f;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      float here = kNoScore;
#pragma unroll
      for (int i = 0; i < 16; ++i) here = fmaxf(here, score[set][i]);
      here = largest_of_rows(here);
      const float most = fmaxf(running[set].most, here);
      shrink[set] = power_of_two(running[set].most - most);
      scale[set] = power_of_two(here - most) * (1.0f / kMost);
      running[set].most = most;
      std::uint32_t number[16], sum = 0;
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const float weight = power_of_two(score[set][i] - here);
        number[i] = __float_as_uint(__fmaf_rn(weight, kMost, kShift)) - kShiftPattern;
        sum += number[i];
      }
      put_weights(number, 4 * set + lane % 4, lane, own);
#pragma unroll
      for (int half = 4; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
      weights[set] = static_cast<std::int32_t>(sum);
      const float total = __int2float_rn(weights[set]) * scale[set];
      running[set].total = __fmaf_rn(running[set].total, shrink[set], total);
    }
    __syncwarp();
  }

  /// Far entries of keys, by way of the warp's tile: [vector][head].
  __device__ __forceinline__ std::uint32_t add_far_keys(const TilePage<kDim>& page,
                                                        const std::uint8_t* begin,
                                                        std::int32_t (&sums)[kSets][8][4]) {
    auto* const added = reinterpret_cast<std::uint32_t*>(own.tile);
    return sum_far_tile_entries<kDim, kFieldTokens * Own::kHeads>(
        begin, page, lane, added,
        [&](const FarEntry& entry) {
#pragma unroll
          for (int h = 0; h < Own::kHeads; ++h) {
            atomicAdd(added + Own::kHeads * entry.vector + h,
                      static_cast<std::uint32_t>(entry.step * shared.number[entry.coordinate][h]));
          }
        },
        [&] {
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
#pragma unroll
            for (int i = 0; i < 16; ++i) {
              sums[set][i / 2][2 * (i % 2) + 1] += static_cast<std::int32_t>(
                  added[Own::kHeads * (8 * i + lane / 4) + 4 * set + lane % 4]);
            }
          }
        });
  }
  /// And of values, a set after another: [coordinate][head of the set]. Sums of pages before are as of this page.
  __device__ __forceinline__ std::uint32_t add_far_values(const TilePage<kDim>& page,
                                                          const std::uint8_t* begin,
                                                          FieldRunning<kDim> (&running)[kSets],
                                                          const float (&scale)[kSets]) {
    auto* const added = reinterpret_cast<std::uint32_t*>(own.tile);
    std::uint32_t found = 0;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      found |= sum_far_tile_entries<kDim, 4 * kDim>(
          begin, page, lane, added,
          [&](const FarEntry& entry) {
#pragma unroll
            for (int h = 0; h < 4; ++h) {
              atomicAdd(added + 4 * entry.coordinate + h,
                        static_cast<std::uint32_t>(entry.step *
                                                   own.weight_of(4 * set + h, entry.vector)));
            }
          },
          [&] {
#pragma unroll
            for (int i = 0; i < kDim / 8; ++i) {
              running[set].sum[i] += __int2float_rn(static_cast<std::int32_t>(
                                         added[4 * (8 * i + lane / 4) + lane % 4])) *
                                     scale[set];
            }
          });
    }
    return found;
  }

  /// What a tile of values adds to sums: coordinates 8 i + g of its four groups.
  __device__ __forceinline__ void add_value_tile(
      const TilePage<kDim>& page, const std::uint8_t* begin, int tile, std::uint32_t widths,
      const std::int32_t (&word)[kSets][8][4], const std::int32_t (&weights)[kSets],
      const float (&shrink)[kSets], const float (&scale)[kSets],
      FieldRunning<kDim> (&running)[kSets]) {
    std::int32_t sums[kSets][2][4] = {};
    multiply_value_tile<kSets>(own.tile, lane, word, sums);
    std::int32_t lower[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      lower[j] = -tile_base(static_cast<int>(widths >> (4 * j) & 15u));
    }
    if ((page.shifted >> (4 * tile) & 15u) != 0) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int group = 4 * tile + j;
        if ((page.shifted >> group & 1u) == 0) continue;
        lower[j] += reinterpret_cast<const std::int8_t*>(
            begin + page.shifts)[8 * __popc(page.shifted & ((1u << group) - 1u)) + lane / 4];
      }
    }
#pragma unroll
    for (int n = 0; n < kTiles; ++n) {
      if (n != tile) continue;
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const std::int32_t(&of)[4] = sums[set][j / 2];
          const std::uint32_t sum = static_cast<std::uint32_t>(of[2 * (j % 2)]) * 256u +
                                    static_cast<std::uint32_t>(of[2 * (j % 2) + 1]) +
                                    static_cast<std::uint32_t>(lower[j] * weights[set]);
          float& to = running[set].sum[4 * n + j];
          to = __fmaf_rn(to, shrink[set],
                         __int2float_rn(static_cast<std::int32_t>(sum)) * scale[set]);
        }
      }
    }
  }

  __device__ __forceinline__ void run(const AttendCall& call, const FieldWalk& now,
                                      const FieldWalk& next, int first, int tokens,
                                      FieldRunning<kDim> (&running)[kSets]) {
    const int begin = now.page * kFieldTokens,
              least = tokens - begin < kFieldTokens ? tokens - begin : kFieldTokens;
    const bool more = next.page < next.end;
    // No group is negative.
    const std::uint32_t bias = kTileBias | static_cast<std::uint32_t>(call.group) >> 31;
    // Of keys sums of products, of values in the first eight the weights' words.
    std::int32_t sums[kSets][8][4] = {}, weights[kSets] = {};
    float shrink[kSets] = {}, scale[kSets] = {};
    std::uint32_t found = 0;
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
      const bool of_keys = part == 0;
      const std::uint8_t* page_begin = room;
      int page_bytes = now.value_bytes;
      if (of_keys) {
        page_begin += room_bytes - now.key_bytes;
        page_bytes = now.key_bytes;
        keys.finish();
      } else {
        end_values(now, 0);
        if (more) begin_keys(next, now.value_bytes);
        values.finish();
      }
      TilePage<kDim> page;
      if (found == 0 &&
          !(has_step(now.room, page_begin + page_bytes) &&
            open_tiles<kDim>(page_begin, bytes_before_step(now.room, page_bytes), least, page))) {
        found = kBadPage;
      }
      if (found != 0) continue;
      if (of_keys) {
        if (page.far != 0) found |= add_far_keys(page, page_begin, sums);
        tile_offsets(page_begin, page, lane, shared, weights);
      } else {
        load_weights<kSets>(own, lane, sums);
        const float factor = factor_before(now.room, page_begin + page_bytes);
#pragma unroll
        for (int set = 0; set < kSets; ++set) scale[set] *= factor;
        if (page.far != 0) {
#pragma unroll
          for (int set = 0; set < kSets; ++set) {
#pragma unroll
            for (int i = 0; i < kDim / 8; ++i) running[set].sum[i] *= shrink[set];
            shrink[set] = 1.0f;
          }
          found |= add_far_values(page, page_begin, running, scale);
        }
      }
      int at = of_keys ? page.tiles : page.end;
      TileWalk<kDim> walk(page, of_keys);
#pragma unroll 1
      for (int n = 0; n < kTiles; ++n) {
        const int tile = of_keys ? n : kTiles - 1 - n;
        const TilePart of = walk.next();
        if (!of_keys) at -= of.field_bytes + of.list_bytes;
        expand_tile(page_begin + at, of.widths, bias, of_keys, lane, own.tile);
        __syncwarp();
        if (of.count != 0) {
          const auto* list =
              reinterpret_cast<const std::uint32_t*>(page_begin + at + of.field_bytes);
          add_tile_entries(list, of, lane, own.tile);
          __syncwarp();
        }
        if (of_keys) {
          at += of.field_bytes + of.list_bytes;
          end_values(now, now.key_bytes - at);
          multiply_key_tile(own.tile, tile, lane, shared, sums);
        } else {
          if (more) end_keys(next, at);
          add_value_tile(page, page_begin, tile, of.widths, sums, weights, shrink, scale, running);
        }
        __syncwarp();
      }
      if (!of_keys) continue;
      // From sums to scores, and to weights. A product with the mean has no step.
      const float factor = factor_before(now.room, room + room_bytes);
      float score[kSets][16];
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          const std::int32_t(&four)[4] = sums[set][i / 2];
          const std::uint32_t sum = static_cast<std::uint32_t>(weights[set]) +
                                    static_cast<std::uint32_t>(four[2 * (i % 2)]) * 256u +
                                    static_cast<std::uint32_t>(four[2 * (i % 2) + 1]);
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
      weigh(score, running, weights, shrink, scale);
    }
    if (more) {
      end_keys(next, 0);
      begin_values(next, next.key_bytes);
    }
    if (found != 0) atomicOr(call.flags + now.sequence, found);
  }
};

template <int kDim, int kSets>
__global__ void __launch_bounds__(32 * kTileWarps<kDim, kSets>, 1)
    attend_tile_pages(AttendCall call, FieldRoom room, FieldTransforms transforms) {
  KAKEYA_DYNAMIC_SHARED(memory);
  attend_pages<TileStep<kDim, kSets>>(call, room, transforms, memory);
}

}  // namespace

void attend_tiles(const AttendCall& call, const FieldRoom& room, const FieldTransforms& transforms,
                  Stream stream) {
  if (call.batch == 0) return;
  with_head_dim(call, [&](auto dim, auto sets) {
    launch_attend<TileStep<dim(), sets()>>(attend_tile_pages<dim(), sets()>, call, room,
                                           room.part_bytes, transforms, stream);
  });
}

}  // namespace kakeya::kernels
