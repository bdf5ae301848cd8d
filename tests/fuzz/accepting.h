// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fuzz/allocation.h"
#include "fuzz/finding.h"
#include "kakeya/core/error.h"

namespace kakeya::fuzz {

/// Runs `read` and returns whether it accepted; CorruptStream is how it refuses. Throws Finding
/// when it asks for more than `limit` bytes of memory, which runs it again.
template <typename Read>
bool accepts(const Read& read, std::size_t limit) {
  bool accepted = false;
  const auto run = [&] {
    const std::size_t before = allocated_bytes();
    try {
      read();
      accepted = true;
    } catch (const CorruptStream&) {
      accepted = false;
    }
    return allocated_bytes() - before;
  };
  // What is built once and kept, as the tables of a class of coordinates, belongs to no input: only
  // a second run in excess counts.
  if (run() > limit) {
    require(run() <= limit, "a reader asked for more memory than its limit");
  }
  return accepted;
}

}  // namespace kakeya::fuzz
