// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp encodes a page, in the opposite of the decoding order, into a slot that it fills from the
// end. Eight coordinates at a time once words have begun, before that one by one.

#include "kernels/pages_states.cuh"

namespace kakeya::kernels {

/// What eight coordinates write at most: a word a lane and step, two for an escape, another for raw
/// bits, and one for a coset. A slot has so much more than its pages.
constexpr int kPageSlack = 2 * kPageLanes * (4 * kChunk + 1);

template <PageLattice kLattice, bool kShared>
class PagePutter {
 public:
  __device__ __forceinline__ PagePutter(const PageCoding& coding, const HeadPlan& plan,
                                        const PutTables<kShared>& tables, std::uint8_t* slot,
                                        std::int64_t slot_bytes, int vectors)
      : coding_(coding),
        plan_(plan),
        tables_(tables),
        slot_(slot),
        word_(slot + kPageSlack + slot_bytes),
        vectors_(vectors),
        below_(lanes_below(lane_number())) {}

  /// The bytes of the page, which end with the slot; -1 where it has no room.
  template <typename Producer>
  __device__ __forceinline__ std::int64_t run(Producer& producer, std::uint32_t* header) {
    const int lane = lane_number(), chunks = (coding_.dim + kChunk - 1) / kChunk;
    const std::uint8_t* const end = word_;
    bool good = true;
    for (int group = 0; group * kPageLanes < vectors_ && good; ++group) {
      active_ = lane < vectors_ - group * kPageLanes;
      waiting_ = state_;
      if (!active_) state_ = 0;  // writes no words
      for (int before = 0; before < chunks && good; ++before) {
        const int chunk = kLattice == PageLattice::trellis ? before : chunks - 1 - before;
        good = put_chunk(group, chunk * kChunk, producer);
      }
      if (!active_) state_ = waiting_;
    }
    active_ = true;
    if (!good) return -1;
    if (!begun_) lift();
    if (!put_states(header)) return -1;
    return word_ - slot_ < kPageSlack ? -1 : end - word_;
  }

 private:
  static constexpr int kContexts = contexts_of(kLattice);

  // Writes the low words of the states that reach `limit`, below the `emitted_` bytes before word_. No
  // limit is 0, so that states of 0 write nothing.
  __device__ __forceinline__ void emit(std::uint32_t limit) {
#if defined(__CUDACC__)
    // What a compiler makes of the lines below has branches.
    asm volatile(
        "{ .reg .pred full; .reg .b32 mask, count; .reg .b64 to;\n"
        "setp.ge.u32 full, %0, %2;\n"
        "vote.sync.ballot.b32 mask, full, 0xffffffff;\n"
        "popc.b32 count, mask;\n"
        "mad.lo.u32 %1, count, 2, %1;\n"
        "and.b32 count, mask, %4;\n"
        "popc.b32 count, count;\n"
        "mad.lo.u32 count, count, -2, %1;\n"
        "cvt.u64.u32 to, count;\n"
        "sub.u64 to, %3, to;\n"
        "@full st.global.u16 [to], %0;\n"
        "@full shr.u32 %0, %0, 16; }\n"
        : "+r"(state_), "+r"(emitted_)
        : "r"(limit), "l"(word_), "r"(below_)
        : "memory");
#else
    const bool full = state_ >= limit;
    const std::uint32_t mask = __ballot_sync(kAll, full);
    emitted_ += 2 * __popc(mask);
    if (full) {
      *reinterpret_cast<std::uint16_t*>(word_ - emitted_ + 2 * __popc(mask & below_)) =
          static_cast<std::uint16_t>(state_);
      state_ >>= 16;
    }
#endif
  }

  // RansSymbol::put(), of a state that does not overflow.
  __device__ __forceinline__ void put(const uint4& putter) {
    const std::uint32_t quotient = (__umulhi(state_, putter.x) + state_ * putter.y) >> (44 - 32);
    state_ = state_ + (putter.w & 0xffff) + quotient * (putter.w >> 16);
  }

  // Raw bits, not 0 of them.
  __device__ __forceinline__ void put_raw(std::uint32_t raw_bits, std::uint32_t raw) {
    emit(1u << (32 - raw_bits));
    if (active_) state_ = state_ << raw_bits | (raw & ((1u << raw_bits) - 1));
  }

  __device__ __forceinline__ void put_symbol(const uint4& putter) {
    emit(putter.z);
    if (active_) put(putter);
  }

  __device__ __forceinline__ uint4 coset_putter(int block, std::int32_t twice) const {
    return __ldg(reinterpret_cast<const uint4*>(plan_.coset_putters) + 2 * block + (twice & 1));
  }

