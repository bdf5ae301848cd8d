// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/studies/published/gaussian_error.h"
#include "kakeya/studies/published/record.h"

namespace kakeya {

/// What one published setting costs, by our own codecs.
struct OperatingCost {
  std::string spec;                ///< "d4:q=38"
  int block = 1;                   ///< coordinates a block
  double codebook_block_bits = 0;  ///< log2 of the points of the box
  double nominal_block_bits = 0;   ///< what the formula takes, a whole number
  double written_block_bits = 0;   ///< log2 of all that the published round trip can give
  int free_q = 0;                  ///< the largest Q of as many nominal bits
};

/// D4 and E8 at the published Q.
std::vector<OperatingCost> operating_costs();

/// MSE of D4 at `q` over that of the scalar grid of `bits`, from step sizes and cells alone:
/// ((2^(bits-1) - 1) / q)^2 (13/120) / (1/12).
double predicted_mse_ratio(int q, int bits);

/// The report: nominal bits, wasted bits and free settings, predicted ratios beside the recorded
/// ones, where E8's gain comes from, and the error of everything at equal nominal bits, with a
/// chart. Measures on `vectors`, whose dim is 128.
Document make_codec_arithmetic(const PublishedRecord& record, const GaussianVectors& vectors);

}  // namespace kakeya
