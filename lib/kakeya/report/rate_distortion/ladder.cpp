// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/rate_distortion/ladder.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "kakeya/codec/codec.h"
#include "kakeya/report/result_group.h"

namespace kakeya {
namespace {

/// A pattern of specs, in canonical order, and what takes the place of its '@'.
struct Ladder {
  std::string_view pattern, rates;
  bool charted = true;
  std::string_view codec() const { return pattern.substr(0, pattern.find(':')); }
};

// Ranges of the published operating points, and what lies between and below.
constexpr std::string_view kRanges = "1 2 3 4 6 10 15 22 38 76 152", kFewRanges = "1 2 4 10 38 152";
constexpr std::string_view kWidths = "2 3 4 5 6 7 8", kFewWidths = "2 3 4 6 8";
constexpr std::string_view kTargets = "1 1.5 2 2.5 3 3.5 4 5 6 7 8", kFewTargets = "1 2 3 4 6 8";

// To measure a codec at more places: a row here.
// clang-format off
constexpr Ladder kLadders[] = {
    {"identity", ""},
    {"e8:q=@", kRanges},
    {"e8:q=@,pack=joint,scales=one", kRanges},
    {"e8:q=@,pack=rans,scales=one", kRanges},
    {"d4:q=@", kRanges},
    {"d4:q=@,pack=joint,scales=one", kFewRanges, false},
    {"d4:q=@,pack=rans,scales=one", kFewRanges, false},
    {"tq:b=@", kWidths},
    {"tq:b=@,pack=joint,scales=one", kFewWidths, false},
    {"tq:b=@,pack=rans,scales=one", kFewWidths, false},
    {"ecz:bits=@", kFewTargets, false},
    {"ecz:bits=@,per=head-page", kFewTargets, false},
    {"ecz:bits=@,per=head-page,reconstruct=wiener", kTargets},
    {"ecd4:bits=@", kFewTargets, false},
    {"ecd4:bits=@,per=head-page", kFewTargets, false},
    {"ecd4:bits=@,per=head-page,reconstruct=wiener", kTargets},
    {"ece8:bits=@", kTargets},
    {"ece8:bits=@,center=mean", kTargets},
    {"ece8:bits=@,per=head-page", kFewTargets, false},
    {"ece8:bits=@,per=head-page,reconstruct=wiener", kTargets},
    {"ece8:bits=@,per=head-page,rotate=none", kTargets},
    {"ece8:bits=@,per=head-page,classes=channel,rotate=none,center=mean", kTargets},
    {"fp8", ""},
    {"fp8:scale=fp16", "", false},
    {"fp8:scale=e8m0", "", false},
    {"kivi:b=@", "1 2 3 4 5 6 8"},
    {"kivi:b=@,group=128", "1 2 3 4 6 8", false},
};
// clang-format on

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
    if (specs.size() == before && !entry.calibrated) specs.emplace_back(entry.example);
  }
  return specs;
}

bool charted_among_many(const std::string& family) {
  return std::none_of(std::begin(kLadders), std::end(kLadders), [&](const Ladder& ladder) {
    return !ladder.charted && split_spec(std::string(ladder.pattern)).family == family;
  });
}

}  // namespace kakeya