  template <typename Producer>
  __device__ __forceinline__ bool put_chunk(int group, int first, Producer& producer) {
    if (word_ - slot_ < kPageSlack) return false;
    const int count = coding_.dim - first < kChunk ? coding_.dim - first : kChunk;
    if (begun_ && count == kChunk) {
      std::int32_t twice[kChunk];
#pragma unroll
      for (int k = 0; k < kChunk; ++k) twice[k] = 0;
      if (active_) producer.get(group, first, twice);
      const std::uint32_t bits = tables_.step(static_cast<std::uint32_t>(first * kContexts)).bits;
      emitted_ = 0;
      if ((bits & kRawNear) != 0) {
        put_fast<true>(first, twice);
      } else {
        put_fast<false>(first, twice);
      }
      word_ -= emitted_;
      return true;
    }
    const auto coordinate = [&](int j) {
      return first + (kLattice == PageLattice::trellis ? j : count - 1 - j);
    };
    const auto twice_at = [&](int j) {
      return active_ && j < count ? producer.twice(group, coordinate(j)) : 0;
    };
    std::int32_t twice = twice_at(0);
#pragma unroll 1
    for (int j = 0; j < count; ++j) {
      const std::int32_t next = twice_at(j + 1);  // is on its way meanwhile
      put_one(coordinate(j), twice);
      twice = next;
    }
    return true;
  }

  // Coordinates first to first + 7, words having begun.
  template <bool kRaw>
  __device__ __forceinline__ void put_fast(int first, const std::int32_t (&twice)[kChunk]) {
    std::uint32_t putter[kChunk], bits[kChunk];
    bool escaped = false;
#pragma unroll
    for (int k = 0; k < kChunk; ++k) {
      const PutStep step = tables_.step(static_cast<std::uint32_t>((first + k) * kContexts) +
                                        context_of<kLattice>(k, twice[k]));
      bits[k] = step.bits;
      const std::uint32_t index =
          static_cast<std::uint32_t>(twice[k] >> shift_of<kRaw>(k, bits[k])) -
          static_cast<std::uint32_t>(step.first);
      escaped |= active_ && index >= step.escape;
      putter[k] = step.putters + 16 * (index < step.escape ? index : step.escape);
    }
    if (any_lane(escaped)) {
      put_all<kRaw, true>(first, twice, putter, bits);
    } else {
      put_all<kRaw, false>(first, twice, putter, bits);
    }
  }

  template <bool kRaw>
  static __device__ __forceinline__ std::uint32_t shift_of(int k, std::uint32_t bits) {
    return kRaw ? raw_bits_of(bits) + scale_bits_of(bits) : (is_last<kLattice>(k) ? 2 : 1);
  }

  // kEscapes: some are perhaps escaped.
  template <bool kRaw, bool kEscapes>
  __device__ __forceinline__ void put_all(int first, const std::int32_t (&twice)[kChunk],
                                          const std::uint32_t (&putter)[kChunk],
                                          const std::uint32_t (&bits)[kChunk]) {
#pragma unroll
    for (int j = 0; j < kChunk; ++j) {
      const int k = kLattice == PageLattice::trellis ? j : kChunk - 1 - j;
      if (kRaw && raw_bits_of(bits[k]) != 0) {
        put_raw(raw_bits_of(bits[k]),
                static_cast<std::uint32_t>(twice[k] >> scale_bits_of(bits[k])));
      }
      const uint4 of = tables_.template load<uint4>(putter[k]);
      if (kEscapes) {
        const PutStep step = tables_.step(static_cast<std::uint32_t>((first + k) * kContexts) +
                                          context_of<kLattice>(k, twice[k]));
        const auto number = static_cast<std::uint32_t>(twice[k] >> shift_of<kRaw>(k, bits[k]));
        put_escape(active_ && number - static_cast<std::uint32_t>(step.first) >= step.escape, of.z,
                   number);
      } else {
        emit(of.z);
      }
      if (active_) put(of);
    }
    if (kLattice == PageLattice::e8) put_symbol(coset_putter(first / 8, twice[0]));
  }

  // As emit(), escaped or not.
  __device__ __forceinline__ void put_escape(bool escaped, std::uint32_t limit,
                                             std::uint32_t number) {
    word_ -= emitted_;
    emitted_ = 0;
    emit_with_escape(active_ && state_ >= limit, escaped, number);
  }

  // A coordinate, and of E8 the coset before it. The step that writes the first word is done again,
  // after the lanes that are still short of 2^16 have been lifted.
  __device__ void put_one(int i, std::int32_t twice) {
    put_step([&] { put_slowly(i, twice); });
    if (kLattice == PageLattice::e8 && i % 8 == 0)
      put_step([&] { put_coset_slowly(i / 8, twice); });
  }

  template <typename Step>
  __device__ void put_step(const Step& step) {
#pragma unroll 1
    for (;;) {
      const std::uint32_t state_before = state_;
      std::uint8_t* const word_before = word_;
      emitted_ = 0;
      step();
      word_ -= emitted_;
      emitted_ = 0;
      if (begun_ || word_ == word_before) return;
      word_ = word_before;
      state_ = state_before;
      lift();
      begun_ = true;
    }
  }

