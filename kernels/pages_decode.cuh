// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp decodes a page: lane l has vectors l, 32 + l, ... and their rANS state.
//
// Eight coordinates, a unit, are decoded as if nothing were escaped and no page ended, from a window on
// the words in shared memory. Where that was not so they are done again: by a text that looks for
// escapes at each coordinate, which all units go through where escapes are often; and one by one, with
// every check of the CPU's decoder, where the page ends. Behind the last word units are quick again.

#include "kernels/pages_symbols.cuh"

namespace kakeya::kernels {

/// How often a warp has met escapes, from page to page of its head.
struct EscapeCount {
  int score = 40;  // each counts kEscapeScore; a quarter is forgotten with each group of vectors
  static constexpr int kEscapeScore = 8, kOften = 20;
  __device__ __forceinline__ void add(int escapes) { score += kEscapeScore * escapes; }
  __device__ __forceinline__ void forget() { score -= score / 4; }
  __device__ __forceinline__ bool often() const { return score > kOften; }
};

template <PageLattice kLattice, TableKind kKind>
class PageTaker : PageSymbols<kLattice, kKind> {
  using Base = PageSymbols<kLattice, kKind>;
  using Base::at_, Base::end_, Base::coding_, Base::tables_, Base::least_, Base::kDown,
      Base::kContexts, Base::kEscapeBits, Base::kWithinSlack, Base::next_of, Base::offset_of,
      Base::refill, Base::refill_checked, Base::refill_slowly, Base::require_window, Base::spread,
      Base::spread_coset, Base::take_coset, Base::take_escaped, Base::take_symbol, Base::twice_of,
      Base::window_end, Base::with_raw, Base::within_slack;
  using typename Base::Contexts, typename Base::Place, typename Base::Symbol;

 public:
  __device__ __forceinline__ PageTaker(const PageCoding& coding, const HeadPlan& plan,
                                       const TakeTables<kKind>& tables, const PageBytes& page,
                                       int vectors, std::uint8_t* window, EscapeCount& escapes)
      : Base(coding, plan, tables, page, window), vectors_(vectors), escapes_(escapes) {}

  /// True where the page is not damaged.
  template <typename Consumer>
  __device__ __forceinline__ bool run(Consumer& consumer) {
    const int lane = lane_number(), lanes = vectors_ < kPageLanes ? vectors_ : kPageLanes;
    if (!Base::take_states(static_cast<std::uint32_t>(lanes), state_, lifted_)) return false;
    bool good = at_ != end_ || lower();
    for (int group = (vectors_ + kPageLanes - 1) / kPageLanes; group-- > 0 && good;) {
      active_ = lane < vectors_ - group * kPageLanes;
      least_ = active_ ? kLeastLaneState : 0;
      waiting_ = state_;
      if (!active_) state_ = 0;  // takes no words and finds no escape
      path_ = 0;
      good = take_group(group, consumer);
      if (!active_) state_ = waiting_;
      escapes_.forget();
    }
    return good && at_ == end_ && !any_lane(state_ != 0);
  }

 private:
  static constexpr int kUnit = kPageUnit, kStep = kDown ? -kUnit : kUnit;
  // Bytes of words that a unit should find in the window, what most take, and one with escapes; what
  // one refill takes at most, and a step with two of them and escapes.
  static constexpr std::uint32_t kUsualBytes = 256, kCheckedBytes = 448,
                                 kMostStepBytes = 2 * kPageLanes * 4;
  static constexpr int kMostRefillBytes = 2 * kPageLanes;

  // What is looked for in a unit: nothing; escapes; nor are there words.
  enum class Words { plain, checked, none };
  // What decoding a unit comes to. `bad`: in this lane it is damaged, or has what was not looked for.
  struct Unit {
    std::int32_t twice[kUnit];
    std::uint32_t state, path;
    Place place;
    int escapes;  // steps with some
    bool bad;
  };

  // What becomes of a run of units: all are taken, or those before one that has what was not looked
  // for, or in which the page ends.
  enum class Run { taken, again, ended };

  template <typename Consumer>
  __device__ __forceinline__ bool take_group(int group, Consumer& consumer) {
    const int last = (coding_.dim - 1) / kUnit * kUnit, end = kDown ? -kUnit : last + kUnit;
    const bool units_fit = !kDown || coding_.path % kUnit == 0;
    consumer.open(group);
    bool again = false;
    for (int first = kDown ? last : 0; first != end;) {
      const bool whole = units_fit && first + kUnit <= coding_.dim;
      if (kDown && (first + kUnit) % coding_.path == 0) path_ = 0;
      if (whole && at_ < end_) {
        if (again) require_window(kCheckedBytes);
        const std::uint32_t units = tables_.run(static_cast<std::uint32_t>(first) / kUnit);
        const int run = again ? 1 : static_cast<int>(units & kRunUnits);
        const bool checked = again || escapes_.often(), raw = (units & kRunIsRaw) != 0;
        Run taken = Run::ended;
        if (run == 0) {
        } else if (checked) {
          taken = raw ? take_run<true, Words::checked>(run, first, consumer)
                      : take_run<false, Words::checked>(run, first, consumer);
        } else {
          taken = raw ? take_run<true, Words::plain>(run, first, consumer)
                      : take_run<false, Words::plain>(run, first, consumer);
        }
        again = taken == Run::again && !again;
        if (taken == Run::taken || again) continue;
      }
      again = false;
      if (!take_rest(first, whole, consumer)) return false;
      first += kStep;
    }
    return true;
  }

