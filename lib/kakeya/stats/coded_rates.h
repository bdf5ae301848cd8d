// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

namespace kakeya {

/// What coded values cost, in bits per value, by every counting; empty where a codec or an older
/// sample has none.
struct CodedRates {
  double measured = 0;             ///< 8 x all bytes written / all values
  std::optional<double> nominal;   ///< the published formula
  std::optional<double> codebook;  ///< log2 of the codebook, side information included
  std::optional<double> entropy;   ///< order-0, of the indices alone
};

}  // namespace kakeya
