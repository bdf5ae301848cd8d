// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.cuh"
#include "kernels/prefix_products.cuh"

// What becomes of a page of prefix codes in attention. Queries and weights are whole numbers in two digits with signs, a
// column each, and a lane of g = lane / 4 and k = lane % 4 has head k of a set, as in field_attention.cuh.
//
//     keys     rows are vectors g + 8 i of 32, columns the digits of a query's 16 coordinates
//     values   rows are coordinates 2 g and 2 g + 1 of 16, columns the digits of 32 vectors' weights

namespace kakeya::kernels {
namespace {

constexpr int kPageSlots = kFieldTokens / kPageLanes;  // 32 vectors each
constexpr float kMostWeight = kMostDigits;

/// What the kernel of keys leaves to that of values of each 32 tokens of a unit, in device memory.
///
///     digits   [set][column][q][8]: of vectors 2 q, 2 q + 1, 2 q + 8, 2 q + 9, and 16 further on
///     facts    [heads] the largest score, then [heads] the sum of the weights
///
/// Weights are whole numbers up to kMostWeight, that of the largest score.
struct PrefixWeights {
  std::uint8_t* digits;
  float* facts;
  std::int64_t pages;  ///< of a unit

  template <int kSets>
  __device__ __forceinline__ std::uint8_t* digits_of(int unit, int page, int slot) const {
    return digits + ((unit * pages + page) * kPageSlots + slot) * (256 * kSets);
  }
  template <int kSets>
  __device__ __forceinline__ float* facts_of(int unit, int page, int slot) const {
    return facts + ((unit * pages + page) * kPageSlots + slot) * (8 * kSets);
  }
};
/// Of a unit of 4 kSets heads, of one page.
constexpr std::int64_t prefix_weight_bytes(int sets) { return kPageSlots * (256 + 32) * sets; }

/// Where a vector's digit is among those of 32.
__device__ __forceinline__ int digit_place(int vector, int column) {
  const int of_eight = vector % 8, byte = vector % 16 / 8 * 2 + of_eight % 2;
  return 32 * column + 8 * (of_eight / 2) + 4 * (vector / 16) + byte;
}

/// Queries of a unit in shared memory: what is used of FieldShared.
template <int kDim, int kSets>
struct PrefixQueries {
  static constexpr int kHeads = 4 * kSets;
  alignas(16) std::int16_t number[kDim][kHeads];
  alignas(16) std::uint8_t digit[kSets][kDim / 8][8][8];
  float step[kHeads], offset[kHeads];
};

/// Scores of a page's keys, and weights. Of a lane's `more` its own 2 floats [set][tile].
template <int kDim, int kSets>
struct PrefixKeys {
  static constexpr int kHeads = 4 * kSets;
  /// Shared memory of a warp beside rings and stage.
  static constexpr std::uint32_t kRoom = 512 * kSets;

  const PrefixQueries<kDim, kSets>& queries;
  PrefixWeights out;
  std::uint32_t digits;  ///< this lane's of `queries`
  std::uint32_t more;    ///< the warp's: what is added to sums, kRoom bytes
  PrefixWords words;
  float unit[kSets], offset[kSets];
  int number;                           ///< of the unit
  bool wide_head;                       ///< whether groups of it may be wide
  int page = 0, first = 0, tokens = 0;  ///< tokens seen: [first, tokens) of the page
  std::int32_t sums[kSets][2][4] = {};
  const std::uint8_t* corrections = nullptr;
  std::uint32_t count = 0, correction = 0;  ///< this lane's of the first 32
  bool far = false;

  /// No scores of `page` yet.
  __device__ __forceinline__ void begin_page(int of, int from, int to) {
    page = of, first = from, tokens = to, far = false;
    forget();
  }
  __device__ __forceinline__ void forget() const {
    __syncwarp();
    float* const facts = out.template facts_of<kSets>(number, page, 0);
    for (int i = lane_number(); i < kPageSlots * 2 * kHeads; i += kPageLanes) {
      facts[i] = i / kHeads % 2 == 0 ? kNoScore : 0.0f;
    }
    __syncwarp();
  }
  __device__ __forceinline__ void open(const OpenPrefix& page_of) {
    corrections = page_of.corrections, count = page_of.count;
    correction = correction_at(0);
  }
  /// Of lane `lane` of those from `n` on; one of no place.
  __device__ __forceinline__ std::uint32_t correction_at(std::uint32_t n) const {
    const auto lane = static_cast<std::uint32_t>(lane_number());
    return n < count && lane < count - n
               ? word_of_bytes(corrections + std::uint64_t{4} * (n + lane))
               : (1u << 21) - 1u;
  }
  __device__ __forceinline__ bool has_more() const { return wide_head || count != 0; }
  __device__ __forceinline__ std::uint32_t more_at(int set, int tile) const {
    return more + 8 * static_cast<std::uint32_t>((2 * set + tile) * kPageLanes + lane_number());
  }

