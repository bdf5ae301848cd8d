// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/core/rows.h"

namespace kakeya {

/// Sums over vectors of the vector and of its outer product with itself, in double.
class SecondMoments {
 public:
  /// Throws InputError when dim is 0.
  explicit SecondMoments(std::size_t dim);

  /// Throws InputError when x.dim is another. Cost: x.count * dim^2 multiplications.
  void add(Rows<const float> x);

  /// Adds `vectors` by their sum, [dim], and that of their outer products, [dim, dim], wherever
  /// those were taken. Throws InputError on other lengths.
  void add_sums(std::span<const double> sum, std::span<const double> product,
                std::uint64_t vectors);

  /// E[x], [dim], and E[x x^T] or the covariance, [dim, dim]. Throw InputError when no vector was
  /// added.
  std::vector<double> mean() const;
  std::vector<double> matrix(bool centred) const;

  std::uint64_t vectors() const { return vectors_; }
  std::size_t dim() const { return sum_.size(); }

  /// The mean of x_i^2 over vectors and coordinates, uncentred; 0 without vectors.
  double mean_square() const;

  /// The mean over coordinates of the squared mean of the vectors; 0 without vectors.
  double mean_square_of_mean() const;

  /// The dim eigenvalues, rising, of E[x x^T] or, if `centred`, of the covariance E[x x^T] - E[x]
  /// E[x]^T, both over the vectors added (divided by their number); what rounding pushed below 0 is
  /// 0. Throws InputError when no vector was added, or one was not finite. Cost: about 10 dim^3.
  std::vector<double> eigenvalues(bool centred) const;

 private:
  std::vector<double> sum_;      // dim
  std::vector<double> product_;  // dim x dim, lower triangle, columns one after the other
  std::uint64_t vectors_ = 0;
};

}  // namespace kakeya
