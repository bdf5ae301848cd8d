// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp decodes a page: lane l has vectors l, 32 + l, ... and their rANS state. Which lanes take a
// word is a ballot, and a lane's word is behind those of the lanes below it.
//
// Eight coordinates at a time are decoded as if no page ended, from a window on the words in shared
// memory. Where that was not so, the eight are done again one by one, with every check of the CPU's
// decoder.

#include "kernels/pages_window.cuh"

namespace kakeya::kernels {

template <PageLattice kLattice, TableKind kKind>
class PageTaker : PageWindow {
 public:
  __device__ __forceinline__ PageTaker(const PageCoding& coding, const HeadPlan& plan,
                                       const TakeTables<kKind>& tables, const PageBytes& page,
                                       const std::uint8_t* word, std::uint32_t state,
                                       std::uint32_t lifted, int vectors, std::uint8_t* window)
      : PageWindow(page, word, window),
        coding_(coding),
        plan_(plan),
        tables_(tables),
        state_(state),
        lifted_(lifted),
        vectors_(vectors),
        below_(lanes_below(lane_number())) {}

  /// True where the page is not damaged.
  template <typename Consumer>
  __device__ __forceinline__ bool run(Consumer& consumer) {
    const int lane = lane_number(), chunks = (coding_.dim + kChunk - 1) / kChunk;
    bool good = at_ != end_ || lower();
    for (int group = (vectors_ + kPageLanes - 1) / kPageLanes; group-- > 0 && good;) {
      const int lanes = vectors_ - group * kPageLanes;
      active_ = lane < lanes;
      least_ = active_ ? kLeastLaneState : 0;
      waiting_ = state_;
      if (!active_) state_ = 0;  // takes no words and finds no escape
      path_ = 0;
      for (int before = 0; before < chunks && good; ++before) {
        const int chunk = kLattice == PageLattice::trellis ? chunks - 1 - before : before;
        good = take_chunk(group, chunk * kChunk, consumer);
      }
      if (!active_) state_ = waiting_;
    }
    return good && at_ == end_ && !any_lane(state_ != 0);
  }

 private:
  static constexpr int kContexts = contexts_of(kLattice);
  // Bytes of words that a chunk should find in the window, what most take; and that a step takes at
  // most, one of its refills too.
  static constexpr int kMostRefillBytes = 2 * kPageLanes;
  static constexpr std::uint32_t kUsualBytes = 256, kUsualRawBytes = 384,
                                 kMostStepBytes = 2 * kPageLanes * 4,
                                 kMostEscapedBytes = 2 * kPageLanes * 3;

  // Takes a word if the state is short of one; the next is at `at` in the window.
  __device__ __forceinline__ void refill(std::uint32_t& at) {
#if defined(__CUDACC__)
    // What a compiler makes of the lines below is longer.
    asm volatile(
        "{ .reg .pred takes; .reg .b32 mask, count, word;\n"
        "setp.lt.u32 takes, %0, %2;\n"
        "vote.sync.ballot.b32 mask, takes, 0xffffffff;\n"
        "and.b32 count, mask, %3;\n"
        "popc.b32 count, count;\n"
        "mad.lo.u32 count, count, 2, %1;\n"
        "ld.shared.u16 word, [count];\n"
        "@takes prmt.b32 %0, %0, word, 0x1054;\n"
        "popc.b32 count, mask;\n"
        "mad.lo.u32 %1, count, 2, %1; }\n"
        : "+r"(state_), "+r"(at)
        : "r"(least_), "r"(below_));
#else
    const bool takes = state_ < least_;
    const std::uint32_t mask = __ballot_sync(kAll, takes);
    const std::uint32_t word = word_at(at + 2 * __popc(mask & below_));
    if (takes) state_ = state_ << 16 | word;
    at += 2 * __popc(mask);
#endif
  }

