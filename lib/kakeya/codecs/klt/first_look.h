// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kakeya/core/rows.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// What the first tokens of a cache say of it, as a frame holds it: where no profile is, this stands for
/// one. Of layer after layer, keys before values.
struct FirstLook {
  std::vector<std::int16_t> sizes;   ///< [2 layers], root mean squares about the means, 2^(n / 4)
  std::vector<std::uint16_t> means;  ///< [dim], bfloat16
  std::vector<std::int8_t> deviations;  ///< [dim], of a coordinate: 2^(n / 4) times its part's size
};

/// Of `tokens`, finite, each the keys and values of `layers` layers; of none, zeros. Tokens that are far
/// from most others, as sinks are, do not count in the parts where they are.
FirstLook look_at(Rows<const float> tokens, std::size_t layers);

/// As a section of a frame: sizes, means, deviations, little-endian. And back; throws CorruptStream,
/// beginning with `spec`, on other lengths and numbers that look_at() does not say.
std::size_t look_bytes(std::size_t dim, std::size_t layers);
std::vector<std::byte> to_bytes(const FirstLook& look);
FirstLook look_from(std::span<const std::byte> bytes, std::size_t dim, std::size_t layers,
                    const std::string& spec);

/// A profile of as many layers, `group` of them together, that knows no more, for codecs of this order (0 or 1): no predictors, coordinates in the order of their
/// deviations, the keys and values of all layers as large as one another. The same numbers on every
/// machine.
std::shared_ptr<const Profile> profile_of(const FirstLook& look, int order, int group);

}  // namespace kakeya
