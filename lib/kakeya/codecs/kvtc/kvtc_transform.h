// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kakeya/codecs/kvtc/kvtc_plan.h"
#include "kakeya/core/rows.h"
#include "kakeya/profile/kvtc_profile.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// Coefficients of tokens in the components that some groups store, in tiles of sixteen tokens: of
/// group after group, component after component (simd/tile.h).
class KvtcCoefficients {
 public:
  KvtcCoefficients(std::size_t tokens, std::size_t components);

  std::size_t tokens() const { return tokens_; }
  std::size_t components() const { return components_; }

  float& at(std::size_t token, std::size_t component) {
    return tiles_[token / kTileRows].data()[component * kTileRows + token % kTileRows];
  }
  float at(std::size_t token, std::size_t component) const {
    return tiles_[token / kTileRows].data()[component * kTileRows + token % kTileRows];
  }
  const TileBuffer& tile(std::size_t index) const { return tiles_[index]; }

 private:
  std::size_t tokens_, components_;
  std::vector<TileBuffer> tiles_;
};

/// basis (x - mean) of whole tokens `x` (CodecInput::layers, all layers of the profile) for the
/// components of `groups`; `part` 0: keys, 1: values. Zeros for tokens with `left_out`. Every sum
/// is one chain in the order of the coordinates, whatever the instruction set and the number of
/// tokens.
KvtcCoefficients project(const KvtcProfile& profile, std::size_t part,
                         std::span<const KvtcGroup> groups, Rows<const float> x,
                         const std::vector<bool>& left_out);

/// Writes what these coefficients stand for, all others 0, to the part's scalars of `x`.
void unproject(const KvtcProfile& profile, std::size_t part, std::span<const KvtcGroup> groups,
               const KvtcCoefficients& coefficients, Rows<float> x);

}  // namespace kakeya
