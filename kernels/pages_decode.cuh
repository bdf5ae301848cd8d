// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp decodes a page: lane l has vectors l, 32 + l, ... and their rANS state. Which lanes take a
// word is a ballot, and a lane's word is behind those of the lanes below it.
//
// Eight coordinates at a time are decoded as if no page ended and nothing were escaped, from a window
// on the words in shared memory. Where that was not so, the eight are done again one by one from the
// page itself, with every check of the CPU's decoder.

#include "kernels/pages_states.cuh"

namespace kakeya::kernels {

/// Words that a warp has before it, in shared memory.
constexpr int kWindowBytes = 1024;
/// Shared memory that a warp lends decode_page(), at a multiple of 16, for that. What lies behind it
/// may be read as well, kWindowSlack bytes, to no effect.
constexpr int kWindowRoom = kWindowBytes + 16;
constexpr int kWindowSlack = 2 * kPageLanes * (2 * kChunk + 1);

template <PageLattice kLattice, bool kShared>
class PageTaker {
 public:
  __device__ __forceinline__ PageTaker(const PageCoding& coding, const HeadPlan& plan,
                                       const TakeTables<kShared>& tables, const PageBytes& page,
                                       const std::uint8_t* word, std::uint32_t state,
                                       std::uint32_t lifted, int vectors, std::uint8_t* window)
      : coding_(coding),
        plan_(plan),
        tables_(tables),
        word_(word),
        end_(page.end),
        readable_end_(page.readable_end),
        odd_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(word) % 2)),
        window_(window),
        window_number_(shared_number(window)),
        state_(state),
        lifted_(lifted),
        vectors_(vectors),
        below_(lanes_below(lane_number())) {}

  /// True where the page is not damaged.
  template <typename Consumer>
  __device__ __forceinline__ bool run(Consumer& consumer) {
    const int lane = lane_number(), chunks = (coding_.dim + kChunk - 1) / kChunk;
    bool good = word_ != end_ || lower();
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
    return good && word_ == end_ && !any_lane(state_ != 0);
  }

 private:
  static constexpr int kContexts = contexts_of(kLattice);
  // Words that a chunk should find in the window: what most take.
  static constexpr std::uint32_t kUsualBytes = 320, kUsualRawBytes = 640;

  __device__ std::uint32_t load_word(const std::uint8_t* at) const {
    return at[0] | static_cast<std::uint32_t>(at[1]) << 8;
  }

  // Where the next word is in the window, as load_shared() numbers it; the window is moved where it
  // has less than `needed` bytes from there on.
  __device__ __forceinline__ std::uint32_t place_in_window(std::uint32_t needed) {
    auto place = static_cast<std::uint32_t>(word_ - window_at_);
    if (!window_is_filled_ || place + needed > kWindowBytes) {
      fill_window();
      place = static_cast<std::uint32_t>(word_ - window_at_);
    }
    return window_number_ + place - odd_;
  }

  // Words are at even places there: in a page where they are not, bytes move down by one.
  __device__ void fill_window() {
    const auto skipped = reinterpret_cast<std::uintptr_t>(word_) % 16;
    window_at_ = word_ - skipped;
    window_is_filled_ = true;
    __syncwarp();
    for (int piece = lane_number(); piece < kWindowBytes / 16; piece += 32) {
      const std::uint8_t* from = window_at_ + 16 * piece;
      uint4 words = make_uint4(0, 0, 0, 0);
      std::uint32_t next = 0;
      if (from < readable_end_) words = __ldg(reinterpret_cast<const uint4*>(from));
      if (from + 16 < readable_end_)
        next = __ldg(reinterpret_cast<const std::uint32_t*>(from + 16));
      const int shift = static_cast<int>(8 * odd_);
      words = make_uint4(
          __funnelshift_r(words.x, words.y, shift), __funnelshift_r(words.y, words.z, shift),
          __funnelshift_r(words.z, words.w, shift), __funnelshift_r(words.w, next, shift));
      reinterpret_cast<uint4*>(window_)[piece] = words;
    }
    __syncwarp();
  }

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
    std::uint32_t word = 0;
    load_shared(at + 2 * __popc(mask & below_), word, std::uint16_t());
    if (takes) state_ = state_ << 16 | word;
    at += 2 * __popc(mask);
