// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// A profile for timing klt where no calibrated one is given: every head a dense orthogonal
/// transform of its own, whose coordinates deviate from 8 units to 1/8, geometrically. `whole_layers`:
/// and one of keys and values of all heads of a layer together, likewise; that of a layer before predicts nothing.
std::shared_ptr<const Profile> bench_profile(std::size_t dim, std::size_t heads,
                                             bool whole_layers = false, int layers = 1);

}  // namespace kakeya
