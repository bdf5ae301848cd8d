// SPDX-License-Identifier: Apache-2.0
// Stands in for xz.cpp where there is no liblzma.
#include "kakeya/core/error.h"
#include "kakeya/store/xz.h"

namespace kakeya {

std::string read_xz(const std::string& path) {
  throw IoError(
      path + ": this build has no liblzma (Debian: liblzma-dev): unpack it first: xz -dk " + path);
}

}  // namespace kakeya
