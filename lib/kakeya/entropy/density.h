// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace kakeya {

/// How a coordinate is distributed before it is quantised: a mixture of two normal densities with
/// equal weights, standard deviation `deviation` in steps in all. spread in [0, 1): variances
/// (1 - spread) and (1 + spread) times the whole (excess kurtosis 3 spread^2); separation in [0,
/// 1): means at +-sqrt(separation) deviations (excess kurtosis -2 separation^2). At most one of the
/// two is not 0.
struct CoordinateShape {
  double deviation = 1, spread = 0, separation = 0;
};

/// e^-t for t >= 0, within two units in the last place; 0 from 700 on. Only additions,
/// multiplications and exponent bits: the same double on every machine, as the C library's is not.
double exp_minus(double t);

/// How likely a coordinate is after quantisation: the weight at the points z of a grid, up to a
/// common factor.
///
/// Normal coordinates of variance S, quantised to the nearest lattice point, follow the normal
/// density of variance S + G sampled at the lattice, G the second moment of the cell: to 1e-4 bit a
/// coordinate from 1 bit on (tests/entropy/cross_entropy_test.cpp). A mixture is mixed after that.
class GridDensity {
 public:
  /// `added_variance` is the cell's second moment; shape.deviation is in steps.
  GridDensity(const CoordinateShape& shape, double added_variance);

  /// The weights at 0, spacing, 2 spacing, ..., until `last` is reached. At -z they are the same,
  /// to the last bit.
  std::vector<double> sample(double spacing, double last) const;

  /// Beyond this magnitude the weight of everything is below 1e-9 of the whole.
  double reach() const { return reach_; }

 private:
  struct Normal {
    double mean, precision, height;
  };
  Normal parts_[2];
  double reach_;
};

}  // namespace kakeya
