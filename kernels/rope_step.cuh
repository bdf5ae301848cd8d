// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_walk.cuh"
#include "kernels/rope_attention.cuh"
#include "kernels/slot_steps.cuh"

// A page of keys and one of values, by a team of warps: rope_attention.cu.

namespace kakeya::kernels {
namespace {

/// A copy that all of a team wait for and its first warp begins.
class TeamCopy {
 public:
  __device__ __forceinline__ TeamCopy(std::uint64_t* barrier, int lane, int warp,
                                      [[maybe_unused]] int team, [[maybe_unused]] int threads)
      : copy_(barrier, warp == 0 ? lane : lane + 32),
        first_(warp == 0)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
        ,
        team_(team),
        threads_(threads)
#endif
  {
  }
  /// After a barrier of the team.
  __device__ __forceinline__ void start(void* to, const void* from, int bytes) {
    if (first_) copy_.start(to, from, bytes);
  }
  __device__ __forceinline__ void finish() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    copy_.finish();
#else
    if (first_) copy_.finish();
    team_barrier(team_, threads_);
#endif
  }

 private:
  BulkCopy copy_;
  bool first_;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
  int team_, threads_;
#endif
};

/// What a warp has of a team's pages: the softmax of all of their tokens, and sums of its tile's values.
template <int kSets>
struct TeamRunning {
  float most[kSets], total[kSets], sum[kSets][4];
};

/// One page, by the warps of a team. Between its barriers:
///
///     a tile of keys a warp ─► scores of rope_rows() tokens a warp ─► weights, a tile of values a warp ─► sums
///
template <int kDim, int kSets>
struct RopeStep {
  static constexpr int kWarps = kTeamWarps<kDim>, kRows = 16 / kWarps, kBlocks = kRows / 2,
                       kPasses = kDim / 64, kThreads = 32 * kWarps;
  using Team = RopeTeam<kDim, kSets>;
  using Shared = RopeShared<kDim, kSets>;

  int lane, warp, team;  ///< warp: of the team's
  const std::uint8_t* matrix;
  const float* fine;
  std::uint8_t *key_room, *value_room;
  Team& own;
  const Shared& shared;
  TeamCopy keys, values;
  int first_row;      ///< of RopeTables::coarse, of the warp's first token in the first page
  float unit[kSets];  ///< of a score, in powers of two

  __device__ __forceinline__ void start_keys(const FieldWalk& at) {
    keys.start(key_room, at.keys, at.key_bytes);
  }
  __device__ __forceinline__ void start_values(const FieldWalk& at) {
    values.start(value_room, at.values, at.value_bytes);
  }
  __device__ __forceinline__ void wait() { team_barrier(team, kThreads); }

  /// This warp's tile of a page, into own.tile[warp].
  __device__ __forceinline__ void expand(const std::uint8_t* begin, const PlacedTile& mine,
                                         std::uint32_t bias, bool of_keys) {
    std::uint8_t* const tile = own.tile[warp];
    const std::uint8_t* const fields = begin + mine.at;
    expand_tile(fields, mine.part.widths, bias, of_keys, lane, tile);
    __syncwarp();
    if (mine.part.count != 0) {
      add_tile_entries(reinterpret_cast<const std::uint32_t*>(fields + mine.part.field_bytes),
                       mine.part, lane, tile);
      __syncwarp();
    }
  }

