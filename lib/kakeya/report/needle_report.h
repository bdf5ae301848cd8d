// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/store/needle_store.h"

namespace kakeya {

struct NeedleReport : Document {
  std::vector<std::string> warnings;  ///< cells that failed or are not there, pages never full
  std::size_t codecs = 0, prompts = 0, solved = 0,
              unsolved = 0;  ///< the last two: tasks at a length
};

/// What the bf16 cache's model solves (a task at a length of whose answers it gives at least the share `solved`, over all
/// depths and samples); of every codec on solved tasks the nats a token of the right answer, their difference from the
/// bf16 cache on the same prompts with 95 % Student-t interval, the share of answers given and bits of the whole cache;
/// the same of unsolved tasks, apart; and heat maps of solved tasks, depth by length, a panel a codec. At a length at which
/// a codec's caches take no less than bf16 ones its pages were never full: said so in tables and maps, in no mean over tasks.
/// Throws InputError where there is no sample over the bf16 cache, or no run.
NeedleReport make_needle_report(const NeedleResults& results, double solved);

}  // namespace kakeya
