// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kakeya/lattice/lattice.h"

namespace kakeya {

// Static models of the coordinates of lattice points. The symbols of a block:
//
//   Z    the coordinate
//   D4   three coordinates, and the fourth given their parity
//   E8   the coset (integers or half-integers), seven coordinates given the coset, and the eighth
//        given coset and parity
//
// Coordinates of half-integer points are coded as floor(z). "Given parity" means that only values of
// one parity are possible, and half of z is coded.

/// How a coordinate is distributed before it is quantised: a mixture of two normal densities with
/// equal weights, standard deviation `deviation` in steps in all. spread in [0, 1): variances
/// (1 - spread) and (1 + spread) times the whole (excess kurtosis 3 spread^2); separation in [0, 1):
/// means at +-sqrt(separation) deviations (excess kurtosis -2 separation^2). At most one of the two
/// is not 0.
struct CoordinateShape {
  double deviation = 1, spread = 0, separation = 0;
};

/// The grid of classes that frames use: four shapes (normal; spread 0.5; spread 0.85; separation
/// 0.7) times 48 deviations nominal_deviation * 2^((k - 32) / 4); class shape * 48 + k.
std::vector<CoordinateShape> class_grid(double nominal_deviation);

/// The class of class_grid() that is normal and has the nominal deviation.
inline constexpr std::uint8_t kNominalClass = 32;

/// Tables for every class; a class's tables are made when it is first asked for. Thread-safe.
class PointModel {
 public:
  /// 1 to 256 classes. Throws InputError on a shape that is none or a deviation outside (0, 2^16].
  PointModel(Lattice lattice, std::vector<CoordinateShape> classes);
  ~PointModel();

  Lattice lattice() const { return lattice_; }
  std::size_t class_count() const { return classes_.size(); }
  const CoordinateShape& shape(std::size_t index) const { return classes_[index]; }

 private:
  Lattice lattice_;
  std::vector<CoordinateShape> classes_;
};

}  // namespace kakeya
