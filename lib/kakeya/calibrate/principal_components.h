// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "kakeya/core/worker_pool.h"

namespace kakeya {

/// Leading eigenvectors of a covariance.
struct PrincipalComponents {
  std::vector<float> vectors;     ///< [rank, width]: a row each, orthonormal
  std::vector<double> variances;  ///< [rank], falling
};

/// The first `rank` principal components of each covariance ([width, width], symmetric; what it
/// holds afterwards means nothing), by randomised subspace iteration (Halko, Martinsson, Tropp,
/// SIAM Review 53, 2011, algorithm 4.4) in blocks of 512, each taken out of the covariance before
/// the next. The same on every run. `done` hears how many blocks are done, from 0 on, and how many
/// there are. Takes about 6 * rank * width^2 multiply-adds and 8 * rank * width bytes each.
std::vector<PrincipalComponents> principal_components(
    std::vector<std::vector<float>>& covariances, std::size_t width, std::size_t rank,
    WorkerPool& pool, const std::function<void(std::size_t done, std::size_t of)>& done);

}  // namespace kakeya
