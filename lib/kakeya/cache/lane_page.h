// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "kakeya/cache/lane.h"

namespace kakeya {

/// Sealed: a part of each block, coded. One that was dropped has neither pages nor frames; the last
/// of these has `after`, the others are one and the same.
struct Lane::Page {
  std::vector<CodedPages> coded;               // of codecs with pages; or
  std::vector<std::vector<std::byte>> frames;  // of others
  std::vector<PageHistory> after;              // what pages after it need, of the first
};

inline bool has_steps(const StepHistory& steps) { return steps.seen != 0; }

}  // namespace kakeya
