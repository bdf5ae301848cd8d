// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/targets.h"

namespace kakeya::fuzz {

// Target "frame": the input is a frame, its header and table of sections included. One that begins
// with "K" gets magic, version, length and checksum repaired, any other only the magic.

bool run_frame(Input input);
Inputs frame_seeds();

}  // namespace kakeya::fuzz
