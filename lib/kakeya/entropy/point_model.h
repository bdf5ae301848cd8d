// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kakeya/entropy/density.h"
#include "kakeya/entropy/value_model.h"
#include "kakeya/entropy/value_table.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

// Static models of the coordinates of lattice points. The symbols of a block:
//
//   Z    the coordinate
//   D4   three coordinates, and the fourth given their parity
//   E8   the coset (integers or half-integers), seven coordinates given the coset, and the eighth
//        given coset and parity
//   the trellis   the coordinate, given which of the two the state of its path allows
//
// Coordinates of half-integer points are coded as floor(z). "Given parity" means that only values
// of one parity are possible, and half of z is coded.

/// The grid of classes that frames use: four shapes (normal; spread 0.5; spread 0.85; separation
/// 0.7) times 48 deviations nominal_deviation * 2^((k - 32) / 4); class shape * 48 + k.
std::vector<CoordinateShape> class_grid(double nominal_deviation);

/// The four shapes, of deviation 1.
inline constexpr std::array<CoordinateShape, 4> kCoordinateShapes{
    {{1.0, 0.0, 0.0}, {1.0, 0.5, 0.0}, {1.0, 0.85, 0.0}, {1.0, 0.0, 0.7}}};

/// 2^(count / 4), the same double everywhere; count in [-128, 128].
double quarter_octaves(int count);

/// The class of class_grid() that is normal and has the nominal deviation.
inline constexpr std::uint8_t kNominalClass = 32;

/// The models of one class of coordinates, by context.
struct ClassModels {
  /// Z and D4: one; E8 and the trellis: integers and half-integers, index twice % 2.
  std::vector<ValueModel> free;
  /// Z, the trellis: none; D4: one a parity, index twice / 2 % 2; E8: one a coset and parity, index
  /// twice % 4.
  std::vector<ValueModel> last;
  /// E8: sums of the weights of all integers, of all integers with the sign of their parity, and of
  /// all half-integers.
  double integers = 0, signed_integers = 0, halves = 0;
  double deviation = 0;  ///< of the shape
};

/// The models of coordinates of shape `shape`; the same on every machine.
ClassModels make_class_models(Lattice lattice, const CoordinateShape& shape);

/// The same as tables.
struct ClassTables {
  std::vector<ValueTable> free, last;
};

/// Models and tables of every class, made when they are first asked for. Thread-safe.
class PointModel {
 public:
  /// 1 to 256 classes. Throws InputError on another number, on a spread or separation outside [0,
  /// 1) or both, and on a deviation outside [0, 2^14].
  PointModel(Lattice lattice, std::vector<CoordinateShape> classes);
  ~PointModel();

  Lattice lattice() const { return lattice_; }
  std::size_t class_count() const { return classes_.size(); }
  /// `index` < class_count(), here and below.
  const CoordinateShape& shape(std::size_t index) const { return classes_[index]; }
  const ClassModels& models(std::size_t index) const;
  const ClassTables& tables(std::size_t index) const;
  /// Classes whose models have been made so far, which takes most of the time.
  std::size_t classes_made() const { return classes_made_.load(std::memory_order_relaxed); }

 private:
  struct Lazy;
  Lattice lattice_;
  std::vector<CoordinateShape> classes_;
  std::unique_ptr<Lazy[]> lazy_;
  mutable std::atomic<std::size_t> classes_made_ = 0;
};

}  // namespace kakeya
