// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/mode.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

struct ModeName {
  EvalMode mode;
  std::string_view name;
};
constexpr std::array<ModeName, 4> kModes = {{{EvalMode::in_forward, "inforward"},
                                             {EvalMode::snapshot, "snapshot"},
                                             {EvalMode::prefix, "prefix"},
                                             {EvalMode::decode, "decode"}}};

EvalMode parse_mode(std::string_view word) {
  for (const ModeName& known : kModes) {
    if (word == known.name) return known.mode;
  }
  throw SpecError("mode " + std::string(word) + ": expected inforward, snapshot, prefix or decode");
}

}  // namespace

std::string_view mode_name(EvalMode mode) {
  for (const ModeName& known : kModes) {
    if (mode == known.mode) return known.name;
  }
  throw SpecError("mode number " + std::to_string(static_cast<int>(mode)) + ": expected 0 to 3");
}

std::vector<EvalMode> parse_modes(const std::vector<std::string>& lists) {
  std::vector<EvalMode> modes;
  for (const std::string& list : lists) {
    std::size_t begin = 0;
    while (begin <= list.size()) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const EvalMode mode = parse_mode(std::string_view(list).substr(begin, end - begin));
      if (std::find(modes.begin(), modes.end(), mode) == modes.end()) modes.push_back(mode);
      begin = end + 1;
    }
  }
  return modes;
}

}  // namespace kakeya
