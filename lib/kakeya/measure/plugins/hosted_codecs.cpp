// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/plugins/hosted_codecs.h"

#include "kakeya/core/error.h"

namespace kakeya {

std::vector<std::string> register_hosted_codecs(const std::string& path) {
  throw SpecError(path + ": codecs in Python need kakeya.host, which this build lacks");
}

}  // namespace kakeya
