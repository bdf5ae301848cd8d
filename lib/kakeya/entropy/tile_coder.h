// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/entropy/readable_pages.h"
#include "kakeya/entropy/tile_format.h"

namespace kakeya {

/// Codes pages of points of Z as tiles (tile_format.h has the drawing). Widths are chosen for each page by
/// what it takes; no table is needed. Coordinates beyond a byte are dear: pages of tiles are for steps with
/// which few are.
class TileCoder final : public FixedPages {
 public:
  /// `deviations`: of the coordinates, in steps, a multiple of 8 of them up to kMostFieldDim: what vectors
  /// are dear by. Throws InputError on another number.
  TileCoder(FieldOrder order, std::span<const double> deviations);

  FieldOrder order() const override { return order_; }
  /// Bits of the fields of each group that most_bits() counts with, 2 to 8.
  std::span<const std::uint8_t> widths() const override { return widths_; }
  std::size_t dim() const override { return widths_.size() * kFieldGroup; }
  std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                std::size_t vectors) const override;
  void decode(std::span<const std::byte> in, std::size_t vectors,
              std::span<std::int32_t> twice) const override;
  std::uint64_t most_bits(const float* z, std::size_t stride, std::size_t r) const override;
  std::size_t most_overhead(std::size_t vectors) const override;

 private:
  TileHeader usual_header(std::size_t vectors) const;
  std::vector<std::byte> write(const TileHeader& header, const FieldBlock& page) const;

  FieldOrder order_;
  std::vector<std::uint8_t> widths_;
};

}  // namespace kakeya
