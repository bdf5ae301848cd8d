// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace kakeya {

// Dense linear algebra for codecs that compute the same matrices where they write and where they read:
// every sum has one order, nothing is fused, and only operations that IEEE 754 rounds correctly are
// used (+, -, *, /, square root), so that every machine gets the same bits. Matrices are row-major.

/// a b, a [rows, inner], b [inner, columns], both multiples of 8: sums in float from the first to the
/// last of `inner`.
std::vector<float> ordered_product(std::span<const float> a, std::span<const float> b,
                                   std::size_t inner, std::size_t columns);

std::vector<float> transposed(std::span<const float> matrix, std::size_t columns);

/// Solves a x = b in place, a [n, n] symmetric and positive definite, of which only the upper triangle
/// is read, b [n, columns]. Leaves nothing of use in `a`. Pivots that are not above 0 count as the
/// smallest positive number: what comes out may then be infinite or NaN.
void solve_in_place(std::vector<double>& a, std::vector<double>& b, std::size_t n);

/// from -= a^T b, all [n, n]; sums in double.
void subtract_product(std::vector<double>& from, const std::vector<double>& a,
                      const std::vector<double>& b, std::size_t n);

/// Eigenvalues, falling, and eigenvectors of a symmetric matrix.
struct OrderedEigen {
  std::vector<double> values;   ///< [n]
  std::vector<double> vectors;  ///< [n, n], row k of value k, of length 1
};

/// By Householder reflections and the implicit QL method (Golub and Van Loan, Matrix Computations, 8.3):
/// about 9 n^3 operations. Of `a`, [n, n], only the lower triangle is read. Always ends, after at most twice as
/// many; of matrices with NaN or infinities the result means nothing.
OrderedEigen ordered_eigen(std::vector<double> a, std::size_t n);

}  // namespace kakeya
