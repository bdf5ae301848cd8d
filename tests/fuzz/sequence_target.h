// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fuzz/targets.h"

namespace kakeya::fuzz {

/// Target "sequence": a byte that chooses a live cache, and the file of a saved sequence (KKVS). Magic,
/// version, lengths and checksums are mended; where the last lane ends follows from the file's length.
/// Restores it into the cache. Throws Finding when
///   - anything but CorruptStream or InputError is thrown,
///   - more memory is asked for than restore_sequence() promises,
///   - what was restored is saved as other bytes, or has values that are not finite,
///   - the sequence cannot be branched, appended to, cut and dropped.
bool run_sequence(Input input);

Inputs sequence_seeds();

}  // namespace kakeya::fuzz
