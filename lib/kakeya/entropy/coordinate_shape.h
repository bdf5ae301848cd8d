// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// How a coordinate is distributed before it is quantised: a mixture of two normal densities with
/// equal weights, standard deviation `deviation` in steps in all. spread in [0, 1): variances
/// (1 - spread) and (1 + spread) times the whole (excess kurtosis 3 spread^2); separation in [0,
/// 1): means at +-sqrt(separation) deviations (excess kurtosis -2 separation^2). At most one of the
/// two is not 0.
struct CoordinateShape {
  double deviation = 1, spread = 0, separation = 0;
};

}  // namespace kakeya
