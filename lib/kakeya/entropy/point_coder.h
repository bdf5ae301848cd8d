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

// Pages of lattice points as interleaved rANS streams (bitstream/rans.h).
//
// A lane is a vector and a step a coordinate: vector t of a page is in lane t % 32 of group t / 32,
// and the lanes of a group take coordinate after coordinate together, from tables of the same class
// at the same step. Each lane has a state of its own; all lanes and steps share one stream of
// 16-bit words:
//
//     page    | states: lane_states.h | word 0 | word 1 | ...
//
//     group G-1                     lanes  0     1     2     3     4    ...
//        coset of coordinates 0-7          .     w0    .     .     w1
//        coordinate 0                      w2    .     .     w3x4x5      w: state below 2^16
//        raw bits of coordinate 0          .     .     w6    .     .     x: escaped number
//        coordinate 1                      .     w7    ...
//     group G-2
//        ...
//
// Decoding order: the groups from the last to the first (the last may lack lanes, which then wait
// with their first state, as they do in a page of fewer than 32 vectors); the coordinates, for E8
// before each eight their coset, of the trellis from the last to the first; the lanes. What a lane
// does in a step:
//
//   1. take a symbol; if the state is now below 2^16, it takes the next word;
//   2. after an escape symbol, the next two words, low word first, are the number itself;
//   3. if the table has raw bits, they are the low bits of the state, which it loses, and if it is
//      now below 2^16 takes a word. All lanes do 3 after all lanes have done 1 and 2.
//
// So a warp decodes a page: which lanes take words is a ballot, and where a lane's word is a
// population count of the lanes before it.
//
// The cost of states. A state of 2^16 at the beginning of coding would be 16 bits a lane for
// nothing, so coding begins with states of 0, and states below 4096 go by RansSpread, without which
// the first symbol would cost 12 bits whatever it is. Then a state below 2^16 may mean that its
// lane has only begun: words are taken only while there are any. Lanes that are still below 2^16 in
// the step that writes the first word would take words that are not theirs; the encoder lifts them
// before that step, adding 2^16, and the decoder, which has the numbers of the lifted lanes, lowers
// them after the step that takes the last word, or at the beginning when there is none. In the end
// all words are taken and all states are 0. Above what model_bits() says a page takes 80 to 180
// bits from 0.5 bit a coordinate on, whatever its length: 0.001 bit a coordinate in 1024 vectors of
// 128, 0.02 to 0.04 in 32 of them.

/// Codes pages of points whose coordinate i has class classes[i]; their order in memory is that of
/// lanes.h. Immutable, hence thread-safe.
class PointCoder {
 public:
  /// `classes` has one entry a coordinate, a multiple of the model's block. Builds the tables that
  /// are not built yet. Of the trellis, paths have `path` coordinates, a divisor of their number;
  /// 0: one path a vector. Throws InputError on another length or a class the model does not have.
  PointCoder(std::shared_ptr<const PointModel> model, const std::vector<std::uint8_t>& classes,
             std::size_t path = 0);

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
  /// CorruptStream unless all of `in` is used, every state ends at 0, and every point is one of the
  /// lattice with |coordinate| <= kLargestCoordinate. What is read need not be what encode() writes
  /// for these points: the lanes of a forged page may take words that an encoder has no need of. A
  /// page is nearly without redundancy: damage often makes another page, and a checksum belongs
  /// around it. Allocates nothing.
  void decode(std::span<const std::byte> in, std::size_t vectors,
              std::span<std::int32_t> twice) const;

  /// An upper bound of what vector `vector` of these points, of the lattice as encode() takes them,
  /// adds to a page, in 1 / kCostsABit of a bit. A page of n is at most the sum of theirs and
  /// most_page_overhead(n) bytes.
  std::uint64_t most_cost(std::span<const std::int32_t> twice, std::size_t vector) const;

  /// Not below what most_cost() counts for a point's coordinate `i`. The sum over all of them is a
  /// quick bound.
  CostLine cost_line(std::size_t i) const;

  /// What the tables charge for a page: the sum of frequency_bits(), raw bits, and 32 bits for each
  /// escape. encode() writes this and the lane states.
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

/// The variance of coordinates of class `index` once they are points.
double quantised_variance(const PointModel& model, std::size_t index);

/// All classes by falling variance, of equal ones the lower number first: cheapest_classes() tries them
/// in this order.
std::vector<std::uint32_t> falling_classes(const PointModel& model);

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
