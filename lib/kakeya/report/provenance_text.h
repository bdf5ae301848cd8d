// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/report/result_group.h"
#include "kakeya/report/table.h"

namespace kakeya {

/// The line under a table: commit, device and command of every run that made a sample of the group; of
/// runs that took a part each (--first-passage, --first-window, --shard), the first command and how many.
std::string provenance_line(const ResultGroup& group);

/// The commits of all runs of a folder, each once, behind the word for them; says where there is none.
std::string commits_text(const StoredResults& results);

/// The plan of every folder: model, text, passages, lengths, tap, device, digests. One column a
/// folder.
Table circumstances_table(std::span<const ResultGroup> groups);

/// The lengths of a cache, in tokens, over which tables spread the bytes of a profile.
inline constexpr std::array<int, 3> kProfileTokens = {2048, 32768, 131072};

/// The profiles that runs of this group had, each once: what the codec of any run that needs most of it reads,
/// and the shared passages of all runs. Of `uses` those of one run.
std::vector<ProfileRecord> profile_records(const ResultGroup& group);

/// `bytes` in bits a value of a whole cache of `tokens` tokens.
double profile_bits(const SweepPlan& plan, std::size_t bytes, int tokens);

/// The first 16 digits of a SHA-256, as specs and tables name it; "-" of "".
std::string short_digest(const std::string& digest);

/// The profiles of calibrated codecs that runs of these groups had, what they were made from, and
/// what a reader of one needs, spread over caches of 2k, 32k and 128k tokens. No rate counts that.
/// No rows where there were none.
Table profiles_table(std::span<const ResultGroup> groups);

/// A command as a shell would take it.
std::string shell_text(const std::vector<std::string>& command);

}  // namespace kakeya
