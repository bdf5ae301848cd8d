// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/kvtc_profile.h"

#include <algorithm>
#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

bool are_errors(const std::vector<double>& errors) {
  return std::all_of(errors.begin(), errors.end(),
                     [](double error) { return std::isfinite(error) && error >= 0; });
}

}  // namespace

void check_kvtc_profile(const KvtcProfile& profile, const std::string& where) {
  check_head(profile, where);
  const std::size_t width = profile.width();
  if (profile.rank < 1 || profile.rank > width) {
    throw InputError(where + ": rank " + std::to_string(profile.rank) + ", expected 1 to " +
                     std::to_string(width));
  }
  for (std::size_t p = 0; p < 2; ++p) {
    const KvtcPart& part = profile.parts[p];
    const auto require = [&](bool holds, const char* what) {
      if (!holds) throw InputError(where + (p == 0 ? ": keys: " : ": values: ") + what);
    };
    require(part.mean.size() == width, "expected a mean of every coordinate");
    require(part.basis.size() == profile.rank * width, "expected rank components");
    require(part.single_errors.size() == profile.rank * kKvtcTypes &&
                part.group_errors.size() ==
                    profile.group_starts() * kKvtcLargerSizes * kKvtcStoredTypes,
            "expected the error of every group");
    require(std::all_of(part.mean.begin(), part.mean.end(),
                        [](float mean) { return std::fabs(mean) < 0x1p40f; }),
            "a mean that is not finite or not below 2^40");
    require(std::all_of(part.basis.begin(), part.basis.end(),
                        [](std::uint16_t half) { return (half & 0x7c00) != 0x7c00; }),
            "a component that is not finite");
    require(are_errors(part.single_errors) && are_errors(part.group_errors),
            "an error that is not finite or below 0");
  }
}

}  // namespace kakeya
