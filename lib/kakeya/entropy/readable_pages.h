// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/entropy/field_codes.h"

namespace kakeya {

/// Pages of lattice points that are made for reading: fields (field_coder.h), tiles (tile_coder.h), and prefix
/// codes with a string a lane (prefix_coder.h). Immutable, hence thread-safe.
class ReadablePages {
 public:
  virtual ~ReadablePages() = default;

  virtual std::size_t dim() const = 0;

  /// Writes one page of 1 or more vectors, points as they lie in lanes.h. Throws InputError on anything
  /// that is not such a point.
  virtual std::vector<std::byte> encode(std::span<const std::int32_t> twice,
                                        std::size_t vectors) const = 0;

  /// Reads a page of `vectors` that is exactly `in`. Lanes without a vector are set to 0. Throws
  /// CorruptStream unless all of `in` is used and every number within kLargestCoordinate. Whatever it
  /// reads is a point of the lattice; where it throws, `twice` has anything.
  virtual void decode(std::span<const std::byte> in, std::size_t vectors,
                      std::span<std::int32_t> twice) const = 0;

  /// Bits that point r of a tile (simd/tile.h: coordinate i at z[i * stride + r]) may take in a page. One
  /// that may take more than most_vector_bits() has to be left out (zeros).
  virtual std::uint64_t most_bits(const float* z, std::size_t stride, std::size_t r) const = 0;
  std::uint64_t most_vector_bits() const { return 8 * most_vector_bytes(); }

  /// What a page of n such vectors takes at most: so much each, and most_overhead(n).
  std::size_t most_vector_bytes() const { return 4 + 2 * dim(); }
  virtual std::size_t most_overhead(std::size_t vectors) const = 0;
};

/// Those of fields of fixed widths: pages of fields and of tiles (tile_coder.h).
class FixedPages : public ReadablePages {
 public:
  virtual FieldOrder order() const = 0;
  /// Bits of the fields of each group of 8 coordinates that most_bits() counts with.
  virtual std::span<const std::uint8_t> widths() const = 0;
};

}  // namespace kakeya
