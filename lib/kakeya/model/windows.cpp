// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/windows.h"

#include <algorithm>

#include "kakeya/core/error.h"

namespace kakeya {

std::vector<Window> sliding_windows(std::size_t count, std::size_t context, std::size_t stride) {
  if (count < 2) throw InputError(std::to_string(count) + " tokens, expected at least 2");
  if (context < 2) throw SpecError("ctx " + std::to_string(context) + ": expected at least 2");
  if (stride < 1 || stride >= context) {
    throw SpecError("stride " + std::to_string(stride) + ": expected 1 to " +
                    std::to_string(context - 1) + ", below ctx");
  }
  std::vector<Window> windows;
  std::size_t scored_to = 1;
  for (std::size_t begin = 0; scored_to < count; begin += stride) {
    const std::size_t end = std::min(begin + context, count);
    windows.push_back({begin, end, scored_to});
    scored_to = end;
  }
  return windows;
}

std::vector<Window> fixed_windows(std::size_t count, std::size_t context) {
  if (context < 4) throw SpecError("ctx " + std::to_string(context) + ": expected at least 4");
  if (count < context) {
    throw InputError(std::to_string(count) + " tokens, expected at least one window of " +
                     std::to_string(context));
  }
  std::vector<Window> windows;
  for (std::size_t begin = 0; begin + context <= count; begin += context) {
    windows.push_back({begin, begin + context, begin + context / 2 + 1});
  }
  return windows;
}

}  // namespace kakeya
