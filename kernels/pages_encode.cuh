// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp encodes a page, in the opposite of the decoding order, into a slot that it fills from the
// end. Eight coordinates at a time without looking at the ends of the slot, where none of them is
// escaped and words have begun; otherwise one by one.

#include "kernels/pages_states.cuh"

namespace kakeya::kernels {

/// What a coordinate or a coset writes at most, raw bits and an escape included.
constexpr int kPageSlack = 2 * kPageLanes * 4;

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
        word_(slot + slot_bytes),
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
      for (int before = 0; before < chunks && good; ++before) {
        const int chunk = kLattice == PageLattice::trellis ? before : chunks - 1 - before;
        good = put_chunk(group, chunk * kChunk, producer);
      }
    }
    if (!good) return -1;
    if (!begun_) lift();
    return put_states(header) ? end - word_ : -1;
  }

 private:
  static constexpr int kContexts = contexts_of(kLattice);
  // What a chunk writes at most: a word a lane and step, another for raw bits, one for a coset.
  static constexpr int kMostChunkBytes = 2 * kPageLanes * (2 * kChunk + 1);

  // Writes the low words of the states that overflow.
  __device__ __forceinline__ void emit(bool overflows) {
    const std::uint32_t mask = __ballot_sync(kAll, overflows);
    word_ -= 2 * __popc(mask);
    if (overflows) {
      *reinterpret_cast<std::uint16_t*>(word_ + 2 * __popc(mask & below_)) =
          static_cast<std::uint16_t>(state_);
      state_ >>= 16;
    }
  }

  // RansSymbol::put(), of a state that does not overflow.
  __device__ __forceinline__ void put(const uint4& putter) {
    const std::uint32_t quotient = (__umulhi(state_, putter.x) + state_ * putter.y) >> (44 - 32);
    state_ = state_ + (putter.w & 0xffff) + quotient * (putter.w >> 16);
  }

  __device__ __forceinline__ void put_raw(std::uint32_t raw_bits, std::uint32_t raw) {
    emit(active_ && state_ >> (32 - raw_bits) != 0);
    if (active_) state_ = state_ << raw_bits | (raw & ((1u << raw_bits) - 1));
  }

  __device__ __forceinline__ void put_symbol(const uint4& putter) {
    emit(active_ && state_ >= putter.z);
    if (active_) put(putter);
  }

  __device__ __forceinline__ uint4 coset_putter(int block, std::int32_t twice) const {
    return __ldg(reinterpret_cast<const uint4*>(plan_.coset_putters) + 2 * block + (twice & 1));
  }

  template <typename Producer>
  __device__ __forceinline__ bool put_chunk(int group, int first, Producer& producer) {
    const int count = coding_.dim - first < kChunk ? coding_.dim - first : kChunk;
    if (begun_ && word_ - slot_ >= kMostChunkBytes && count == kChunk) {
      std::int32_t twice[kChunk];
#pragma unroll
      for (int k = 0; k < kChunk; ++k) twice[k] = active_ ? producer.twice(group, first + k) : 0;
      const std::uint32_t bits = tables_.step(static_cast<std::uint32_t>(first * kContexts)).bits;
      const bool done =
          (bits & kRawNear) != 0 ? put_fast<true>(first, twice) : put_fast<false>(first, twice);
      if (done) return true;
    }
    bool good = true;
#pragma unroll 1
    for (int j = 0; j < count && good; ++j) {
      const int k = kLattice == PageLattice::trellis ? j : count - 1 - j;
      good = put_one(group, first + k, producer);
    }
    return good;
  }

  // False where one is escaped: then nothing has happened.
  template <bool kRaw>
  __device__ __forceinline__ bool put_fast(int first, const std::int32_t (&twice)[kChunk]) {
    std::uint32_t putter[kChunk], bits[kChunk];
    bool escaped = false;
#pragma unroll
    for (int k = 0; k < kChunk; ++k) {
      const PutStep step = tables_.step(static_cast<std::uint32_t>((first + k) * kContexts) +
                                        context_of<kLattice>(k, twice[k]));
      bits[k] = step.bits;
      const std::uint32_t shift =
          kRaw ? raw_bits_of(bits[k]) + scale_bits_of(bits[k]) : (is_last<kLattice>(k) ? 2 : 1);
      const std::uint32_t index =
          static_cast<std::uint32_t>(twice[k] >> shift) - static_cast<std::uint32_t>(step.first);
      escaped |= active_ && index >= step.escape;
      putter[k] = step.putters + 16 * (index < step.escape ? index : step.escape);
    }
    if (any_lane(escaped)) return false;
#pragma unroll
    for (int j = 0; j < kChunk; ++j) {
      const int k = kLattice == PageLattice::trellis ? j : kChunk - 1 - j;
      if (kRaw && raw_bits_of(bits[k]) != 0) {
        put_raw(raw_bits_of(bits[k]),
                static_cast<std::uint32_t>(twice[k] >> scale_bits_of(bits[k])));
      }
      put_symbol(tables_.template load<uint4>(putter[k]));
    }
    if (kLattice == PageLattice::e8) put_symbol(coset_putter(first / 8, twice[0]));
    return true;
  }

  // A coordinate, and of E8 the coset before it. The step that writes the first word is done again,
  // after the lanes that are still short of 2^16 have been lifted.
  template <typename Producer>
  __device__ bool put_one(int group, int i, Producer& producer) {
    const std::int32_t twice = active_ ? producer.twice(group, i) : 0;
    const bool good = put_step([&] { put_slowly(i, twice); });
    if (kLattice != PageLattice::e8 || i % 8 != 0 || !good) return good;
    return put_step([&] { put_coset_slowly(i / 8, twice); });
  }

  template <typename Step>
  __device__ bool put_step(const Step& step) {
    if (word_ - slot_ < kPageSlack) return false;
#pragma unroll 1
    for (;;) {
      const std::uint32_t state_before = state_;
      std::uint8_t* const word_before = word_;
      step();
      if (begun_ || word_ == word_before) return true;
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
    emit_with_escape(active_ && !small && state_ >= putter.z, escaped,
                     static_cast<std::uint32_t>(high));
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
    emit(active_ && !small && state_ >= putter.z);
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
    const bool lifts = lane_number() < vectors_ && state_ < kLeastLaneState;
    if (lifts) state_ += kLeastLaneState;
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
  std::uint32_t below_, state_ = 0, lifted_ = 0;
  bool active_ = true, begun_ = false;
};

/// Encodes a page of `vectors` vectors, 1 or more, by all lanes of a warp together: producer.twice(
/// group, i) is twice coordinate i of vector 32 * group + lane, asked for by lanes that have a
/// vector, in the opposite of the decoding order and perhaps more than once. The page is at the end
/// of the slot, a multiple of 16 bytes. Returns its bytes, or -1 where the slot is too small: pages
/// that leave kPageSlack bytes of it fit. `header`: kHeaderWords of the warp's shared memory.
template <PageLattice kLattice, bool kShared, typename Producer>
__device__ std::int64_t encode_page(const PageCoding& coding, const HeadPlan& plan,
                                    const PutTables<kShared>& tables, std::uint8_t* slot,
                                    std::int64_t slot_bytes, int vectors, Producer& producer,
                                    std::uint32_t* header) {
  return PagePutter<kLattice, kShared>(coding, plan, tables, slot, slot_bytes, vectors)
      .run(producer, header);
}

}  // namespace kakeya::kernels
