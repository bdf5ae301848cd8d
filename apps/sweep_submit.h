// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kakeya {

/// What --submit is asked for.
struct Submission {
  std::string where;                   ///< "slurm:tasks=8,time=2:00:00"
  std::string out;                     ///< the folder of the results
  std::vector<std::string> arguments;  ///< argv
  bool write_only = false;             ///< --dry-run: writes the scripts, submits nothing
  bool json = false;
};

/// Writes OUT/slurm/sweep.sbatch, an array whose tasks run these arguments with --shard slurm, and
/// OUT/slurm/report.sbatch, which reports when all tasks have ended; submits both, and prints what it did.
/// Throws SpecError on a key that is unknown, given twice or lacking, IoError where there is no sbatch,
/// Error with what sbatch says where it refuses.
void submit_sweep(const Submission& asked);

}  // namespace kakeya
