// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kakeya/codec/scale_rules.h"

namespace kakeya {

// Codes of scales (scale_rules.h) in a section.

constexpr std::size_t scale_bytes(ScaleFormat format) {
  return format == ScaleFormat::half ? 2 : 1;
}

/// Writes and reads the code of scale `item` at its place. read_scale_code throws CorruptStream on
/// an infinite, NaN or negative binary16.
void write_scale_code(std::span<std::byte> section, std::size_t item, ScaleFormat format,
                      std::uint16_t code);
std::uint16_t read_scale_code(std::span<const std::byte> section, std::size_t item,
                              ScaleFormat format);

}  // namespace kakeya
