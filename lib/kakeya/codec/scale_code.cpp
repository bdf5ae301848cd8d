// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/scale_code.h"

#include <cstring>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {

void write_scale_code(std::span<std::byte> section, std::size_t item, ScaleFormat format,
                      std::uint16_t code) {
  std::memcpy(section.data() + item * scale_bytes(format), &code, scale_bytes(format));
}

std::uint16_t read_scale_code(std::span<const std::byte> section, std::size_t item,
                              ScaleFormat format) {
  std::uint16_t code = 0;
  std::memcpy(&code, section.data() + item * scale_bytes(format), scale_bytes(format));
  if (!is_scale_code(format, code)) {
    throw CorruptStream("scale " + std::to_string(item) + ": not a finite number from 0 on");
  }
  return code;
}

}  // namespace kakeya
