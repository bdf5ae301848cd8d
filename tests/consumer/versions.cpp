// SPDX-License-Identifier: Apache-2.0
// The version of the headers and that of the library, which have to be the same.
#include <kakeya/version.h>

#include <iostream>
#include <string>

int main() {
  const std::string headers = std::to_string(KAKEYA_VERSION_MAJOR) + "." +
                              std::to_string(KAKEYA_VERSION_MINOR) + "." +
                              std::to_string(KAKEYA_VERSION_PATCH);
  std::cout << headers << " " << kakeya::version() << " " << kakeya::build_commit() << "\n";
  return headers == kakeya::version() ? 0 : 1;
}
