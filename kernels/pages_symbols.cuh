// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp takes symbols off the states of its lanes, and words of a page for those that are short of
// one: which lanes take a word is a ballot, and a lane's word is behind those of the lanes below it.

#include "kernels/pages_window.cuh"

namespace kakeya::kernels {

template <PageLattice kLattice, TableKind kKind>
class PageSymbols : protected PageWindow {
 protected:
  static constexpr int kContexts = contexts_of(kLattice);
  static constexpr bool kDown = kLattice == PageLattice::trellis;  // the order of coordinates

  __device__ __forceinline__ PageSymbols(const PageCoding& coding, const HeadPlan& plan,
                                         const TakeTables<kKind>& tables, const PageBytes& page,
                                         std::uint8_t* window)
      : PageWindow(page, window),
        coding_(coding),
        plan_(plan),
        tables_(tables),
        below_(lanes_below(lane_number())) {}

  // What a step takes at most in which all lanes escape.
  static constexpr std::uint32_t kMostEscapedBytes = 2 * kPageLanes * 3;

  // Where words are: that of this lane in the last refill, if it took one; which lanes did.
  struct Place {
    std::uint32_t at, taken;
  };
  // The next word, which is the same for all lanes.
  __device__ __forceinline__ std::uint32_t next_of(const Place& place) const {
    return place.at + 2 * static_cast<std::uint32_t>(__popc(place.taken & ~below_));
  }

  // Takes a word if the state is short of one, as those of `lanes` are. Lanes that took one in the refill
  // before, from this one on, and those below it that do now are one population count.
  __device__ __forceinline__ void take_word(std::uint32_t lanes, std::uint32_t& state,
                                            Place& place) const {
#if defined(__CUDACC__)
    // What a compiler makes of the lines below is longer.
    asm volatile(
        "{ .reg .pred takes; .reg .b32 count, word;\n"
        "lop3.b32 count, %5, %2, %4, 0xe4;\n"
        "popc.b32 count, count;\n"
        "mad.lo.u32 %1, count, 2, %1;\n"
        "ld.shared.u16 word, [%1];\n"
        "setp.lt.u32 takes, %0, %3;\n"
        "@takes mad.lo.u32 %0, %0, 65536, word;\n"
        "mov.b32 %2, %5; }\n"
        : "+r"(state), "+r"(place.at), "+r"(place.taken)
        : "r"(least_), "r"(below_), "r"(lanes));
#else
    place.at += 2 * __popc((lanes & below_) | (place.taken & ~below_));
    place.taken = lanes;
    const std::uint32_t word = word_at(place.at);
    if (state < least_) state = state << 16 | word;
#endif
  }
  __device__ __forceinline__ void refill(std::uint32_t& state, Place& place) const {
    take_word(__ballot_sync(kAll, state < least_), state, place);
  }

  // The same with every check: takes a word as far as there are any, and two more after an escape,
  // `number`. False where these are not there.
  __device__ __forceinline__ bool refill_slowly(std::uint32_t& state, std::uint32_t& at,
                                                bool escaped, std::uint32_t& number) const {
    const bool takes = state < least_;
    const std::uint32_t mask = __ballot_sync(kAll, takes), escapes = __ballot_sync(kAll, escaped);
    std::uint32_t place = at + 2 * __popc(mask & below_) + 4 * __popc(escapes & below_);
    at += 2 * __popc(mask) + 4 * __popc(escapes);
    if (at > end_) at = end_;
    if (takes && place < end_) state = state << 16 | word_at(place);
    if (!escaped) return true;
    if (takes) place += 2;
    if (place + 4 > end_) return false;
    number = word_at(place) | word_at(place + 2) << 16;
    return true;
  }

  // A symbol off a state, which is left without it: what PageContext says of its entry. After an escape
  // escape() has to be added to the state.
  struct Symbol {
    std::int32_t value;
    std::uint32_t entry;
    __device__ __forceinline__ std::uint32_t escape() const { return entry & kEscapeBits; }
  };
  static constexpr std::uint32_t kEscapeBits = 0xff000;
  __device__ __forceinline__ Symbol take_symbol(std::uint32_t zero, std::uint32_t& state) const {
    const std::uint32_t slot = state % kSlots;
    Symbol symbol;
    symbol.value = tables_.symbol(zero, state, slot);
    symbol.entry = tables_.entry(zero, symbol.value);
    // (state / kSlots) * frequency + slot - start, the entry being frequency * 2^20 + start.
    const std::uint32_t high = __funnelshift_r(state, 1, 12);
    state = high * (symbol.entry >> 20) + (slot - symbol.entry);
    return symbol;
  }