  // The same with every check: takes a word as far as there are any, and two more after an escape,
  // `number`. False where these are not there.
  __device__ __forceinline__ bool refill_slowly(std::uint32_t& at, bool escaped,
                                                std::uint32_t& number) {
    const bool takes = state_ < least_;
    const std::uint32_t mask = __ballot_sync(kAll, takes), escapes = __ballot_sync(kAll, escaped);
    std::uint32_t place = at + 2 * __popc(mask & below_) + 4 * __popc(escapes & below_);
    at += 2 * __popc(mask) + 4 * __popc(escapes);
    if (at > end_) at = end_;
    if (takes && place < end_) state_ = state_ << 16 | word_at(place);
    if (!escaped) return true;
    if (takes) place += 2;
    if (place + 4 > end_) return false;
    number = word_at(place) | word_at(place + 2) << 16;
    return true;
  }

  template <typename Consumer>
  __device__ __forceinline__ bool take_chunk(int group, int first, Consumer& consumer) {
    std::int32_t twice[kChunk];
    const std::uint32_t bits = tables_.step(static_cast<std::uint32_t>(first * kContexts)).bits;
    const bool paths = kLattice != PageLattice::trellis || coding_.path % kChunk == 0;
    const int count = coding_.dim - first < kChunk ? coding_.dim - first : kChunk;
    if (at_ < end_ && paths && count == kChunk) {
      const bool done =
          (bits & kRawNear) != 0 ? take_fast<true>(first, twice) : take_fast<false>(first, twice);
      if (done) {
#pragma unroll
        for (int j = 0; j < kChunk; ++j) {
          const int k = kLattice == PageLattice::trellis ? kChunk - 1 - j : j;
          consumer.take(group, first + k, twice[k]);
        }
        return true;
      }
    }
    bool good = true;
#pragma unroll 1
    for (int j = 0; j < count && good; ++j) {
      const int k = kLattice == PageLattice::trellis ? count - 1 - j : j;
      good = take_one(group, first + k, consumer);
    }
    return good;
  }

  // Coordinates first to first + 7. False where the page ends or is damaged, and where the window was
  // too small: then nothing has happened.
  template <bool kRaw>
  __device__ __forceinline__ bool take_fast(int first, std::int32_t (&twice)[kChunk]) {
    require_window(kRaw ? kUsualRawBytes : kUsualBytes);
    bool again = false;
    if (take_words<kRaw, false>(first, twice, again)) return true;
    return again && take_words<kRaw, true>(first, twice, again);
  }

  // The same within the window; without kEscapes also false where a lane has escaped, and then it sets
  // `again`, in all lanes.
  template <bool kRaw, bool kEscapes>
  __device__ __forceinline__ bool take_words(int first, std::int32_t (&twice)[kChunk],
                                             bool& again) {
    const std::uint32_t state_before = state_, path_before = path_;
    std::uint32_t at = at_;
    // How far `at` may be behind the window's end, known when compiled.
    int most = -static_cast<int>(kRaw ? kUsualRawBytes : kUsualBytes);
    const auto before_refill = [&] {
      if (most + kMostRefillBytes > kWindowSlack) {
        at = within_slack(at);
        most = kWithinSlack;
      }
      most += kMostRefillBytes;
      if (kEscapes && most < 0) most = 0;  // as words of escapes may be taken up to there
    };
    bool bad = false;
    if (kLattice == PageLattice::trellis && (first + kChunk) % coding_.path == 0) path_ = 0;
    std::uint32_t coset = 0;
    if (kLattice == PageLattice::e8) {
      coset = take_coset(plan_.cosets[first / kChunk]);
      before_refill();
      refill(at);
    }
    std::uint32_t parity = 0;
#pragma unroll
    for (int j = 0; j < kChunk; ++j) {
      const int k = kLattice == PageLattice::trellis ? kChunk - 1 - j : j;
      const bool last =
          kLattice == PageLattice::d4 ? k % 4 == 3 : kLattice == PageLattice::e8 && k == 7;
      std::uint32_t context = kLattice == PageLattice::trellis ? path_ & 1 : coset;
      if (last) context |= kLattice == PageLattice::d4 ? parity >> 1 & 1 : parity & 2;
      const std::uint32_t place = static_cast<std::uint32_t>((first + k) * kContexts) + context;
      const TakeStep step = tables_.step(place);
      const std::uint32_t raw_bits = kRaw ? raw_bits_of(step.bits) : 0,
                          scale_bits = kRaw ? scale_bits_of(step.bits) : (last ? 2 : 1);
      const std::uint32_t symbol = take_symbol(step, state_);
      twice[k] = tables_.twice(step, symbol, raw_bits + scale_bits);
      before_refill();
      if (kEscapes && any_lane(symbol == 0)) {
        bad |= at + kMostEscapedBytes > window_end() ||
               !take_escaped(at, symbol == 0, place, twice[k]);
      } else {
        bad |= !kEscapes && symbol == 0;
        refill(at);
      }
      if (kRaw) {
        twice[k] += static_cast<std::int32_t>((state_ & ((1u << raw_bits) - 1)) << scale_bits);
        bad |= twice[k] > kMostTwice && active_;
        state_ >>= raw_bits;
        before_refill();
        refill(at);  // takes nothing where there are no raw bits
      }
      follow(twice[k]);
      parity = last ? 0 : parity ^ static_cast<std::uint32_t>(twice[k]);
    }
    again = any_lane(bad);
    if (!again && at < end_ && at <= window_end()) {
      at_ = at;
      return true;
    }
    state_ = state_before;
    path_ = path_before;
    return false;
  }

