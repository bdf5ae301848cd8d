// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace kakeya {

/// The `share` quantile of rising numbers, linear between neighbours: place share (n - 1), counted
/// from 0 (type 7 of Hyndman and Fan 1996; the default of NumPy and PyTorch). Throws InputError
/// when there is no number or share is not in [0, 1].
double quantile(std::span<const double> sorted, double share);

}  // namespace kakeya
