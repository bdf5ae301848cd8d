// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace kakeya::fuzz {

/// What a target throws when a decoder did what it must not do. The libFuzzer entry aborts on it,
/// the replay reports it.
class Finding : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* what) {
  if (!holds) throw Finding(what);
}

}  // namespace kakeya::fuzz
