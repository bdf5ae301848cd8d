// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/value_table.h"

namespace kakeya {

/// Of a coordinate, what its symbols mean in each of its contexts: twice the coordinate with all raw
/// bits 0 is (symbol << shift) + base[context].
struct LaneConstants {
  alignas(16) std::array<std::int32_t, 4> base{};
  alignas(16) std::array<std::int32_t, 4> escape{};  ///< the symbol of an escaped one
  std::size_t contexts = 0;
  bool few = false;  ///< in every context at most kFewSymbols
  int shift = 0;
  int raw_bits = 0, scale_bits = 0;
};

/// Of the `contexts` tables of a coordinate.
LaneConstants lane_constants(const ValueTable* tables, std::size_t contexts);

// Steps of all 32 lanes of a page at once, where the processor has AVX-512: what PageDecoder does lane
// by lane, with the same bits. `word`: where the lanes' next words are, all that they may need there;
// moved past what they took.

/// What steps work on.
struct LaneStep {
  std::uint32_t* states;    ///< [32], each at least 2^16
  std::uint32_t* contexts;  ///< [32], of the coordinate
  const std::byte*& word;
};

struct LaneSteps {
  /// Takes a coordinate in each lane to row[32]. False, and nothing is changed, where one is escaped.
  bool (*values)(const ValueTable* tables, const LaneConstants& of, const LaneStep& step,
                 std::int32_t* row);
  /// Adds the raw bits to row[32]. False where a coordinate is then above `most`.
  bool (*raw_bits)(const LaneConstants& of, const LaneStep& step, std::int32_t most,
                   std::int32_t* row);
  /// Takes the coset of a block, of frequency `integers` where it is 0, to the contexts.
  void (*cosets)(std::uint32_t integers, const LaneStep& step);
  /// Adds 2 to the contexts where the `before` rows of 32 before `row`, halved, have an odd sum.
  void (*parities)(const std::int32_t* row, std::size_t before, std::uint32_t* contexts);
};

/// Those of this processor; null where extension_in_use() (core/extension.h) is less.
const LaneSteps* lane_steps();

}  // namespace kakeya
