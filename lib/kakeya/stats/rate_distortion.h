// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kakeya {

/// The least rel-MSE that any code of `bits_per_value` bits can reach on white Gaussian data: D(R)
/// = 2^(-2R) (Shannon 1959; Cover and Thomas, eq. 10.36). Throws InputError unless bits_per_value
/// is finite and >= 0.
double shannon_rel_mse(double bits_per_value);

/// The least bits per value that reach `rel_mse` on white Gaussian data: R(D) = max(0, -log2(D) /
/// 2), the "effective bits" that a codec delivers; +infinity for 0. Throws InputError unless
/// rel_mse >= 0.
double effective_bits(double rel_mse);

/// How far a codec is above that bound: 10 log10(rel_mse 2^(2R)), dB. -infinity for rel_mse 0.
/// Throws as the two above.
double shannon_gap_db(double rel_mse, double bits_per_value);

/// Gap of a lattice with ideal entropy coding at high rate: 10 log10(2 pi e G), dB, for its
/// normalised second moment G (Zador; Conway and Sloane, chapter 2). Throws InputError unless G >
/// 0.
double lattice_gap_db(double normalised_second_moment);

constexpr double kSecondMomentZ = 1.0 / 12;
constexpr double kSecondMomentD4 = 0.0766032346;  ///< 13 / (120 sqrt(2))
constexpr double kSecondMomentE8 = 929.0 / 12960;

}  // namespace kakeya
