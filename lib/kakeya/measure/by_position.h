// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kakeya/store/result_store.h"

namespace kakeya {

/// Means of a sample's scored tokens, which lie at `first` >= 1 and the positions after it, by octaves of
/// the position: 1 to 63, 64 to 127, 128 to 255, ... Octaves without a scored token are left out.
std::vector<PositionSample> by_position(const Sample& sample, std::size_t first);

/// The position behind the octave of `position`.
std::uint64_t end_of_octave(std::uint64_t position);

}  // namespace kakeya