  // Units from `first` on, which moves behind those that are taken.
  template <bool kRaw, Words kWords, typename Consumer>
  __device__ __forceinline__ Run take_run(int run, int& first, Consumer& consumer) {
    const int end = first + run * kStep;
    Place place{at_, 0};
    set_limit();
    for (;;) {
      Unit unit = walk<kRaw, kWords>(first, place);
      if (any_lane(unit.bad || unit.place.at >= limit_)) {
        at_ = next_of(unit.place);
        if (any_lane(unit.bad || at_ >= end_ || at_ > window_end())) {
          const bool ended = !any_lane(unit.bad || at_ < end_);
          at_ = next_of(place);
          return ended ? Run::ended : Run::again;
        }
        require_window(kUsualBytes);
        set_limit();
        unit.place = {at_, 0};
      }
      place = unit.place;
      // Without raw bits or escapes a number is one of a table's, of which there are no more than slots.
      keep<kWords == Words::plain && !kRaw>(first, unit, consumer);
      first += kStep;
      if (first == end) break;
    }
    at_ = next_of(place);
    return Run::taken;
  }

  // kFew: of no more than 16 bits.
  template <bool kFew, typename Consumer>
  __device__ __forceinline__ void keep(int first, const Unit& unit, Consumer& consumer) {
    state_ = unit.state;
    path_ = unit.path;
    escapes_.add(unit.escapes);
    consumer.template take_unit<kFew>(first, unit.twice);
  }

  // A unit, or what there is of one, when nothing else has taken it. False where the page is damaged.
  template <typename Consumer>
  __device__ __forceinline__ bool take_rest(int first, bool whole, Consumer& consumer) {
    if (whole && lowered_) {
      const Unit unit = walk<true, Words::none>(first, {at_, 0});
      keep<false>(first, unit, consumer);
      return !any_lane(unit.bad);
    }
    const int left = coding_.dim - first, count = left < kUnit ? left : kUnit;
#pragma unroll 1
    for (int j = 0; j < count; ++j) {
      if (!take_one(first + (kDown ? count - 1 - j : j), consumer)) return false;
    }
    if (!lowered_) require_window(kUsualBytes);
    return true;
  }

  // Where a lane's words have to end for the next unit to be taken as this one is: at_ is at most a word
  // behind that of the last lane.
  __device__ __forceinline__ void set_limit() {
    const std::uint32_t usual = window_end() - kUsualBytes;
    limit_ = end_ - 2 < usual - 1 ? end_ - 2 : usual - 1;
  }

  // Coordinates first to first + kUnit - 1. What may be behind the window or the page's end is for the
  // caller to see from its place.
  template <bool kRaw, Words kWords>
  __device__ __forceinline__ Unit walk(int first, Place place) const {
    Unit unit{{}, state_, 0, place, 0, false};
    std::uint32_t& state = unit.state;
    Contexts contexts{path_, 0, 0};
    // How far place.at may be behind the window's end, known when compiled.
    int most = -static_cast<int>(kUsualBytes);
    const auto before_refill = [&] {
      if (most + kMostRefillBytes + 2 > kWindowSlack) {
        unit.place.at = within_slack(unit.place.at);
        most = kWithinSlack;
      }
      most += kMostRefillBytes;
      if (kWords == Words::checked && most < 0) most = 0;  // words of escapes reach up to there
    };
    const auto next_word = [&] {
      if (kWords == Words::none) return;
      before_refill();
      refill(state, unit.place);
    };
    std::uint32_t entries = 0, bad = 0;
    if (kLattice == PageLattice::e8) {
      const std::uint32_t integers = tables_.coset(static_cast<std::uint32_t>(first) / 8);
      if (kWords == Words::none) state = spread_coset(integers, state);
      contexts.coset = take_coset(integers, state);
      next_word();
    }
    const std::uint32_t steps = tables_.steps_of(static_cast<std::uint32_t>(first * kContexts));
    const TableOffset* const takes = kWords == Words::none ? this->plan_.take : nullptr;
    uint4 four = make_uint4(0, 0, 0, 0);
    uint2 raws = make_uint2(0, 0);
    if (kRaw) raws = tables_.raws(static_cast<std::uint32_t>(first) / kUnit);
#pragma unroll
    for (int j = 0; j < kUnit; ++j) {
      const int k = kDown ? kUnit - 1 - j : j;
      const bool last = is_last<kLattice>(k);
      const std::uint32_t context = contexts.of(last),
                          raw_bits = kRaw ? (k < 4 ? raws.x : raws.y) >> (8 * (k % 4)) : 0;
      if (kLattice == PageLattice::z && k % 4 == 0) four = tables_.four_steps(steps, k);
      const std::uint32_t zero = kLattice == PageLattice::z
                                     ? (&four.x)[k % 4]
                                     : tables_.step(steps, k * kContexts, context);
      if (kWords == Words::none) {
        state = spread(takes, static_cast<std::uint32_t>((first + k) * kContexts) + context, state);
      }
      const Symbol symbol = take_symbol(zero, state);
      std::int32_t value = symbol.value;
      if (kWords == Words::plain) entries |= symbol.entry;
      if (kWords == Words::none) unit.bad |= symbol.escape() != 0 && active_;
      if (kWords == Words::checked) {
        before_refill();
        refill_checked(state, unit.place, symbol, (raw_bits & 31) + (last ? 2 : 1),
                       offset_of(context), value, bad, unit.escapes);
      } else {
        next_word();
      }
      if (kRaw) {
        value = with_raw(value, raw_bits, state);
        next_word();  // takes nothing where there are no raw bits
      }
      unit.twice[k] = twice_of(value, last, context);
      if (kRaw && kWords != Words::plain) unit.bad |= unit.twice[k] > kMostTwice && active_;
      contexts.follow(last, unit.twice[k]);
    }
    unit.bad |= (entries & kEscapeBits) != 0 || bad != 0;
    unit.path = contexts.path;
    return unit;
  }

