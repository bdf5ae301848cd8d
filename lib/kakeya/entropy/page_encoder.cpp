// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kakeya/entropy/lane_states.h"
#include "kakeya/entropy/page_plan.h"

namespace kakeya {
namespace {

// Codes everything in the opposite of the decoding order, and fills the buffer from its end.
template <Lattice kLattice>
class PageEncoder {
 public:
  PageEncoder(const PagePlan& plan, std::size_t vectors, std::span<std::byte> out)
      : plan_(plan),
        page_lanes_(std::min(kLanes, vectors)),
        out_(out),
        word_(out.data() + out.size()) {}

  std::size_t encode(const std::int32_t* twice, std::size_t vectors) {
    const std::size_t group_values = kLanes * plan_.tables.size();
    for (std::size_t first = 0; first < vectors; first += kLanes) {
      lanes_ = std::min(kLanes, vectors - first);
      put_group(twice + first / kLanes * group_values);
    }
    if (!words_begun_) lift();
    return join();
  }

 private:
  void put_group(const std::int32_t* twice) {
    constexpr std::size_t kLength = block_length(kLattice);
    for (std::size_t later = plan_.tables.size(); later-- > 0;) {
      const std::size_t i = coordinate_of_step(kLattice, later, plan_.tables.size());
      const std::int32_t* row = twice + i * kLanes;
      const ValueTable* tables = plan_.tables[i];
      if (is_last(kLattice, i)) {
        step([&](auto begun) { put_values<kLength - 1, begun>(tables, row); });
      } else {
        step([&](auto begun) { put_values<0, begun>(tables, row); });
      }
      if constexpr (kLattice == Lattice::e8) {
        if (i % kLength == 0) {
          step([&](auto begun) { put_cosets<begun>(plan_.cosets[i / kLength], row); });
        }
      }
    }
  }

  // Does `action`, a step of all lanes. The step that writes the first word is done again, after
  // the lanes that are still short of 2^16 have been lifted; before it states may be small.
  template <typename Action>
  void step(const Action& action) {
    if (words_begun_) return action(std::true_type());
    const auto states_before = states_.state;
    const std::byte* word_before = word_;
    action(std::false_type());
    if (word_ == word_before) return;
    word_ = out_.data() + out_.size();
    states_.state = states_before;
    lift();
    words_begun_ = true;
    action(std::true_type());
  }

  void lift() {
    for (std::size_t lane = 0; lane < page_lanes_; ++lane) {
      std::uint32_t& state = states_.state[lane];
      if (state >= kLeastState) continue;
      state += kLeastState;
      states_.lifted |= 1u << lane;
    }
  }

  template <std::size_t kCoordinate, bool kBegun>
  void put_values(const ValueTable* tables, const std::int32_t* row) {
    if (tables->model().raw_bits() > 0) put_raw_bits<kCoordinate>(tables->model().raw_bits(), row);
    const int high_bits = scale_bits(kLattice, kCoordinate) + tables->model().raw_bits();
    std::byte* word = word_;
    for (std::size_t lane = lanes_; lane-- > 0;) {
      const std::int32_t twice = row[lane];
      const ValueTable& table = tables[context_of(kLattice, kCoordinate, twice)];
      const std::int32_t high = twice >> high_bits;
      const std::uint32_t symbol = table.model().symbol(high);
      if (symbol == table.model().escape()) [[unlikely]] {
        word -= 4;
        std::memcpy(word, &high, 4);
      }
      states_.state[lane] =
          put<kBegun>(table.encoder(symbol), table.spread(), states_.state[lane], word);
    }
    word_ = word;
  }

  template <std::size_t kCoordinate>
  void put_raw_bits(int count, const std::int32_t* row) {
    const std::uint32_t mask = (1u << count) - 1;
    std::byte* word = word_;
    for (std::size_t lane = lanes_; lane-- > 0;) {
      const std::uint32_t state = states_.state[lane];
      const std::uint32_t room = emit(state, state >> (32 - count) != 0, word);
      states_.state[lane] =
          room << count |
          (static_cast<std::uint32_t>(row[lane] >> scale_bits(kLattice, kCoordinate)) & mask);
    }
    word_ = word;
  }

  template <bool kBegun>
  void put_cosets(const CosetTable& table, const std::int32_t* row) {
    std::byte* word = word_;
    for (std::size_t lane = lanes_; lane-- > 0;) {
      const RansSymbol& symbol = table.encoders[static_cast<std::size_t>(row[lane] & 1)];
      states_.state[lane] = put<kBegun>(symbol, table, states_.state[lane], word);
    }
    word_ = word;
  }