  /// Scores of the warp's tokens g + 8 i, in powers of two, of keys that 2^octaves multiplies. `has`: whether the
  /// warp has tokens of the page at all.
  __device__ __forceinline__ std::uint32_t score_keys(const RopeTables& rope,
                                                      const TilePage<kDim>& page, int number,
                                                      bool has, float octaves,
                                                      float (&score)[kSets][kRows]) {
    const std::uint32_t mean = mean_operand(octaves, lane);
    const float factor = power_of_two(octaves);
    std::uint32_t found = 0;
    std::int64_t row = first_row + std::int64_t{kWarps} * number;
    if (row >= rope.coarse_rows) {
      row = rope.coarse_rows - 1;
      if (has) found = kBadPosition;
    }
    const float* const coarse = rope.coarse + row * kDim;
    QueryHalves<kSets> query[kPasses];
    if constexpr (kBlocks > 1) {
#pragma unroll
      for (int pass = 0; pass < kPasses; ++pass) {
        turn_queries<kDim, kSets>(shared, coarse, lane, pass, query[pass]);
      }
    }
#pragma unroll
    for (int block = 0; block < kBlocks; ++block) {
      std::uint32_t a[rope_steps(kDim)][4];
      load_keys(own, kBlocks * warp + block, lane, mean, a);
      const float* const angles =
          fine + (16 * block + lane / 4) * rope_fine_stride(kDim) + 4 * (lane % 4);
      float sums[4] = {};
#pragma unroll
      for (int pass = 0; pass < kPasses; ++pass) {
        if constexpr (kBlocks == 1) {
          turn_queries<kDim, kSets>(shared, coarse, lane, pass, query[pass]);
        }
        float made[8][4];
        multiply_columns<kDim>(a, matrix, pass, lane, made);
        if (page.far != 0) {
          found |=
              add_far_to_keys(key_room, page, matrix, kBlocks * warp + block, pass, lane, made);
        }
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
          TurnedRows turned[2];
#pragma unroll
          for (int n = 0; n < 2; ++n) {
            const float* const from = angles + 64 * pass + 16 * (j + n);
            turned[n] =
                turn_rows(made[j + n], made[4 + j + n], *reinterpret_cast<const float4*>(from),
                          *reinterpret_cast<const float4*>(from + 8 * rope_fine_stride(kDim)));
          }
          const std::uint32_t first[4] = {turned[0].first[0], turned[0].first[1],
                                          turned[1].first[0], turned[1].first[1]},
                              second[4] = {turned[0].second[0], turned[0].second[1],
                                           turned[1].second[0], turned[1].second[1]};
          const QueryHalves<kSets>& by = query[pass];
          add_product_16(first, by.high[j], by.high[j + 1], sums);
          add_product_16(second, by.high[4 + j], by.high[5 + j], sums);
          if constexpr (kSets == 2) {
            add_product_16(first, by.low[j], by.low[j + 1], sums);
            add_product_16(second, by.low[4 + j], by.low[5 + j], sums);
          }
        }
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if constexpr (kSets == 1) {
          score[0][2 * block + i] = (sums[2 * i] + sums[2 * i + 1]) * (unit[0] * factor);
        } else {
          score[0][2 * block + i] = sums[2 * i] * (unit[0] * factor);
          score[1][2 * block + i] = sums[2 * i + 1] * (unit[1] * factor);
        }
      }
    }
    return found;
  }

  /// The largest score of each head, of the warp's tokens.
  __device__ __forceinline__ void tell_most(const float (&score)[kSets][kRows]) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      float here = score[set][0];
#pragma unroll
      for (int i = 1; i < kRows; ++i) here = fmaxf(here, score[set][i]);
      here = largest_of_rows(here);
      if (lane < 4) own.most[warp][4 * set + lane] = here;
    }
  }

  /// Weights of the warp's tokens as whole numbers up to 32767, and their sums. After a barrier.
  __device__ __forceinline__ void weigh(const float (&score)[kSets][kRows],
                                        TeamRunning<kSets>& running, float (&shrink)[kSets],
                                        float (&scale)[kSets]) {
    constexpr float kMost = 32767.0f;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const int head = 4 * set + lane % 4;
      float here = own.most[0][head];
#pragma unroll
      for (int w = 1; w < kWarps; ++w) here = fmaxf(here, own.most[w][head]);
      const float most = fmaxf(running.most[set], here);
      shrink[set] = power_of_two(running.most[set] - most);
      scale[set] = power_of_two(here - most) * (1.0f / kMost);
      running.most[set] = most;
      std::uint32_t number[kRows], sum = 0;
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
        const float weight = power_of_two(score[set][i] - here);
        number[i] = __float_as_uint(__fmaf_rn(weight, kMost, kShift)) - kShiftPattern;
        sum += number[i];
      }
      put_team_weights(number, head, warp, lane, own);