  __device__ __forceinline__ void begin(int) {
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
#pragma unroll
        for (std::int32_t& sum : sums[set][tile]) sum = 0;
        if (has_more()) store_shared(more_at(set, tile), float2{0.0f, 0.0f});
      }
    }
    words.far = 0;
  }
  template <int kFour>
  __device__ __forceinline__ void take_four(int, std::uint32_t values) {
    words.template put_four<kFour>(values);
  }
  template <int kFour>
  __device__ __forceinline__ void take_four_more(int, std::uint32_t values, std::uint32_t signs) {
    words.template put_four_more<kFour>(values, signs);
  }
  template <int kEight>
  __device__ __forceinline__ void take_eight(int, const std::int32_t (&values)[8]) {
    words.template put_eight<kEight>(values);
  }
  __device__ __forceinline__ std::uint32_t digits_at(int set, int group) const {
    std::uint32_t word;
    load_shared(digits + static_cast<std::uint32_t>(64 * (set * kDim / 8 + group)), word,
                std::uint32_t());
    return word;
  }
  __device__ __forceinline__ void end_groups(int group) {
    const auto load = [](std::uint32_t at, std::uint32_t(&to)[4]) { load_rows(at, to); };
    std::uint32_t a[4];
    words.turn(words.low, a, load);
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const std::uint32_t b = digits_at(set, group);
      multiply_16_bytes(a[0], a[1], b, sums[set][0]);
      multiply_16_bytes(a[2], a[3], b, sums[set][1]);
    }
    if (words.wide == 0) return;
    words.wide = 0;
    words.turn(words.high, a, load);
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const std::uint32_t b = digits_at(set, group);
#pragma unroll
      for (int tile = 0; tile < 2; ++tile) {
        std::int32_t of[4] = {};
        multiply_16_bytes(a[2 * tile], a[2 * tile + 1], b, of);
        float2 two = load_floats(more_at(set, tile));
        two.x = __fmaf_rn(__int2float_rn(256 * of[0] + of[1]), 256.0f, two.x);
        two.y = __fmaf_rn(__int2float_rn(256 * of[2] + of[3]), 256.0f, two.y);
        store_shared(more_at(set, tile), two);
      }
    }
  }
  /// Corrections of the 32 vectors of a slot.
  __device__ __forceinline__ void add_corrections(int slot) {
    __syncwarp();
    for (std::uint32_t n = 0; n < count; n += kPageLanes) {
      const std::uint32_t word = n == 0 ? correction : correction_at(n);
      const std::uint32_t place = word & ((1u << 21) - 1u), vector = place / kDim;
      const bool mine = vector / kPageLanes == static_cast<std::uint32_t>(slot);
      in_turns(mine, vector, [&] {
        const auto step = static_cast<std::int32_t>(word) >> 21;
        const int row = static_cast<int>(vector) % kPageLanes;
#pragma unroll
        for (int h = 0; h < kHeads; ++h) {
          const std::uint32_t at =
              more + 4 * static_cast<std::uint32_t>(
                             ((2 * (h / 4) + row / 16) * kPageLanes + 4 * (row % 8) + h % 4) * 2 +
                             row % 16 / 8);
          *reinterpret_cast<float*>(shared_at(at)) +=
              __int2float_rn(step * queries.number[place % kDim][h]);
        }
      });
    }
    __syncwarp();
  }
  __device__ __forceinline__ void end(int vector, bool is_there) {
    const int lane = lane_number(), slot = vector / kPageLanes;
    far = far || (is_there && words.far != 0);
    if (count != 0) add_corrections(slot);
    float* const facts = out.template facts_of<kSets>(number, page, slot);
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      float score[4], here = kNoScore;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const std::int32_t(&of)[4] = sums[set][i / 2];
        float sum = __int2float_rn(256 * of[2 * (i % 2)] + of[2 * (i % 2) + 1]);
        if (has_more()) {
          const float2 two = load_floats(more_at(set, i / 2));
          sum += i % 2 == 0 ? two.x : two.y;
        }
        const int token = kPageLanes * slot + 8 * i + lane / 4;
        score[i] = token >= first && token < tokens ? __fmaf_rn(sum, unit[set], offset[set])
                                                    : 2 * kNoScore;
        here = fmaxf(here, score[i]);
      }
      here = largest_of_rows(here);
      std::int32_t weight[4], sum = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        weight[i] = static_cast<std::int32_t>(
            __float_as_uint(__fmaf_rn(power_of_two(score[i] - here), kMostWeight, kShift)) -
            kShiftPattern);
        sum += weight[i];
      }