  // The words after a step in which some lanes, perhaps this one, have escaped: `value` becomes the
  // number, `shift` and `offset` take it to twice the coordinate. False where the page is damaged.
  __device__ __forceinline__ bool take_escaped(std::uint32_t& state, std::uint32_t& at,
                                               const Symbol& symbol, bool escaped,
                                               std::uint32_t shift, std::uint32_t offset,
                                               std::int32_t& value) const {
    std::uint32_t number = 0;
    if (!refill_slowly(state, at, escaped, number)) return false;
    if (!escaped) return true;
    value = static_cast<std::int32_t>(number);
    const std::int64_t wide = static_cast<std::int64_t>(value) * (1 << shift) + offset;
    const std::uint32_t count = symbol.escape() >> 12;
    const auto first = static_cast<std::uint32_t>(tables_.first(symbol.value, count));
    return wide <= kMostTwice && wide >= -kMostTwice && number - first >= count;
  }

  // The same where lanes may have escaped from a symbol's step: those take two more words, which become
  // `value`, and `bad` is set if these are no escaped number. `shift` and `offset` take it to twice the
  // coordinate, `escapes` counts. Beyond the window's end all this is worth nothing, and bad.
  __device__ __forceinline__ void refill_checked(std::uint32_t& state, Place& place,
                                                 const Symbol& symbol, std::uint32_t shift,
                                                 std::uint32_t offset, std::int32_t& value,
                                                 std::uint32_t& bad, int& escapes) const {
    constexpr int kFromLast = kKind == TableKind::buckets ? 1 : 0;
#if defined(__CUDACC__)
    std::uint32_t lanes = 0, any = 0;
    asm volatile(
        "{ .reg .pred takes, escaped, any; .reg .b32 bits;\n"
        "and.b32 bits, %2, %5;\n"
        "setp.ne.u32 escaped, bits, 0;\n"
        "setp.lt.u32 takes, %3, %4;\n"
        "vote.sync.any.pred any, escaped, 0xffffffff;\n"
        "vote.sync.ballot.b32 %0, takes, 0xffffffff;\n"
        "selp.u32 %1, 1, 0, any; }\n"
        : "=r"(lanes), "=r"(any)
        : "r"(symbol.entry), "r"(state), "r"(least_), "n"(kEscapeBits));
    if (__builtin_expect(any == 0, 1)) {
      take_word(lanes, state, place);
      return;
    }
    // As below, but without a branch: lanes that may part cost two instructions before each ballot.
    asm volatile(
        "{ .reg .pred takes, escaped, wrong; .reg .b32 bits, lanes, others, count, word, high;\n"
        ".reg .s64 wide, more;\n"
        // The state is short of the escape's bits, and the next word of all lanes is `others`.
        "and.b32 bits, %6, %13;\n"
        "setp.ne.u32 escaped, bits, 0;\n"
        "add.u32 %0, %0, bits;\n"
        "not.b32 others, %8;\n"
        "and.b32 others, others, %2;\n"
        "popc.b32 others, others;\n"
        "mad.lo.u32 others, others, 2, %1;\n"
        "add.u32 count, others, %14;\n"
        "setp.gt.u32 wrong, count, %9;\n"
        "@wrong mov.u32 %4, 1;\n"
        "@wrong mov.u32 others, %1;\n"
        "setp.lt.u32 takes, %0, %7;\n"
        "vote.sync.ballot.b32 lanes, takes, 0xffffffff;\n"
        "and.b32 count, lanes, %8;\n"
        "popc.b32 count, count;\n"
        "mad.lo.u32 %1, count, 2, others;\n"
        "popc.b32 count, lanes;\n"
        "mad.lo.u32 others, count, 2, others;\n"
        "vote.sync.ballot.b32 lanes, escaped, 0xffffffff;\n"
        "and.b32 count, lanes, %8;\n"
        "popc.b32 count, count;\n"
        "mad.lo.u32 %1, count, 4, %1;\n"
        "@wrong sub.u32 %1, %9, 8;\n"
        "popc.b32 count, lanes;\n"
        "mad.lo.u32 others, count, 4, others;\n"
        "ld.shared.u16 word, [%1];\n"
        "@takes mad.lo.u32 %0, %0, 65536, word;\n"
        "@takes add.u32 %1, %1, 2;\n"
        "ld.shared.u16 word, [%1];\n"
        "ld.shared.u16 high, [%1+2];\n"
        "prmt.b32 word, word, high, 0x5410;\n"
        "@!wrong mov.u32 %1, others;\n"
        "mov.u32 %2, 0;\n"
        "add.u32 %5, %5, 1;\n"
        // What is the first of the symbols, and whether the number is one of them or too large.
        "shr.u32 count, bits, 12;\n"
        "mov.u32 high, %12;\n"
        "setp.eq.u32 takes, high, 0;\n"
        "@takes add.u32 high, %3, 1;\n"
        "@!takes sub.u32 high, %3, count;\n"
        "sub.u32 high, word, high;\n"
        "setp.lt.u32 wrong, high, count;\n"
        "shl.b32 count, 1, %10;\n"
        "mul.wide.s32 wide, word, count;\n"
        "cvt.s64.s32 more, %11;\n"
        "add.s64 wide, wide, more;\n"
        "setp.gt.or.s64 wrong, wide, %15, wrong;\n"
        "setp.lt.or.s64 wrong, wide, -%15, wrong;\n"
        "and.pred wrong, wrong, escaped;\n"
        "@wrong mov.u32 %4, 1;\n"
        "@escaped mov.u32 %3, word; }\n"
        : "+r"(state), "+r"(place.at), "+r"(place.taken), "+r"(value), "+r"(bad), "+r"(escapes)
        : "r"(symbol.entry), "r"(least_), "r"(below_), "r"(window_end()), "r"(shift), "r"(offset),
          "n"(kFromLast), "n"(kEscapeBits), "n"(kMostEscapedBytes), "n"(kMostTwice));
#else
    static_cast<void>(kFromLast);
    const bool escaped = symbol.escape() != 0;
    if (!any_lane(escaped)) return refill(state, place);
    ++escapes;
    state += symbol.escape();
    std::uint32_t next = next_of(place);
    if (any_lane(next + kMostEscapedBytes > window_end())) {
      bad = 1;
      return;
    }
    if (!take_escaped(state, next, symbol, escaped, shift, offset, value)) bad = 1;
    place = {next, 0};
#endif
  }

