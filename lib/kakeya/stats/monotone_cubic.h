// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace kakeya {

/// The piecewise cubic Hermite curve through points that neither overshoots nor leaves the order of
/// its data (Fritsch and Carlson 1980, slopes by Fritsch and Butland 1984: the weighted harmonic
/// mean of the neighbouring secants, 0 at a turn; at the ends the three-point formula, limited).
/// With two points a straight line.
class MonotoneCubic {
 public:
  /// `x` strictly rising, as long as `y`, at least two. Throws InputError otherwise, and when a
  /// number is not finite.
  MonotoneCubic(std::span<const double> x, std::span<const double> y);

  double low() const { return x_.front(); }
  double high() const { return x_.back(); }

  /// The curve at x; throws InputError outside of [low(), high()], as integral() does.
  double at(double x) const;

  /// The integral over [from, to], exact but for rounding.
  double integral(double from, double to) const;

 private:
  std::size_t piece_of(double x) const;
  double integral_from_left(std::size_t piece, double x) const;
  std::vector<double> x_, y_, slope_;
};

}  // namespace kakeya