  // One coordinate, its coset before it, with every check.
  template <typename Consumer>
  __device__ bool take_one(int i, Consumer& consumer) {
    if (kDown && i % coding_.path == coding_.path - 1) path_ = 0;
    if (kLattice == PageLattice::e8 && i % 8 == 0 && !take_coset_slowly(i / 8u)) return false;
    const bool last = is_last<kLattice>(i);
    Contexts contexts{path_, coset_, parity_};
    std::int32_t twice = 0;
    if (!take_slowly(i, last, contexts.of(last), twice)) return false;
    contexts.follow(last, twice);
    path_ = contexts.path;
    parity_ = contexts.parity;
    consumer.take(i, twice);
    return true;
  }

  __device__ bool take_coset_slowly(std::uint32_t block) {
    const std::uint32_t integers = tables_.coset(block);
    if (lowered_) state_ = spread_coset(integers, state_);
    coset_ = take_coset(integers, state_);
    parity_ = 0;
    if (lowered_) return true;
    std::uint32_t none = 0;
    require_window(kMostStepBytes);
    refill_slowly(state_, at_, false, none);
    return at_ != end_ || lower();
  }

  __device__ bool take_slowly(int i, bool last, std::uint32_t context, std::int32_t& twice) {
    const std::uint32_t place = static_cast<std::uint32_t>(i * kContexts) + context;
    const uint2 raws = tables_.raws(static_cast<std::uint32_t>(i) / kUnit);
    const std::uint32_t raw_bits = (i % 8 < 4 ? raws.x : raws.y) >> (8 * (i % 4)) & 31;
    std::uint32_t none = 0;
    if (lowered_) state_ = spread(this->plan_.take, place, state_);
    const Symbol symbol = take_symbol(tables_.step(tables_.steps_of(place), 0, 0), state_);
    state_ += symbol.escape();
    const bool escaped = active_ && symbol.escape() != 0;
    std::int32_t value = symbol.value;
    // No words are left once states have been lowered.
    bool good = !lowered_ || !escaped;
    if (!lowered_) {
      require_window(kMostStepBytes);
      good = take_escaped(state_, at_, symbol, escaped, raw_bits + (last ? 2 : 1),
                          offset_of(context), value);
    }
    if (raw_bits != 0) {
      value = with_raw(value, raw_bits, state_);
      if (!lowered_) refill_slowly(state_, at_, false, none);
    }
    twice = twice_of(value, last, context);
    good = good && (twice <= kMostTwice || !active_);
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

  int vectors_;
  EscapeCount& escapes_;
  std::uint32_t state_ = 0, lifted_ = 0, limit_ = 0, waiting_ = 0;
  std::uint32_t path_ = 0, coset_ = 0, parity_ = 0;
  bool active_ = true, lowered_ = false;
};

/// Decodes a page of `vectors` vectors, 1 or more, by all lanes of a warp together. All of them call
/// consumer.open(group), and then for each coordinate i of vectors 32 * group + lane consumer.take(i,
/// twice) with twice the coordinate, something else in lanes without a vector, or for eight from i on
/// consumer.take_unit<kFew>(i, twice), with kFew where these have no more than 16 bits: groups from the last to
/// the first, coordinates in ascending order, of
/// the trellis in descending order. False where PointCoder::decode() would throw: then what the consumer
/// took is worth nothing. `window`: kWindowRoom bytes of the warp's shared memory.
template <PageLattice kLattice, TableKind kKind, typename Consumer>
__device__ bool decode_page(const PageCoding& coding, const HeadPlan& plan,
                            const TakeTables<kKind>& tables, const PageBytes& page, int vectors,
                            Consumer& consumer, std::uint8_t* window, EscapeCount& escapes) {
  return PageTaker<kLattice, kKind>(coding, plan, tables, page, vectors, window, escapes)
      .run(consumer);
}

}  // namespace kakeya::kernels