  // value * 2^raw_bits + the low bits of the state, which loses them. Of raw_bits the lowest five count.
  __device__ __forceinline__ static std::int32_t with_raw(std::int32_t value,
                                                          std::uint32_t raw_bits,
                                                          std::uint32_t& state) {
    const auto bits = static_cast<int>(raw_bits);
    const std::uint32_t raw = __funnelshift_l(0, state, 32 - bits);
    state = __funnelshift_r(state, 0, bits);
    return static_cast<std::int32_t>(__funnelshift_l(raw, static_cast<std::uint32_t>(value), bits));
  }

  // The contexts of the coordinates of a unit, which follow from those before.
  struct Contexts {
    std::uint32_t path, coset, parity;
    __device__ __forceinline__ std::uint32_t of(bool last) const {
      if (kLattice == PageLattice::d4) return last ? parity >> 1 & 1 : 0;
      if (kLattice == PageLattice::e8) return last ? coset | (parity & 2) : coset;
      return kLattice == PageLattice::trellis ? path & 1 : 0;
    }
    // lattice/trellis.h: a byte of the two words is what the state becomes where n / 2 is even.
    __device__ __forceinline__ void follow(bool last, std::int32_t twice) {
      const auto low = static_cast<std::uint32_t>(twice);
      if (kDown) path = permute(0x04010500, 0x06030702, path) ^ (low & 2);
      parity = last ? 0 : parity ^ low;
    }
  };
  // A value as twice a coordinate, by its context (ValueGrid).
  __device__ __forceinline__ static std::int32_t twice_of(std::int32_t value, bool last,
                                                          std::uint32_t context) {
    const std::uint32_t scaled = static_cast<std::uint32_t>(value) * (last ? 4 : 2);
    return static_cast<std::int32_t>(scaled + offset_of(context));
  }
  __device__ __forceinline__ static std::uint32_t offset_of(std::uint32_t context) {
    return kLattice == PageLattice::d4 ? 2 * context : context;
  }

  // 1 for half-integers.
  __device__ __forceinline__ static std::uint32_t take_coset(std::uint32_t integers,
                                                             std::uint32_t& state) {
    const std::uint32_t slot = state % kSlots;
    const bool half = slot >= integers;
    const std::uint32_t frequency = half ? kSlots - integers : integers;
    state = (state / kSlots) * frequency + slot - (half ? integers : 0);
    return half ? 1 : 0;
  }

  // States below kSlots, which are only when no words are left, by RansSpread and
  // CosetTable::row_position().
  __device__ __forceinline__ std::uint32_t spread(const TableOffset* takes, std::uint32_t place,
                                                  std::uint32_t state) const {
    if (state >= kSlots) return state;
    const std::uint8_t* rows =
        coding_.tables + (__ldg(takes + place) + coding_.slots_behind + kSlotBytes);
    return __ldg(reinterpret_cast<const std::uint16_t*>(rows) + state);
  }
  __device__ __forceinline__ static std::uint32_t spread_coset(std::uint32_t integers,
                                                               std::uint32_t state) {
    if (state >= kSlots) return state;
    const std::uint32_t halves = kSlots - integers, ones = state * halves / kSlots;
    const bool is_one = (state + 1) * halves / kSlots > ones;
    return is_one ? integers + ones : state - ones;
  }

  const PageCoding& coding_;
  const HeadPlan& plan_;
  const TakeTables<kKind>& tables_;
  std::uint32_t below_, least_ = kLeastLaneState;
};

}  // namespace kakeya::kernels