  // What the state's slot says, 0 for the escape; the state is left without the symbol.
  __device__ __forceinline__ std::uint32_t take_symbol(const TakeStep& step, std::uint32_t state) {
    const std::uint32_t symbol = tables_.symbol(step, state);
    const int2 taker = tables_.taker(step, symbol);
    state_ = state + static_cast<std::uint32_t>(taker.y) +
             (state / kSlots) * static_cast<std::uint32_t>(taker.x);
    return symbol;
  }

  // The words after a step in which some lanes, perhaps this one, have escaped. False where the page
  // is damaged.
  __device__ __forceinline__ bool take_escaped(std::uint32_t& at, bool escaped, std::uint32_t place,
                                               std::int32_t& twice) {
    std::uint32_t number = 0;
    if (!refill_slowly(at, escaped, number)) return false;
    if (!escaped) return true;
    const PageContext& context = coding_.contexts[plan_.context[place]];
    const auto high = static_cast<std::int32_t>(number);
    const std::int64_t wide =
        static_cast<std::int64_t>(high) * (1 << (context.raw_bits + context.scale_bits)) +
        context.offset;
    twice = static_cast<std::int32_t>(wide);
    return wide <= kMostTwice && wide >= -kMostTwice &&
           number - static_cast<std::uint32_t>(context.first) >= context.escape;
  }

  // 1 for half-integers.
  __device__ __forceinline__ std::uint32_t take_coset(std::uint32_t integers) {
    const std::uint32_t slot = state_ % kSlots;
    const bool half = slot >= integers;
    const std::uint32_t frequency = half ? kSlots - integers : integers;
    state_ = (state_ / kSlots) * frequency + slot - (half ? integers : 0);
    return half ? 1 : 0;
  }

  // lattice/trellis.h: a nibble of the number is what the state becomes where n / 2 is even.
  __device__ __forceinline__ void follow(std::int32_t twice) {
    if (kLattice != PageLattice::trellis) return;
    path_ = (0x63724150u >> (4 * path_) & 7) ^ (static_cast<std::uint32_t>(twice) & 2);
  }

  // One coordinate, its coset before it, with every check.
  template <typename Consumer>
  __device__ bool take_one(int group, int i, Consumer& consumer) {
    if (kLattice == PageLattice::trellis && i % coding_.path == coding_.path - 1) path_ = 0;
    if (kLattice == PageLattice::e8 && i % 8 == 0 && !take_coset_slowly(i / 8)) return false;
    const bool last = is_last<kLattice>(i);
    std::uint32_t context = 0;
    if (kLattice == PageLattice::trellis) context = path_ & 1;
    if (kLattice == PageLattice::e8) context = coset_ | (last ? parity_ & 2 : 0);
    if (kLattice == PageLattice::d4) context = last ? parity_ >> 1 & 1 : 0;
    std::int32_t twice = 0;
    if (!take_slowly(static_cast<std::uint32_t>(i * kContexts) + context, twice)) return false;
    follow(twice);
    parity_ = last ? 0 : parity_ ^ static_cast<std::uint32_t>(twice);
    consumer.take(group, i, twice);
    return true;
  }

