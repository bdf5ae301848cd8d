// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "kakeya/core/error.h"
#include "kakeya/entropy/lane_states.h"
#include "kakeya/entropy/page_plan.h"
#include "kakeya/lattice/dn.h"
#include "kakeya/lattice/trellis.h"

namespace kakeya {
namespace {

constexpr auto kLargestTwice = static_cast<std::int32_t>(2 * kLargestCoordinate);

// The most that a step of all lanes reads: a word after each symbol, two escaped ones, and a word
// after raw bits.
constexpr std::ptrdiff_t kMostStepBytes = kLanes * 4 * 2;

template <Lattice kLattice>
class PageDecoder {
 public:
  PageDecoder(const PagePlan& plan, std::span<const std::byte> in, std::size_t vectors)
      : plan_(plan), page_lanes_(std::min(kLanes, vectors)) {
    std::size_t state_bytes = 0;
    states_ = read_lane_states(in, page_lanes_, state_bytes);
    word_ = in.data() + state_bytes;
    end_ = in.data() + in.size();
    if ((end_ - word_) % 2 != 0) throw CorruptStream("page: half a word at the end");
  }

  void decode(std::size_t vectors, std::int32_t* twice) {
    const std::size_t group_values = kLanes * plan_.tables.size();
    if (word_ == end_) lower();
    for (std::size_t group = (vectors + kLanes - 1) / kLanes; group-- > 0;) {
      lanes_ = std::min(kLanes, vectors - group * kLanes);
      std::int32_t* values = twice + group * group_values;
      if (lanes_ < kLanes) std::fill_n(values, group_values, 0);
      take_group(values);
    }
    const auto last = std::max_element(states_.state.begin(), states_.state.end());
    if (word_ != end_ || *last != 0) {
      throw CorruptStream("page: does not end with its last coordinate");
    }
  }

