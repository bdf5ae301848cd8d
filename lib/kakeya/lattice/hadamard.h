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

}  // namespace kakeya
