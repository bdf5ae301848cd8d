// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/profile_fields.h"

#include "kakeya/core/error.h"

namespace kakeya {

void require_profile_format(const h5::File& file, const std::string& path,
                            const std::string& format, std::int64_t schema) {
  const std::string found = file.text("/", "format");
  if (found != format) {
    throw CorruptStream(path + ": format " + found + ", expected " + format);
  }
  const std::int64_t there = file.integer("/", "schema");
  if (there != schema) {
    throw CorruptStream(path + ": schema " + std::to_string(there) + ", expected " +
                        std::to_string(schema) + ": make it anew with kakeya-calibrate");
  }
}

}  // namespace kakeya
