// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>

#include "kakeya/calibrate/whole_token_moments.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/profile/kvtc_profile.h"

namespace kakeya {

/// Fills in rank and parts of a profile whose origin is known, of keys and of values: mean, principal components rounded to binary16, and the errors
/// of all groups, measured on the sampled tokens. `done` hears how many steps are done, from 0 on,
/// and how many there are.
void build_kvtc_profile(std::array<WholeTokens, 2> gathered, std::size_t rank, KvtcProfile& profile,
                        WorkerPool& pool,
                        const std::function<void(std::size_t done, std::size_t of)>& done);

}  // namespace kakeya