 private:
  void take_group(std::int32_t* twice) {
    constexpr std::size_t kLength = block_length(kLattice);
    std::array<std::uint32_t, kLanes> contexts{}, path_states{};
    for (std::size_t before = 0; before < plan_.tables.size(); ++before) {
      const std::size_t i = coordinate_of_step(kLattice, before, plan_.tables.size());
      std::int32_t* row = twice + i * kLanes;
      if constexpr (kLattice == Lattice::trellis) {
        if (i % plan_.path == plan_.path - 1) path_states.fill(0);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          contexts[lane] = trellis_parity(path_states[lane]);
        }
      }
      if constexpr (kLattice == Lattice::e8) {
        if (i % kLength == 0) {
          step([&](auto fast) { take_cosets<fast>(plan_.cosets[i / kLength], contexts); });
        }
      }
      if (is_last(kLattice, i)) find_last_contexts(row, contexts);
      step([&](auto fast) { take_values<fast>(i, contexts, row); });
      if constexpr (kLattice == Lattice::d4) {
        if (is_last(kLattice, i)) contexts.fill(0);
      }
      if constexpr (kLattice == Lattice::trellis) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          path_states[lane] = next_trellis_state(path_states[lane], row[lane]);
        }
      }
    }
  }

  // Does `action`, a step of all lanes: fast while there are words enough for any step.
  template <typename Action>
  void step(const Action& action) {
    if (end_ - word_ >= kMostStepBytes) {
      action(std::true_type());
    } else {
      action(std::false_type());
    }
    if (word_ == end_ && !lowered_) lower();
  }

  // The coordinate sum of a block is even, so the parity of the others is that of the last.
  void find_last_contexts(const std::int32_t* row, std::array<std::uint32_t, kLanes>& contexts) {
    constexpr std::size_t kLength = block_length(kLattice);
    if (kLattice == Lattice::e8 && together_ != nullptr) {
      return together_->parities(row, kLength - 1, contexts.data());
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::int32_t sum = 0;
      for (std::size_t i = 1; i < kLength; ++i) sum += (row - i * kLanes)[lane] >> 1;
      const auto parity = static_cast<std::uint32_t>(sum & 1);
      contexts[lane] = kLattice == Lattice::e8 ? contexts[lane] | parity << 1 : parity;
    }
  }

  template <bool kFast>
  void take_values(std::size_t i, std::array<std::uint32_t, kLanes>& contexts, std::int32_t* row) {
    const ValueTable* const tables = plan_.tables[i];
    if (!take_values_together<kFast>(i, contexts, row))
      take_values_apart<kFast>(tables, contexts, row);
    if (plan_.constants[i].raw_bits > 0) take_raw_bits<kFast>(plan_.constants[i], contexts, row);
  }

  // All lanes at once, where there are as many and none is escaped.
  bool are_together(bool fast) const { return fast && together_ != nullptr && lanes_ == kLanes; }

  template <bool kFast>
  bool take_values_together(std::size_t i, std::array<std::uint32_t, kLanes>& contexts,
                            std::int32_t* row) {
    return are_together(kFast) &&
           together_->values(plan_.tables[i], plan_.constants[i],
                             {states_.state.data(), contexts.data(), word_}, row);
  }

  template <bool kFast>
  void take_values_apart(const ValueTable* tables,
                         const std::array<std::uint32_t, kLanes>& contexts, std::int32_t* row) {
    const std::byte* word = word_;
    const std::size_t lanes = lanes_;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const ValueTable& table = tables[contexts[lane]];
      std::uint32_t state = states_.state[lane];
      if (!kFast && state < kFrequencyTotal) state = table.spread().row_position(state);
      const auto& entry = table.decoder().entry(state);
      states_.state[lane] = refill<kFast>(RansDecodeTable::take(state, entry), word);
      row[lane] = entry.payload;
      if (entry.payload == ValueTable::kEscaped) [[unlikely]] {
        row[lane] = take_escaped(table.model(), word);
      }
    }
    word_ = word;
  }

  template <bool kFast>
  void take_raw_bits(const LaneConstants& of, std::array<std::uint32_t, kLanes>& contexts,
                     std::int32_t* row) {
    if (are_together(kFast)) {
      const LaneStep step{states_.state.data(), contexts.data(), word_};
      if (together_->raw_bits(of, step, kLargestTwice, row)) return;
      throw CorruptStream("page: a coordinate is out of range");
    }
    const int count = of.raw_bits;
    const std::uint32_t mask = (1u << count) - 1;
    const std::byte* word = word_;
    const std::size_t lanes = lanes_;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::uint32_t state = states_.state[lane];
      row[lane] += static_cast<std::int32_t>((state & mask) << of.scale_bits);
      if (row[lane] > kLargestTwice) throw CorruptStream("page: a coordinate is out of range");
      states_.state[lane] = refill<kFast>(state >> count, word);
    }
    word_ = word;
  }

  template <bool kFast>
  void take_cosets(const CosetTable& table, std::array<std::uint32_t, kLanes>& contexts) {
    if (are_together(kFast)) {
      return together_->cosets(table.integers, {states_.state.data(), contexts.data(), word_});
    }
    const std::uint32_t integers = table.integers;
    const std::uint32_t difference = kFrequencyTotal - 2 * integers;
    const std::byte* word = word_;
    const std::size_t lanes = lanes_;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      std::uint32_t state = states_.state[lane];
      if (!kFast && state < kFrequencyTotal) state = table.row_position(state);
      const std::uint32_t slot = state % kFrequencyTotal;
      const std::uint32_t half = slot >= integers ? 1 : 0, mask = 0 - half;
      const std::uint32_t start = integers & mask, frequency = integers + (difference & mask);
      states_.state[lane] =
          refill<kFast>((state >> kFrequencyBits) * frequency + slot - start, word);
      contexts[lane] = half;
    }
    word_ = word;
  }

  // The state with a word if it is short of one. Fast: there is a word, so no branch is needed;
  // whether it is taken is at random, and a compiler left to choose would branch.
  template <bool kFast>
  std::uint32_t refill(std::uint32_t state, const std::byte*& word) const {
    if (kFast) {
      const std::uint32_t takes = 0 - static_cast<std::uint32_t>(state < kLeastState);
      const std::uint32_t next = load_word(word) & takes;
      word += takes & 2;
      return state << (takes & 16) | next;
    }
    if (state >= kLeastState || word == end_) return state;
    const std::uint32_t next = load_word(word);
    word += 2;
    return state << 16 | next;
  }

  static std::uint32_t load_word(const std::byte* word) {
    std::uint16_t value;
    std::memcpy(&value, word, 2);
    return value;
  }

  std::int32_t take_escaped(const ValueModel& model, const std::byte*& word) const {
    if (end_ - word < 4) throw CorruptStream("page: ends within an escaped coordinate");
    std::int32_t high;
    std::memcpy(&high, word, 4);
    word += 4;
    const std::int64_t twice =
        (std::int64_t{high} << (model.raw_bits() + model.grid().scale_bits)) + model.grid().offset;
    if (twice > kLargestTwice || twice < -kLargestTwice || model.symbol(high) != model.escape()) {
      throw CorruptStream("page: an escaped coordinate of " + std::to_string(high) +
                          " is out of range or has a symbol");
    }
    return static_cast<std::int32_t>(twice);
  }

  // The encoder wrote its first word here, after lifting the lanes that were short of 2^16.
  void lower() {
    for (std::size_t lane = 0; lane < page_lanes_; ++lane) {
      std::uint32_t& state = states_.state[lane];
      const bool lifted = (states_.lifted >> lane & 1) != 0;
      if (state < kLeastState || (lifted && state >= 2 * kLeastState)) {
        throw CorruptStream("page: ends in lane " + std::to_string(lane) + " before its time");
      }
      if (lifted) state -= kLeastState;
    }
    lowered_ = true;
  }

  const PagePlan& plan_;
  const LaneSteps* const together_ = lane_steps();
  std::size_t page_lanes_;
  LaneStates states_;
  const std::byte *word_, *end_;
  std::size_t lanes_ = 0;  // of the group
  bool lowered_ = false;
};

}  // namespace

void decode_page(const PagePlan& plan, std::span<const std::byte> in, std::size_t vectors,
                 std::span<std::int32_t> twice) {
  switch (plan.lattice) {
    case Lattice::z:
      return PageDecoder<Lattice::z>(plan, in, vectors).decode(vectors, twice.data());
    case Lattice::d4:
      return PageDecoder<Lattice::d4>(plan, in, vectors).decode(vectors, twice.data());
    case Lattice::trellis:
      return PageDecoder<Lattice::trellis>(plan, in, vectors).decode(vectors, twice.data());
    case Lattice::e8:
      break;
  }
  PageDecoder<Lattice::e8>(plan, in, vectors).decode(vectors, twice.data());
}

}  // namespace kakeya