#endif
  }

  template <typename Consumer>
  __device__ __forceinline__ bool take_chunk(int group, int first, Consumer& consumer) {
    std::int32_t twice[kChunk];
    const std::uint32_t bits = tables_.step(static_cast<std::uint32_t>(first * kContexts)).bits;
    const bool paths = kLattice != PageLattice::trellis || coding_.path % kChunk == 0;
    const int count = coding_.dim - first < kChunk ? coding_.dim - first : kChunk;
    if (word_ < end_ && paths && count == kChunk) {
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

  // Coordinates first to first + 7. False where one is escaped or the page ends: then nothing has
  // happened.
  template <bool kRaw>
  __device__ __forceinline__ bool take_fast(int first, std::int32_t (&twice)[kChunk]) {
    const std::uint32_t state_before = state_, path_before = path_;
    const std::uint32_t begin = place_in_window(kRaw ? kUsualRawBytes : kUsualBytes);
    std::uint32_t at = begin;
    bool escaped = false;
    if (kLattice == PageLattice::trellis && (first + kChunk) % coding_.path == 0) path_ = 0;
    std::uint32_t coset = 0;
    if (kLattice == PageLattice::e8) {
      coset = take_coset(plan_.cosets[first / kChunk]);
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
      const TakeStep step =
          tables_.step(static_cast<std::uint32_t>((first + k) * kContexts) + context);
      const std::uint32_t symbol = take_symbol(step, state_);
      escaped |= symbol == 0;
      refill(at);
      if (kRaw) {
        const std::uint32_t raw_bits = raw_bits_of(step.bits),
                            scale_bits = scale_bits_of(step.bits);
        const std::uint32_t raw = state_ & ((1u << raw_bits) - 1);
        twice[k] = step.value + static_cast<std::int32_t>(symbol << (raw_bits + scale_bits)) +
                   static_cast<std::int32_t>(raw << scale_bits);
        escaped |= twice[k] > kMostTwice;  // is done again, and refused
        state_ >>= raw_bits;
        refill(at);  // takes nothing where there are no raw bits
      } else {
        twice[k] = step.value + static_cast<std::int32_t>(symbol << (last ? 2 : 1));
      }
      follow(twice[k]);
      parity = last ? 0 : parity ^ static_cast<std::uint32_t>(twice[k]);
    }
    const std::uint8_t* const word = word_ + (at - begin);
    if (!any_lane(escaped) && word < end_ && word <= window_at_ + kWindowBytes) {
      word_ = word;
      return true;
    }
    state_ = state_before;
    path_ = path_before;
    return false;
  }

  // The byte of the state's slot; the state is left without the symbol.
  __device__ __forceinline__ std::uint32_t take_symbol(const TakeStep& step, std::uint32_t state) {
    const std::uint32_t symbol = tables_.symbol(step, state % kSlots);
    const int2 taker = tables_.taker(step, symbol);
    state_ = state + static_cast<std::uint32_t>(taker.y) +
             (state / kSlots) * static_cast<std::uint32_t>(taker.x);
    return symbol;
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
    take_words(false);
    return word_ != end_ || lowered_ || lower();
  }

  __device__ bool take_slowly(std::uint32_t place, std::int32_t& twice) {
    const TakeStep step = tables_.step(place);
    const std::uint32_t raw_bits = raw_bits_of(step.bits), scale_bits = scale_bits_of(step.bits);
    const PageContext& context = coding_.contexts[plan_.context[place]];
    std::uint32_t state = state_;
    if (lowered_ && state < kSlots) {
      state = reinterpret_cast<const std::uint16_t*>(coding_.tables + context.row_positions)[state];
    }
    const std::uint32_t symbol = take_symbol(step, state);
    twice = step.value + static_cast<std::int32_t>(symbol << (raw_bits + scale_bits));
    const bool escaped = active_ && symbol == 0;
    const std::uint8_t* number = take_words(escaped);
    bool good = true;
    if (escaped) good = take_escaped(context, number, twice);
    if (raw_bits != 0) {
      twice += static_cast<std::int32_t>((state_ & ((1u << raw_bits) - 1)) << scale_bits);
      good = good && (twice <= kMostTwice || !active_);
      state_ >>= raw_bits;
      take_words(false);
    }
    if (any_lane(!good)) return false;
    return word_ != end_ || lowered_ || lower();
  }

  // Takes words as far as there are any, and two more after an escape: returns where these begin.
  __device__ const std::uint8_t* take_words(bool escaped) {
    const bool takes = state_ < least_;
    const std::uint32_t mask = __ballot_sync(kAll, takes), escapes = __ballot_sync(kAll, escaped);
    const int place = __popc(mask & below_) + 2 * __popc(escapes & below_);
    const int all = __popc(mask) + 2 * __popc(escapes);
    const std::int64_t left = (end_ - word_) / 2;
    const std::uint8_t* at = word_ + 2 * place;
    if (takes && place < left) state_ = state_ << 16 | load_word(at);
    word_ += 2 * (all < left ? all : left);
    return at + (takes ? 2 : 0);
  }

  __device__ bool take_escaped(const PageContext& context, const std::uint8_t* at,
                               std::int32_t& twice) const {
    if (at > end_ || end_ - at < 4) return false;
    const auto high = static_cast<std::int32_t>(load_word(at) | load_word(at + 2) << 16);
    const std::int64_t wide =
        static_cast<std::int64_t>(high) * (1 << (context.raw_bits + context.scale_bits)) +
        context.offset;
    twice = static_cast<std::int32_t>(wide);
    return wide <= kMostTwice && wide >= -kMostTwice &&
           static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(context.first) >=
               context.escape;
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
  const TakeTables<kShared>& tables_;
  const std::uint8_t *word_, *end_, *readable_end_;
  const std::uint8_t* window_at_ = nullptr;  // what the window begins with
  std::uint32_t odd_;
  std::uint8_t* window_;
  std::uint32_t window_number_;
  bool window_is_filled_ = false;
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
template <PageLattice kLattice, bool kShared, typename Consumer>
__device__ bool decode_page(const PageCoding& coding, const HeadPlan& plan,
                            const TakeTables<kShared>& tables, const PageBytes& page, int vectors,
                            Consumer& consumer, std::uint8_t* window) {
  std::uint32_t state = 0, lifted = 0, bytes = 0;
  const int lanes = vectors < kPageLanes ? vectors : kPageLanes;
  if (!take_lane_states(page, lanes, state, lifted, bytes)) return false;
  return PageTaker<kLattice, kShared>(coding, plan, tables, page, page.begin + bytes, state, lifted,
                                      vectors, window)
      .run(consumer);
}

}  // namespace kakeya::kernels
