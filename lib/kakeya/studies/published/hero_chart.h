// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kakeya/report/figure.h"
#include "kakeya/studies/published/record.h"

namespace kakeya {

/// KakeyaLattice's hero chart from its record, a panel a model of the four: mean |delta-ppl| of
/// eight passages, in percent, against the ratio of bf16 to nominal bytes of a cache of 131072
/// tokens, D4 and the scalar, every setting named. Twice: `hero_printed`, where the change, already
/// relative, is divided by the mean perplexity of bf16 again, as its script does, and `hero`, with
/// 95 % t intervals. Throws InputError where the record lacks a run, a codec or a number of it.
std::vector<Chart> published_hero_charts(const PublishedRecord& record);

}  // namespace kakeya