#pragma unroll
      for (int half = 4; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
      if (lane < 4) own.total[warp][head] = sum;
    }
  }

  /// What the warp's tile of values, times `factor`, adds to sums: of its coordinates 8 j + g. After a barrier.
  __device__ __forceinline__ std::uint32_t add_values(const TilePage<kDim>& page,
                                                      std::uint32_t widths, float factor,
                                                      const float (&shrink)[kSets],
                                                      const float (&scale)[kSets],
                                                      TeamRunning<kSets>& running) {
    std::int32_t word[kSets][8][4], sums[kSets][2][4] = {}, lower[4];
    load_weights<kSets>(own, lane, word);
    multiply_value_tile<kSets>(own.tile[warp], lane, word, sums);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      lower[j] = -tile_base(static_cast<int>(widths >> (4 * j) & 15u));
      const int group = 4 * warp + j;
      if ((page.shifted >> group & 1u) == 0) continue;
      lower[j] += reinterpret_cast<const std::int8_t*>(
          value_room + page.shifts)[8 * __popc(page.shifted & ((1u << group) - 1u)) + lane / 4];
    }
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      std::uint32_t weights = 0;
#pragma unroll
      for (int w = 0; w < kWarps; ++w) weights += own.total[w][4 * set + lane % 4];
      const auto all = static_cast<std::int32_t>(weights);
      running.total[set] =
          __fmaf_rn(running.total[set], shrink[set], __int2float_rn(all) * scale[set]);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const std::int32_t(&of)[4] = sums[set][j / 2];
        const std::uint32_t sum = static_cast<std::uint32_t>(of[2 * (j % 2)]) * 256u +
                                  static_cast<std::uint32_t>(of[2 * (j % 2) + 1]) +
                                  static_cast<std::uint32_t>(lower[j] * all);
        running.sum[set][j] =
            __fmaf_rn(running.sum[set][j], shrink[set],
                      __int2float_rn(static_cast<std::int32_t>(sum)) * (scale[set] * factor));
      }
    }
    if (page.far == 0) return 0;
    return for_far_tile_entries<kDim>(value_room, page, [&](const FarEntry& entry) {
      const auto [coordinate, vector, step] = entry;
      if (coordinate / 32 != warp || coordinate % 8 != lane / 4) return;
      const int at = 16 * (vector % 8) + vector / 8;
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
        const auto& digits = own.weight[4 * set + lane % 4];
        const float more = __int2float_rn(step * (256 * digits[0][at] + digits[1][at]));
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          running.sum[set][j] += j == coordinate % 32 / 8 ? more * (scale[set] * factor) : 0.0f;
        }
      }
    });
  }

  __device__ __forceinline__ void run(const AttendCall& call, const RopeTables& rope,
                                      const FieldWalk& now, const FieldWalk& next, int first,
                                      int tokens, TeamRunning<kSets>& running) {
    const int begin = now.page * kFieldTokens,
              least = tokens - begin < kFieldTokens ? tokens - begin : kFieldTokens;
    const bool more = next.page < next.end;
    // No group is negative.
    const std::uint32_t bias = kTileBias | static_cast<std::uint32_t>(call.group) >> 31;
    std::uint32_t found = 0;
    float score[kSets][kRows], shrink[kSets], scale[kSets];
    keys.finish();
    {
      TilePage<kDim> page;
      // All warps find the same.
      PlacedTile mine;
      const std::uint8_t* const end = key_room + now.key_bytes;
      const bool good =
          has_step(now.room, end) && open_tile(key_room, bytes_before_step(now.room, now.key_bytes),
                                               least, warp, lane, page, mine);
      const float octaves = octaves_before(now.room, end);
      if (!good) {
        found = kBadPage;
      } else {
        expand(key_room, mine, bias, true);
        own.offset[32 * warp + lane] = tile_offset(key_room, page, warp, mine.part.widths, lane);
      }
      wait();
      const bool held = good && page.far != 0;  // far entries are still in the page
      if (more && !held) start_keys(next);
      if (good) {
        const int of_warp = begin + 8 * kRows * warp, token = of_warp + lane / 4;
        found |= score_keys(rope, page, now.page, of_warp < tokens, octaves, score);
        if (begin < first || begin + kFieldTokens > tokens) {
#pragma unroll
          for (int i = 0; i < kRows; ++i) {
            if (token + 8 * i >= first && token + 8 * i < tokens) continue;
#pragma unroll
            for (int set = 0; set < kSets; ++set) score[set][i] = 2 * kNoScore;
          }
        }
        tell_most(score);
      }
      values.finish();
      wait();
      if (more && held) start_keys(next);
    }
    TilePage<kDim> page;
    PlacedTile mine;
    const std::uint8_t* const end = value_room + now.value_bytes;
    const bool scored = (found & kBadPage) == 0,
               good = scored && has_step(now.room, end) &&
                      open_tile(value_room, bytes_before_step(now.room, now.value_bytes), least,
                                warp, lane, page, mine);
    if (scored) weigh(score, running, shrink, scale);
    if (good) expand(value_room, mine, bias, false);
    const float factor = factor_before(now.room, end);
    wait();
    if (good) {
      found |= add_values(page, mine.part.widths, factor, shrink, scale, running);
      if (page.shifted != 0 || page.far != 0) wait();
    } else {
      found |= kBadPage;
#pragma unroll
      for (int set = 0; set < kSets; ++set) {
        if (!scored) continue;
        running.total[set] *= shrink[set];
#pragma unroll
        for (float& sum : running.sum[set]) sum *= shrink[set];
      }
    }
    if (more) start_values(next);
    if (found != 0) atomicOr(call.flags + now.sequence, found);
  }
};

}  // namespace
}  // namespace kakeya::kernels
