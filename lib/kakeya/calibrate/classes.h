// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// The profile's class of every coordinate: those that cost least for the vectors `y`, in units,
/// rounded to points of E8 with a step of 2^(-quarters / 4) units.
std::vector<std::uint8_t> choose_classes(Rows<const float> y, int quarters);

/// Puts what is decoded of `y`, in units, coded with a step of 2^(-quarters / 4) units, in its
/// place.
void round_to_points(Rows<float> y, int quarters);

}  // namespace kakeya
