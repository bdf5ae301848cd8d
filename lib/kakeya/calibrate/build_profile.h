// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "kakeya/calibrate/moments.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/model/model.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// The transforms of every site, each variant asked for, and the classes of their coordinates;
/// sensitivities stay 0. Matrices are rounded as they will be stored, to binary16 or to int8
/// (round_to_int8()), and their inverses taken after that. Classes are those that cost least for
/// the sampled vectors at a nominal rate of 3 bits.
Profile build_profile(const Model& model, const CacheMoments& moments, TapPoint tap,
                      const std::vector<TransformVariant>& variants, MatrixFormat matrices,
                      WorkerPool& pool, const std::function<void(int layer)>& done);

}  // namespace kakeya
