// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kakeya {

// Dense linear algebra for codecs that compute the same matrices where they write and where they read:
// every sum has one order, nothing is fused, and only operations that IEEE 754 rounds correctly are
// used (+, -, *, /, square root), so that every machine gets the same bits. Matrices are row-major.

/// a b, a [rows, inner], b [inner, columns]: sums in float from the first to the last of `inner`.
std::vector<float> ordered_product(std::span<const float> a, std::span<const float> b,
                                   std::size_t inner, std::size_t columns);

/// The same where it is known to be symmetric, a and b [n, inner] and [inner, n]: of what lies below its
/// diagonal blocks of 64, the reflection.
std::vector<float> symmetric_product(std::span<const float> a, std::span<const float> b,
                                     std::size_t inner);

/// R diag(weights) R^T, R [n, n].
std::vector<float> weighted_square(std::span<const float> rotation, std::span<const float> weights);

std::vector<float> transposed(std::span<const float> matrix, std::size_t columns);
std::vector<std::int32_t> transposed(std::span<const std::int32_t> matrix, std::size_t columns);

/// Solves a x = b in place, a [n, n] symmetric and positive definite, of which only the upper triangle
/// is read, b [n, columns]. Leaves nothing of use in `a`. A pivot counts as 2^-18 of its diagonal at least,
/// which float cannot tell from 0: rows that follow from others get a share of what these have.
void solve_in_place(std::vector<float>& a, std::vector<float>& b, std::size_t n);

/// Eigenvalues, falling, and eigenvectors of a symmetric matrix.
struct OrderedEigen {
  std::vector<double> values;  ///< [n]
  std::vector<float> vectors;  ///< [n, n], row k of value k, of length 1
};

/// By Householder reflections and the implicit QL method (Golub and Van Loan, Matrix Computations, 8.3):
/// about 9 n^3 operations in float, and some n^2 in double. Of `a`, [n, n], only the lower triangle is
/// read. Always ends, after at most twice as many; of matrices with NaN or infinities the result means
/// nothing.
OrderedEigen ordered_eigen(std::vector<float> a, std::size_t n);

}  // namespace kakeya