#pragma unroll
      for (int half = 4; half < 32; half *= 2) sum += __shfl_xor_sync(kAll, sum, half);
      // Digits of two vectors next to each other, the high ones to the lane of the first.
      const TwoDigits two = two_digits_of(weight);
      const bool second = lane / 4 % 2 != 0;
      const std::uint32_t other = __shfl_xor_sync(kAll, second ? two.high : two.low, 4),
                          a = second ? other : two.high, b = second ? two.low : other;
      std::uint8_t* const to = out.template digits_of<kSets>(number, page, slot) + 256 * set;
      *reinterpret_cast<uint2*>(to + digit_place(lane / 8 * 2, 2 * (lane % 4) + (second ? 1 : 0))) =
          make_uint2(permute(a, b, 0x5140), permute(a, b, 0x7362));
      if (lane / 4 == 0) {
        facts[4 * set + lane] = here;
        facts[kHeads + 4 * set + lane] = __int2float_rn(sum);
      }
    }
  }
  // They are in scores already.
  __device__ __forceinline__ bool correct(bool, int, int, std::int32_t) const { return true; }
};

/// Sums of a page's values. In shared memory [set][16 coordinates][lane] two floats: coordinates 2 g and 2 g + 1 of head k.
template <int kDim, int kSets>
struct PrefixValues {
  static constexpr int kHeads = 4 * kSets, kTiles = kDim / 16;
  static constexpr std::uint32_t kRoom = 16 * kDim * kSets;

  PrefixWeights in;
  std::uint32_t sums;  ///< the warp's, kRoom bytes
  PrefixWords words;
  int number, page = 0, slots = 0;
  /// Of head lane % 8: the largest score and the sum of weights so far, and what a unit of the weights of slot
  /// lane / 8 is.
  float most = kNoScore, total = 0.0f, scale = 0.0f;
  uint2 next[kSets] = {}, weight[kSets] = {};  ///< operands of the next slot and of this one
  float unit[kSets] = {};                      ///< of these, of head k
  bool far = false;

