// SPDX-License-Identifier: Apache-2.0
#include "kakeya/tradeoff/ladder.h"

#include <sstream>
#include <string_view>

#include "kakeya/codec/codec.h"

namespace kakeya {
namespace {

/// A pattern of specs and what takes the place of its '@'.
struct Ladder {
  std::string_view pattern, rates;
  std::string_view codec() const { return pattern.substr(0, pattern.find(':')); }
};

// Ranges of the published operating points, and what lies between and below.
constexpr std::string_view kRanges = "1 2 3 4 6 10 15 22 38 76 152";
constexpr std::string_view kWidths = "2 3 4 5 6 7 8";

// To measure a codec at more places: a row here.
constexpr Ladder kLadders[] = {
    {"identity", ""},
    {"e8:q=@", kRanges},
    {"d4:q=@", kRanges},
    {"tq:b=@", kWidths},
    {"fp8", ""},
    {"fp8:scale=fp16", ""},
    {"fp8:scale=e8m0", ""},
};

void append(const Ladder& ladder, std::vector<std::string>& specs) {
  const std::size_t at = ladder.pattern.find('@');
  if (at == std::string_view::npos) {
    specs.emplace_back(ladder.pattern);
    return;
  }
  std::istringstream rates{std::string(ladder.rates)};
  for (std::string rate; rates >> rate;) {
    specs.push_back(std::string(ladder.pattern.substr(0, at)) + rate +
                    std::string(ladder.pattern.substr(at + 1)));
  }
}

}  // namespace

std::vector<std::string> default_ladder() {
  std::vector<std::string> specs;
  for (const CodecEntry& entry : builtin_codecs()) {
    const std::size_t before = specs.size();
    for (const Ladder& ladder : kLadders) {
      if (ladder.codec() == entry.name) append(ladder, specs);
    }
    if (specs.size() == before) specs.emplace_back(entry.example);
  }
  return specs;
}

}  // namespace kakeya
