// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "kakeya/calibrate/layer_moments.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/profile/profile.h"

namespace kakeya {

/// Profile::layer_octaves: the steps of each part at nominal rate 0 in binary orders of magnitude
/// below its unit, from the sensitivities that Profile::layer_steps names. Throws as
/// Profile::rate_offsets().
std::vector<double> octaves_of_layers(const Profile& profile);

/// Sets Profile::layer_transforms of orders 0 to that of the moments, of groups of
/// Profile::layer_group layers, for Profile::layer_shaping. Predictors are those of least squared
/// error from groups that were decoded at a nominal rate of 2 bits, whose errors are taken as
/// white; rotations those of the residuals; classes those that cost least for the samples, coded
/// group by group from decoded ones. Matrices are rounded to Profile::matrices before the classes
/// are chosen. After each group of each order calls done(steps so far).
void build_layer_transforms(const LayerMoments& moments, Profile& profile, WorkerPool& pool,
                            const std::function<void(std::size_t)>& done);

}  // namespace kakeya
