// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/report/table.h"
#include "kakeya/studies/published/gaussian_error.h"
#include "kakeya/studies/published/record.h"

namespace kakeya {

/// What one codec of the published ablation costs and loses, by our own.
struct AblationCost {
  std::string change;                             ///< the value of the key ablate, "none" first
  std::string spec;                               ///< "d4:q=38,rule=published,ablate=..."
  double nominal = 0, codebook = 0, written = 0;  ///< bits a vector; written: the frame's bytes
  double rel_mse = 0;                             ///< on the vectors
};

/// All six at `q`, written to bytes and read back. The one maximum of no-per-vec-qmax is the
/// largest of these very vectors, rounded up to 0.001: the best that a fixed one can be without
/// clamping.
std::vector<AblationCost> ablation_costs(int q, const GaussianVectors& vectors);

/// The table of these costs at the published Q, 38, with errors at equal nominal bits, as
/// published, and at equal codebook bits (6.02 dB a bit a value), beside the recorded K MSE. Throws
/// InputError where the record lacks one.
Table ablation_table(const PublishedRecord& record, const GaussianVectors& vectors);

}  // namespace kakeya
