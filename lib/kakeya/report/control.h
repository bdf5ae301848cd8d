// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "kakeya/report/result_group.h"

namespace kakeya {

/// The control of every sweep: `identity` stores bf16 and must change nothing. In modes with
/// likelihoods its KL divergence, delta-ppl and rel-MSE are exactly 0, top-1 exactly 1 and both
/// likelihoods equal; in mode decode rel-MSE is 0 and the KL divergence at most kLargestStepChange; over a dump its rel-MSE is at most 2^-18, what rounding fp32 to bf16 can
/// cost. Returns a sentence that says what is not so, or nothing (also when there is no identity).
std::optional<std::string> broken_control(const ResultGroup& group);

}  // namespace kakeya
