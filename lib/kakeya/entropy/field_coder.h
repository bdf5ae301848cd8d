// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/entropy/field_format.h"
#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/readable_pages.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

/// Codes pages of lattice points as fields (field_format.h has the drawing). The numbers of a point
/// with coordinates z:
///
///     Z            v = z
///     E8           v = floor(z); the last of a block has, as its lowest bit, whether the block is of
///                  half-integers: its own follows from the others, as the sum of floor(z) is even
///     trellis      v = floor(z); the state of the path, from the last coordinate to the first, says
///                  whether z is v or v + 1/2
///
/// Widths are chosen for each page by what it takes; no table is needed.
class FieldCoder final : public FixedPages {
 public:
  /// `deviations`: of the coordinates, in steps, a multiple of 8 of them: what vectors are dear by.
  /// Of the trellis a path is a vector. Throws InputError on D4, and on more than kMostFieldDim
  /// coordinates or another number than a multiple of 8.
  FieldCoder(Lattice lattice, FieldOrder order, std::span<const double> deviations);

  FieldOrder order() const override { return order_; }
  /// Bits of the fields of each group that most_bits() counts with, 2 to 16.
  std::span<const std::uint8_t> widths() const override { return widths_; }
  std::size_t dim() const override { return widths_.size() * kFieldGroup; }
  std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                std::size_t vectors) const override;
  void decode(std::span<const std::byte> in, std::size_t vectors,
              std::span<std::int32_t> twice) const override;
  std::uint64_t most_bits(const float* z, std::size_t stride, std::size_t r) const override;
  std::size_t most_overhead(std::size_t vectors) const override;

 private:
  void to_numbers(std::span<const std::int32_t> twice, const FieldBlock& page) const;
  void take_numbers(std::span<const std::byte> in, std::size_t vectors,
                    std::span<std::int32_t> twice) const;
  void clear_behind(std::size_t vectors, std::span<std::int32_t> twice) const;
  void from_numbers(std::size_t vectors, std::span<std::int32_t> twice) const;
  FieldHeader usual_header(std::size_t vectors) const;

  Lattice lattice_;
  FieldOrder order_;
  std::vector<std::uint8_t> widths_;
};

}  // namespace kakeya