  __device__ __forceinline__ std::uint32_t sums_at(int set, int tile) const {
    return sums +
           8 * static_cast<std::uint32_t>((kTiles * set + tile) * kPageLanes + lane_number());
  }
  __device__ __forceinline__ void zero() const {
#pragma unroll
    for (int i = 0; i < kTiles * kSets; ++i) store_shared(sums_at(0, i), float2{0.0f, 0.0f});
  }
  __device__ __forceinline__ void load_next(int slot) {
    const std::uint8_t* const from =
        in.template digits_of<kSets>(number, page, slot) + 8 * lane_number();
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      next[set] = *reinterpret_cast<const uint2*>(from + 256 * set);
    }
  }
  /// The weights of `page`, as weights of all so far.
  __device__ __forceinline__ void begin_page(int of) {
    page = of, far = false;
    load_next(0);
    const int lane = lane_number(), head = lane % 8;
    const float* const facts = in.template facts_of<kSets>(number, page, lane / 8);
    const bool there = head < kHeads;
    const float mine = there ? facts[head] : kNoScore,
                weights = there ? facts[kHeads + head] : 0.0f;
    float here = fmaxf(most, mine);
    here = fmaxf(here, __shfl_xor_sync(kAll, here, 8));
    here = fmaxf(here, __shfl_xor_sync(kAll, here, 16));
    const float shrink = power_of_two(most - here);
    scale = mine > kNoScore ? power_of_two(mine - here) * (1.0f / kMostWeight) : 0.0f;
    float more = weights * scale;
    more += __shfl_xor_sync(kAll, more, 8);
    more += __shfl_xor_sync(kAll, more, 16);
    total = __fmaf_rn(total, shrink, more);
    most = here;
    if (!any_lane(shrink != 1.0f)) return;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      const float by = __shfl_sync(kAll, shrink, 4 * set + lane % 4);
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        const float2 two = load_floats(sums_at(set, tile));
        store_shared(sums_at(set, tile), float2{two.x * by, two.y * by});
      }
    }
  }
  __device__ __forceinline__ void open(const OpenPrefix&) {}
  __device__ __forceinline__ void begin(int slot) {
    words.far = 0;
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      weight[set] = next[set];
      unit[set] = __shfl_sync(kAll, scale, 8 * slot + 4 * set + lane_number() % 4);
    }
    if (slot + 1 < kPageSlots) load_next(slot + 1);
  }
  template <int kFour>
  __device__ __forceinline__ void take_four(int, std::uint32_t values) {
    words.template put_four<kFour>(values);
  }
  template <int kFour>
  __device__ __forceinline__ void take_four_more(int, std::uint32_t values, std::uint32_t signs) {
    words.template put_four_more<kFour>(values, signs);
  }
  template <int kEight>
  __device__ __forceinline__ void take_eight(int, const std::int32_t (&values)[8]) {
    words.template put_eight<kEight>(values);
  }
  /// Adds products of 16 coordinates, times `by`.
  __device__ __forceinline__ void add(const std::uint32_t (&of)[4], int tile, float by) const {
    std::uint32_t turned[4];
    words.turn(of, turned, [](std::uint32_t at, std::uint32_t(&to)[4]) { load_turned(at, to); });
    const std::uint32_t a[4] = {
        permute(turned[0], turned[1], 0x6420), permute(turned[0], turned[1], 0x7531),
        permute(turned[2], turned[3], 0x6420), permute(turned[2], turned[3], 0x7531)};
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      std::int32_t products[4] = {};
      multiply_32(a, weight[set].x, weight[set].y, products);
      float2 two = load_floats(sums_at(set, tile));
      const float scaled = unit[set] * by;
      two.x = __fmaf_rn(__int2float_rn(256 * products[0] + products[1]), scaled, two.x);
      two.y = __fmaf_rn(__int2float_rn(256 * products[2] + products[3]), scaled, two.y);
      store_shared(sums_at(set, tile), two);
    }
  }
  __device__ __forceinline__ void end_groups(int group) {
    add(words.low, group / 2, 1.0f);
    if (words.wide == 0) return;
    words.wide = 0;
    add(words.high, group / 2, 256.0f);
  }
  __device__ __forceinline__ void end(int, bool is_there) {
    far = far || (is_there && words.far != 0);
  }
  __device__ __forceinline__ bool correct(bool mine, int vector, int coordinate,
                                          std::int32_t step) const {
    const int slot = vector / kPageLanes;
    const auto* const digits =
        reinterpret_cast<const std::int8_t*>(in.template digits_of<kSets>(number, page, slot));
    float more[kHeads];
#pragma unroll
    for (int h = 0; h < kHeads; ++h) {
      const float by = __shfl_sync(kAll, scale, (8 * slot + h) % kPageLanes);
      more[h] = 0.0f;
      if (!mine) continue;
      const std::int8_t* const from =
          digits + 256 * (h / 4) + digit_place(vector % kPageLanes, 2 * (h % 4));
      more[h] = __int2float_rn(step * (256 * from[0] + from[32])) * by;
    }
    in_turns(mine, static_cast<std::uint32_t>(coordinate), [&] {
      const int of = coordinate % 16;
#pragma unroll
      for (int h = 0; h < kHeads; ++h) {
        const std::uint32_t at =
            sums +
            4 * static_cast<std::uint32_t>(
                    ((kTiles * (h / 4) + coordinate / 16) * kPageLanes + 4 * (of / 2) + h % 4) * 2 +
                    of % 2);
        *reinterpret_cast<float*>(shared_at(at)) += more[h];
      }
    });
    return true;
  }
  /// What was added up, as join_field_unit() takes it.
  __device__ __forceinline__ void give(FieldRunning<kDim> (&running)[kSets]) const {
    const int lane = lane_number();
#pragma unroll
    for (int set = 0; set < kSets; ++set) {
      running[set].most = __shfl_sync(kAll, most, 4 * set + lane % 4);
      running[set].total = running[set].packed = __shfl_sync(kAll, total, 4 * set + lane % 4);
#pragma unroll
      for (int i = 0; i < kDim / 8; ++i) {
        const int of = 8 * (i % 2) + lane / 4;
        const std::uint32_t at =
            sums +
            4 * static_cast<std::uint32_t>(
                    ((kTiles * set + i / 2) * kPageLanes + 4 * (of / 2) + lane % 4) * 2 + of % 2);
        running[set].sum[i] = *reinterpret_cast<const float*>(shared_at(at));
      }
    }
  }
};

}  // namespace
}  // namespace kakeya::kernels
