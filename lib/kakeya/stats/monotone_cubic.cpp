// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/monotone_cubic.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// The slope at an end whose own piece has width h and secant m, the next one h2 and m2.
double end_slope(double h, double m, double h2, double m2) {
  const double slope = ((2 * h + h2) * m - h * m2) / (h + h2);
  if (slope * m <= 0) return 0;
  if (m * m2 <= 0 && std::fabs(slope) > 3 * std::fabs(m)) return 3 * m;
  return slope;
}

}  // namespace

MonotoneCubic::MonotoneCubic(std::span<const double> x, std::span<const double> y)
    : x_(x.begin(), x.end()), y_(y.begin(), y.end()) {
  if (x_.size() != y_.size() || x_.size() < 2) {
    throw InputError("monotone cubic: " + std::to_string(x_.size()) + " and " +
                     std::to_string(y_.size()) +
                     " coordinates: expected the same number, at least 2");
  }
  std::vector<double> width, secant;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    if (!std::isfinite(x_[i]) || !std::isfinite(y_[i]))
      throw InputError("monotone cubic: a point is not finite");
    if (i == 0) continue;
    if (!(x_[i - 1] < x_[i])) throw InputError("monotone cubic: x does not rise");
    width.push_back(x_[i] - x_[i - 1]);
    secant.push_back((y_[i] - y_[i - 1]) / width.back());
  }
  const std::size_t pieces = width.size();
  slope_.assign(x_.size(), secant[0]);
  if (pieces == 1) return;
  for (std::size_t i = 1; i < pieces; ++i) {
    const double left = 2 * width[i] + width[i - 1], right = width[i] + 2 * width[i - 1];
    slope_[i] = secant[i - 1] * secant[i] <= 0
                    ? 0
                    : (left + right) / (left / secant[i - 1] + right / secant[i]);
  }
  slope_.front() = end_slope(width[0], secant[0], width[1], secant[1]);
  slope_.back() =
      end_slope(width[pieces - 1], secant[pieces - 1], width[pieces - 2], secant[pieces - 2]);
}

std::size_t MonotoneCubic::piece_of(double x) const {
  if (!(x >= low() && x <= high())) {
    throw InputError("monotone cubic: " + std::to_string(x) + ": expected a number in [" +
                     std::to_string(low()) + ", " + std::to_string(high()) + "]");
  }
  const auto above = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  return static_cast<std::size_t>(above - x_.begin()) - 1;
}

double MonotoneCubic::at(double x) const {
  const std::size_t i = piece_of(x);
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h, u = 1 - t;
  return u * u * ((1 + 2 * t) * y_[i] + t * h * slope_[i]) +
         t * t * ((1 + 2 * u) * y_[i + 1] - u * h * slope_[i + 1]);
}

double MonotoneCubic::integral_from_left(std::size_t i, double x) const {
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h;
  const double t2 = t * t, t3 = t2 * t, t4 = t2 * t2;
  // The Hermite polynomials, integrated over [0, t].
  return h * ((t4 / 2 - t3 + t) * y_[i] + (t3 - t4 / 2) * y_[i + 1] +
              h * ((t4 / 4 - 2 * t3 / 3 + t2 / 2) * slope_[i] + (t4 / 4 - t3 / 3) * slope_[i + 1]));
}

double MonotoneCubic::integral(double from, double to) const {
  const std::size_t first = piece_of(from), last = piece_of(to);
  double sum = integral_from_left(last, to) - integral_from_left(first, from);
  for (std::size_t i = std::min(first, last); i < std::max(first, last); ++i) {
    sum += (first < last ? 1 : -1) * integral_from_left(i, x_[i + 1]);
  }
  return sum;
}

}  // namespace kakeya