  __device__ bool take_coset_slowly(int block) {
    const std::uint32_t integers = plan_.cosets[block], halves = kSlots - integers;
    if (lowered_ && state_ < kSlots) {  // CosetTable::row_position()
      const std::uint32_t ones = state_ * halves / kSlots;
      const bool is_one = (state_ + 1) * halves / kSlots > ones;
      state_ = is_one ? integers + ones : state_ - ones;
    }
    coset_ = take_coset(integers);
    parity_ = 0;
    if (lowered_) return true;
    std::uint32_t none = 0;
    require_window(kMostStepBytes);
    refill_slowly(at_, false, none);
    return at_ != end_ || lower();
  }

  __device__ bool take_slowly(std::uint32_t place, std::int32_t& twice) {
    const TakeStep step = tables_.step(place);
    const std::uint32_t raw_bits = raw_bits_of(step.bits), scale_bits = scale_bits_of(step.bits);
    std::uint32_t state = state_, none = 0;
    if (lowered_ && state < kSlots) {
      const PageContext& context = coding_.contexts[plan_.context[place]];
      state = __ldg(reinterpret_cast<const std::uint16_t*>(coding_.tables + context.row_positions) +
                    state);
    }
    const std::uint32_t symbol = take_symbol(step, state);
    const bool escaped = active_ && symbol == 0;
    twice = tables_.twice(step, symbol, raw_bits + scale_bits);
    // No words are left once states have been lowered.
    bool good = !lowered_ || !escaped;
    if (!lowered_) {
      require_window(kMostStepBytes);
      good = take_escaped(at_, escaped, place, twice);
    }
    if (raw_bits != 0) {
      twice += static_cast<std::int32_t>((state_ & ((1u << raw_bits) - 1)) << scale_bits);
      good = good && (twice <= kMostTwice || !active_);
      state_ >>= raw_bits;
      if (!lowered_) refill_slowly(at_, false, none);
    }
    if (any_lane(!good)) return false;
    return at_ != end_ || lowered_ || lower();
  }

  // The encoder wrote its first word here, after lifting the lanes that were short of 2^16.
  __device__ bool lower() {
    const std::uint32_t state = active_ ? state_ : waiting_;
    const bool ours = lane_number() < vectors_, lifted = (lifted_ >> lane_number() & 1) != 0;
    if (any_lane(ours && (state < kLeastLaneState || (lifted && state >= 2 * kLeastLaneState)))) {
      return false;
    }
    const std::uint32_t less = ours && lifted ? kLeastLaneState : 0;
    if (active_) state_ -= less;
    if (!active_) waiting_ -= less;
    lowered_ = true;
    return true;
  }

  const PageCoding& coding_;
  const HeadPlan& plan_;
  const TakeTables<kKind>& tables_;
  std::uint32_t state_, lifted_;
  int vectors_;
  std::uint32_t below_, least_ = kLeastLaneState, waiting_ = 0, path_ = 0, coset_ = 0, parity_ = 0;
  bool active_ = true, lowered_ = false;
};

/// Decodes a page of `vectors` vectors, 1 or more, by all lanes of a warp together:
/// consumer.take(group, i, twice) is called by all of them at once with twice coordinate i of vector
/// 32 * group + lane, something else in lanes without a vector, in decoding order: groups from the
/// last to the first, coordinates in ascending order, of the trellis in descending order. False where
/// PointCoder::decode() would throw: then what the consumer took is worth nothing. `window`:
/// kWindowRoom bytes of the warp's shared memory.
template <PageLattice kLattice, TableKind kKind, typename Consumer>
__device__ bool decode_page(const PageCoding& coding, const HeadPlan& plan,
                            const TakeTables<kKind>& tables, const PageBytes& page, int vectors,
                            Consumer& consumer, std::uint8_t* window) {
  std::uint32_t state = 0, lifted = 0, bytes = 0;
  const int lanes = vectors < kPageLanes ? vectors : kPageLanes;
  if (!take_lane_states(page, lanes, state, lifted, bytes)) return false;
  return PageTaker<kLattice, kKind>(coding, plan, tables, page, page.begin + bytes, state, lifted,
                                    vectors, window)
      .run(consumer);
}

}  // namespace kakeya::kernels
