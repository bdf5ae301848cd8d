// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "fuzz/targets.h"

namespace kakeya::fuzz {

/// Target "profile": the input is a flat profile (.kkp) whose first byte is free; its magic, version,
/// length and checksum are mended where that byte is 'K'.
bool run_profile(Input input);

/// Profiles of both kinds, of at most two layers and a head dimension of 8.
Inputs profile_seeds();

/// What parse_profile() promises to ask of memory at most.
constexpr std::size_t profile_memory_limit(std::size_t file_bytes) {
  return 32 * file_bytes + 65536;
}

}  // namespace kakeya::fuzz
