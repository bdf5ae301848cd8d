// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/codec/scale_code.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/stages.h"
#include "kakeya/simd/tile.h"

namespace kakeya {

/// The scales of a fixed-rate codec, as the section "scales" keeps them:
///
///   two    binary16 norm and binary16 maximum of the unit vector, as published
///   one    their product as a binary16
///   log8   its logarithm in 8 bits, rounded up, so that nothing leaves the box (scale_code.h)
enum class Scales { two, one, log8 };

/// The scales of the 16 vectors of a tile.
struct TileScales {
  float inverse_step[kTileRows] = {}, step[kTileRows] = {};
  int window[kTileRows] = {};
  std::uint16_t code[kTileRows] = {};                           ///< one, log8
  std::uint16_t norm[kTileRows] = {}, maximum[kTileRows] = {};  ///< two
};

/// Chooses, writes and reads them: the step is the maximum as it is stored, divided by `q`.
class ScaleRule {
 public:
  ScaleRule(Scales scales, int q) : scales_(scales), q_(q) {}

  /// That a vector takes in the section.
  std::size_t bytes() const {
    return scales_ == Scales::two ? kVectorScaleBytes : scale_bytes(format());
  }

  /// The scales of the tile that `state` holds.
  void choose(const TileState& state, TileScales& tile) const;

  /// Puts those of the vectors of `state` in their places.
  void write(const TileState& state, const TileScales& tile, std::span<std::byte> scales) const;

  /// Reads steps and windows of the vectors of `state`; `windows` is empty where all are 0. Throws
  /// CorruptStream.
  void read(std::span<const std::byte> scales, std::span<const std::byte> windows,
            const TileState& state, TileScales& tile) const;

 private:
  ScaleFormat format() const {
    return scales_ == Scales::log8 ? ScaleFormat::log8 : ScaleFormat::half;
  }

  Scales scales_;
  int q_;
};

}  // namespace kakeya
