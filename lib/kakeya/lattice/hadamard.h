// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace kakeya {

/// True for 1, 2, 4, 8, ...
constexpr bool is_power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

/// Multiplies x[0, length) in place by the orthonormal Hadamard matrix in Sylvester's order, H(2n)
/// = [[H, H], [H, -H]] over sqrt(length). Its own inverse. `length` is a power of two.
///
/// The order of additions is fixed: butterflies of distance 1, 2, 4, ... and one multiplication by
/// the float nearest to 1/sqrt(length) at the end, length log2(length) additions in all.
void hadamard(float* x, std::size_t length);

/// The same product as a dense matrix product in the order of a BLAS library: y[j] adds the
/// products x[k] (+-1/sqrt(length)) in the order of k, in panels of 256. Less accurate and
/// length/log2(length) times the work: only for reproducing results that were computed with a
/// matrix product, where a nearly equal distance may be decided by the rounding. `length` is at
/// least 8, at most 1024; x and y do not overlap.
void hadamard_as_product(const float* x, float* y, std::size_t length);

}  // namespace kakeya
