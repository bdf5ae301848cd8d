// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kakeya {

/// How far a number of samples are from a normal distribution, by the Wasserstein distance of order
/// two: W2^2 = int_0^1 (F^-1(u) - m - s Phi^-1(u))^2 du, F being the samples' distribution
/// function. Even normal samples are not at distance 0; their own distance is about
/// sqrt(log log n / n) and depends on n alone.
class NormalDistance {
 public:
  /// Tables for `samples` numbers. Throws InputError when that is 0. Cost: one inverse of the
  /// normal distribution function a sample.
  explicit NormalDistance(std::size_t samples);

  std::size_t samples() const { return midpoints_.size(); }

  /// W2^2 between the samples and N(mean, sigma^2), exactly: the step function F^-1 is integrated
  /// against Phi^-1 in closed form, int Phi^-1 = -phi(Phi^-1). With the samples' mean mu, standard
  /// deviation d (about mu, over n) and C = int F^-1 Phi^-1 it is
  ///
  ///   (mu - m)^2  +  (d - s)^2  +  2 s (d - C)
  ///    location       scale         shape, which is never negative
  ///
  /// `sorted` rises and has samples() numbers, else InputError is thrown. The order of what was
  /// sorted has no part in it.
  double squared(std::span<const double> sorted, double mean, double sigma) const;

  /// W2^2 / d^2 to the normal distribution of the samples' own mean and standard deviation d: 2 (1
  /// - C / d), free of location and scale (del Barrio, Cuesta-Albertos, Matran and
  /// Rodriguez-Rodriguez, Annals of Statistics 27, 1999). Throws InputError as above, and when all
  /// samples are equal.
  double shape_squared(std::span<const double> sorted) const;

  /// The published approximation: mean over k of (x_(k) - sigma Phi^-1((k + 1/2) / n))^2, which
  /// takes Phi^-1 at the middle of each step and so leaves out its tails.
  double midpoint_squared(std::span<const double> sorted, double sigma) const;

 private:
  void require_samples(std::span<const double> sorted) const;
  /// C above.
  double correlation(std::span<const double> sorted) const;

  std::vector<double> midpoints_;  // Phi^-1((k + 1/2) / n)
  std::vector<double> steps_;      // integral of Phi^-1 from k / n to (k + 1) / n
};

}  // namespace kakeya
