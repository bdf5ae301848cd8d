// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kakeya/profile/profile.h"

namespace kakeya {

/// Of coordinates of these classes (SiteTransform::classes), a transform that only sorts them, by falling
/// deviation; after `order` groups, from which nothing is predicted. Without matrices unless asked for.
LayerTransform sorted_coordinates(const std::vector<std::uint8_t>& classes, std::size_t order,
                                  bool matrices);

/// The same profile with transforms of whole layers, `group` of them together, of orders 0 and 1 that know no more
/// than its transforms of heads: no predictors, the coordinates of all heads by falling deviation. Steps
/// follow the sensitivities of Profile::layer_steps where it has layers, else those of `steps`: of the
/// cold tier where these were measured. Other layers than `layers` have no matrices. Throws as
/// Profile::rate_offsets().
std::shared_ptr<const Profile> profile_of_heads(const Profile& profile, LayerRange layers,
                                                Tier steps, int group);

}  // namespace kakeya