  __device__ void put_slowly(int i, std::int32_t twice) {
    const auto place = static_cast<std::uint32_t>(i * kContexts) + context_of<kLattice>(i, twice);
    const PutStep step = tables_.step(place);
    const std::uint32_t raw_bits = raw_bits_of(step.bits), scale_bits = scale_bits_of(step.bits);
    if (raw_bits != 0) put_raw(raw_bits, static_cast<std::uint32_t>(twice >> scale_bits));
    const std::int32_t high = twice >> (raw_bits + scale_bits);
    const std::uint32_t index =
        static_cast<std::uint32_t>(high) - static_cast<std::uint32_t>(step.first);
    const bool escaped = active_ && index >= step.escape;
    const uint4 putter = tables_.template load<uint4>(
        step.putters + 16 * (index < step.escape ? index : step.escape));
    const bool small = !begun_ && state_ < kSlots - (putter.w >> 16);
    put_escape(escaped, putter.z, static_cast<std::uint32_t>(high));
    if (active_ && small) {
      const PageContext& context = coding_.contexts[plan_.context[place]];
      const auto* slots =
          reinterpret_cast<const std::uint16_t*>(coding_.tables + context.spread_slots);
      state_ = slots[(putter.w & 0xffff) + state_];
    } else if (active_) {
      put(putter);
    }
  }

  __device__ void put_coset_slowly(int block, std::int32_t twice) {
    const uint4 putter = coset_putter(block, twice);
    const std::uint32_t integers = plan_.cosets[block], halves = kSlots - integers;
    const bool small = !begun_ && state_ < kSlots - (putter.w >> 16);
    emit(putter.z);
    if (active_ && small) {  // CosetTable::slot()
      const std::uint32_t position = (putter.w & 0xffff) + state_;
      state_ = position < integers ? position * kSlots / integers
                                   : ((position - integers + 1) * kSlots + halves - 1) / halves - 1;
    } else if (active_) {
      put(putter);
    }
  }

  // As emit(); behind the word of a lane that escapes, in two words, its number.
  __device__ void emit_with_escape(bool overflows, bool escaped, std::uint32_t number) {
    const std::uint32_t mask = __ballot_sync(kAll, overflows),
                        escapes = __ballot_sync(kAll, escaped);
    word_ -= 2 * __popc(mask) + 4 * __popc(escapes);
    auto* at = reinterpret_cast<std::uint16_t*>(word_ + 2 * __popc(mask & below_) +
                                                4 * __popc(escapes & below_));
    if (overflows) {
      *at++ = static_cast<std::uint16_t>(state_);
      state_ >>= 16;
    }
    if (escaped) {
      at[0] = static_cast<std::uint16_t>(number);
      at[1] = static_cast<std::uint16_t>(number >> 16);
    }
  }

  __device__ void lift() {
    const std::uint32_t state = active_ ? state_ : waiting_;
    const bool lifts = lane_number() < vectors_ && state < kLeastLaneState;
    const std::uint32_t more = lifts ? kLeastLaneState : 0;
    if (active_) state_ += more;
    if (!active_) waiting_ += more;
    lifted_ = __ballot_sync(kAll, lifts);
  }

  // Before the words.
  __device__ bool put_states(std::uint32_t* header) {
    const std::uint32_t bytes = put_lane_states(header, vectors_, state_, lifted_);
    if (word_ - slot_ < static_cast<std::int64_t>(bytes)) return false;
    word_ -= bytes;
    const auto* from = reinterpret_cast<const std::uint8_t*>(header);
    for (auto k = static_cast<std::uint32_t>(lane_number()); k < bytes; k += 32) word_[k] = from[k];
    __syncwarp();
    return true;
  }

  const PageCoding& coding_;
  const HeadPlan& plan_;
  const PutTables<kShared>& tables_;
  std::uint8_t *slot_, *word_;
  int vectors_;
  // Of a lane without a vector in this group state_ is 0, and its own state waits.
  std::uint32_t below_, state_ = 0, waiting_ = 0, lifted_ = 0;
  std::uint32_t emitted_ = 0;  // bytes that are written before word_
  bool active_ = true, begun_ = false;
};

/// Encodes a page of `vectors` vectors, 1 or more, by all lanes of a warp together: producer.twice(
/// group, i) is twice coordinate i of vector 32 * group + lane, asked for by lanes that have a
/// vector, in the opposite of the decoding order. The page is at the end of the slot, kPageSlack +
/// slot_bytes bytes, slot_bytes a multiple of 16. Returns its bytes, or -1 where there are more than
/// slot_bytes. `header`: kHeaderWords of the warp's shared memory.
template <PageLattice kLattice, bool kShared, typename Producer>
__device__ std::int64_t encode_page(const PageCoding& coding, const HeadPlan& plan,
                                    const PutTables<kShared>& tables, std::uint8_t* slot,
                                    std::int64_t slot_bytes, int vectors, Producer& producer,
                                    std::uint32_t* header) {
  return PagePutter<kLattice, kShared>(coding, plan, tables, slot, slot_bytes, vectors)
      .run(producer, header);
}

}  // namespace kakeya::kernels