  template <bool kBegun, typename Spread>
  static std::uint32_t put(const RansSymbol& symbol, const Spread& spread, std::uint32_t state,
                           std::byte*& word) {
    if (!kBegun && state < symbol.frequency()) return spread.slot(symbol.start() + state);
    return symbol.put(emit(state, symbol.overflows(state), word));
  }

  // The state less a word if it `overflows`. Without a branch, which would be taken at random.
  static std::uint32_t emit(std::uint32_t state, bool overflows, std::byte*& word) {
    const auto low = static_cast<std::uint16_t>(state);
    std::memcpy(word - 2, &low, 2);
    const unsigned count = overflows ? 1 : 0;
    word -= 2 * count;
    return state >> (16 * count);
  }

  // The states first, then the words.
  std::size_t join() {
    std::array<std::byte, kMostStateBytes> header;
    const std::size_t header_bytes = write_lane_states(states_, page_lanes_, header);
    const auto word_bytes = static_cast<std::size_t>(out_.data() + out_.size() - word_);
    std::memmove(out_.data() + header_bytes, word_, word_bytes);
    std::memcpy(out_.data(), header.data(), header_bytes);
    return header_bytes + word_bytes;
  }

  const PagePlan& plan_;
  std::size_t page_lanes_;
  std::span<std::byte> out_;
  std::byte* word_;  // the last one written
  LaneStates states_;
  std::size_t lanes_ = 0;  // of the group
  bool words_begun_ = false;
};

// Bits of a value, its share of a coset included. A symbol multiplies a state by at most
// 4096 * 17/16 (a state of 16 that gains 4096), an escape adds 32 bits of words, and no word holds
// less than 16 bits. So a value takes less than 12.1 + 32 + its raw bits, and a coset 12.1 bits an
// eighth of the time: 6 bytes and the raw bits.
constexpr std::size_t value_room(int raw_bits) {
  return 48 + (raw_bits > 0 ? static_cast<std::size_t>(raw_bits) + 1 : 0);
}

std::size_t room(std::size_t vectors, std::size_t vector_bits) {
  return kMostStateBytes + vectors * ((vector_bits + 7) / 8) + kLanes * 8;
}

}  // namespace

std::size_t page_room(const PagePlan& plan, std::size_t vectors) {
  std::size_t bits = 0;
  for (const ValueTable* tables : plan.tables) bits += value_room(tables->model().raw_bits());
  return room(vectors, bits);
}

std::size_t largest_page_room(std::size_t vectors, std::size_t dim) {
  return room(vectors, dim * value_room(kMostRawBits));
}

// A lane's words hold what its state grows by. Once words have begun, a symbol multiplies a state x
// by at most 4096 / frequency * (1 + frequency / x), and x is at least 16 frequencies: 23 / 256
// bits above log2(4096 / frequency). Raw bits double it so many times, and add less than 1 to a
// state that a word has just left at 2^(16 - raw_bits) or more: log2(1 + y) < 1.4427 y. A state is
// below 2^32 when words begin and at least 2^16 when they end: 16 bits a lane more, and the states.
std::uint32_t most_cost_of(std::uint32_t frequency, int raw_bits) {
  const auto symbol = static_cast<std::uint32_t>(std::ceil(kCostsABit * frequency_bits(frequency)));
  const auto raw = static_cast<std::uint32_t>(raw_bits);
  return symbol + 23 + (raw == 0 ? 0 : raw * kCostsABit + (370u << raw >> 16) + 1);
}

std::size_t encode_page(const PagePlan& plan, std::span<const std::int32_t> twice,
                        std::size_t vectors, std::span<std::byte> out) {
  switch (plan.lattice) {
    case Lattice::z:
      return PageEncoder<Lattice::z>(plan, vectors, out).encode(twice.data(), vectors);
    case Lattice::d4:
      return PageEncoder<Lattice::d4>(plan, vectors, out).encode(twice.data(), vectors);
    case Lattice::trellis:
      return PageEncoder<Lattice::trellis>(plan, vectors, out).encode(twice.data(), vectors);
    case Lattice::e8:
      break;
  }
  return PageEncoder<Lattice::e8>(plan, vectors, out).encode(twice.data(), vectors);
}

}  // namespace kakeya
