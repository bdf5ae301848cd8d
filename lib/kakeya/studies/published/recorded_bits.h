// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kakeya/studies/published/record.h"

namespace kakeya {

/// Rows of the record that state the bits of a codec, and how many of them state ours.
struct RecordedBits {
  int equal = 0, rows = 0;
};

/// Over the keys of perplexity runs (`ppl`, of their run's head_dim), needle runs (`needle`, of the
/// dim that their bf16 row has) and V4 streams (`v4`, `v4_sweep`, dim 512). Throws InputError
/// naming a row that lacks its run, its bits, or the bf16 row beside it.
RecordedBits recorded_bits(const PublishedRecord& record, const std::string& spec);

}  // namespace kakeya
