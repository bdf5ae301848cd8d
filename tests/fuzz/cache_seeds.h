// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "fuzz/targets.h"
#include "kakeya/codec/cache_codecs.h"

namespace kakeya::fuzz {

/// The profiles that seeds are coded with, one head of 8 channels: of klt three layers, of kvtc
/// two.
const ProfileSource& cache_profiles();

/// The codecs of the seeds, canonical.
std::span<const CodecPair> cache_pairs();

/// Caches of at most three layers and 36 tokens: codecs of every scope, with and without skipped
/// layers, sinks and a residual window.
Inputs cache_seeds();

}  // namespace kakeya::fuzz
