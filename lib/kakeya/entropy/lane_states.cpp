// SPDX-License-Identifier: Apache-2.0
#include "kakeya/entropy/lane_states.h"

#include <bit>
#include <string>

#include "kakeya/bitstream/bits.h"
#include "kakeya/core/error.h"

namespace kakeya {

std::size_t write_lane_states(const LaneStates& states, std::size_t lanes,
                              std::span<std::byte> out) {
  BitWriter writer(out);
  writer.put(states.lifted != 0 ? 1 : 0, 8);
  if (states.lifted != 0) writer.put(states.lifted, static_cast<int>(lanes));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    writer.put(static_cast<std::uint64_t>(std::bit_width(states.state[lane]) - 17), 4);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::uint32_t state = states.state[lane];
    writer.put(state - std::bit_floor(state), std::bit_width(state) - 1);
  }
  return writer.finish();
}

LaneStates read_lane_states(std::span<const std::byte> in, std::size_t lanes, std::size_t& bytes) {
  BitReader reader(in);
  LaneStates states;
  const std::uint64_t flag = reader.get(8);
  if (flag > 1) {
    throw CorruptStream("page: begins with byte " + std::to_string(flag) + ", expected 0 or 1");
  }
  std::size_t length = 8;
  if (flag == 1) {
    states.lifted = static_cast<std::uint32_t>(reader.get(static_cast<int>(lanes)));
    if (states.lifted == 0) throw CorruptStream("page: an empty list of lifted lanes");
    length += lanes;
  }
  std::array<int, kLanes> widths{};
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    widths[lane] = 16 + static_cast<int>(reader.get(4));
    length += 4 + static_cast<std::size_t>(widths[lane]);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    states.state[lane] = 1u << widths[lane] | static_cast<std::uint32_t>(reader.get(widths[lane]));
  }
  bytes = (length + 7) / 8;
  const int padding = static_cast<int>(bytes * 8 - length);
  if (padding != 0 && reader.get(padding) != 0) {
    throw CorruptStream("page: bits after the states are not zero");
  }
  return states;
}

}  // namespace kakeya
