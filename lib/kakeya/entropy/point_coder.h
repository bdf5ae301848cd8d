// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/entropy/lanes.h"
#include "kakeya/entropy/page_plan.h"
#include "kakeya/entropy/point_model.h"

namespace kakeya {

// Pages of lattice points as interleaved rANS streams.
//
// A lane is a vector and a step a coordinate: vector t of a page belongs to lane t % 32, and the 32
// vectors of a group walk through the coordinates together, all lanes reading tables of the same
// class at the same step. The points of a page lie in that order: twice coordinate i of vector t at
// twice[(t / 32 * dim + i) * 32 + t % 32], so that half-integers are whole. Vectors missing from
// the last group are not coded.

/// Codes pages of points whose coordinate i has class classes[i]. Immutable, hence thread-safe.
class PointCoder {
 public:
  /// `classes` has one entry a coordinate, a multiple of the model's block. Builds the tables that
  /// are not built yet. Throws InputError on another length or a class the model does not have.
  PointCoder(std::shared_ptr<const PointModel> model, const std::vector<std::uint8_t>& classes);

  std::size_t dim() const { return plan_.tables.size(); }

  /// An upper bound, in bytes, of a page of `vectors`.
  std::size_t page_bound(std::size_t vectors) const;

  /// Writes one page, 1 or more vectors, and returns its bytes. Every point of the lattice with
  /// |coordinate| <= kLargestCoordinate can be coded: what the tables do not hold is escaped.
  /// `out` holds page_bound(vectors). Throws InputError when it does not, and on anything that is
  /// not such a point.
  std::size_t encode(std::span<const std::int32_t> twice, std::size_t vectors,
                     std::span<std::byte> out) const;

  /// Reads a page of `vectors` that is exactly `in`. Lanes without a vector are set to 0. Throws
  /// CorruptStream unless encode() could have written it and every point is one of the lattice with
  /// |coordinate| <= kLargestCoordinate. Allocates nothing that grows with `in`.
  void decode(std::span<const std::byte> in, std::size_t vectors,
              std::span<std::int32_t> twice) const;

  /// What the tables charge for a page: the sum of -log2(frequency / 4096), escapes with their 32
  /// bits. encode() writes this and the lane states.
  double model_bits(std::span<const std::int32_t> twice, std::size_t vectors) const;

 private:
  std::shared_ptr<const PointModel> model_;
  PagePlan plan_;
};

/// The classes that cost least for these points, one for each of the `dim` coordinates; with
/// `one_for_all`, the same for all.
std::vector<std::uint8_t> cheapest_classes(const PointModel& model,
                                           std::span<const std::int32_t> twice, std::size_t vectors,
                                           std::size_t dim, bool one_for_all);

/// Order-0 entropy of the symbols of these points, bits in all: every context of the symbol model
/// (coset; free coordinates; last coordinate given parity) with a histogram of its own, pooled over
/// coordinates, the histograms themselves not charged.
class PointEntropy {
 public:
  explicit PointEntropy(Lattice lattice);
  ~PointEntropy();
  void add(std::span<const std::int32_t> twice, std::size_t vectors, std::size_t dim);
  double total_bits() const;

 private:
  struct Counts;
  std::unique_ptr<Counts> counts_;
};

}  // namespace kakeya
