// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/store/shard.h"

namespace kakeya {

/// The shard that --shard means: "I/N", or "slurm", that of the task of a Slurm array which this process is, by
/// SLURM_ARRAY_TASK_ID, _COUNT, _MIN and _STEP. Empty: the whole sweep, in an array too. Throws SpecError,
/// also where an array has gaps, as --array=1,3.
Shard shard_option(const std::string& text);

}  // namespace kakeya
