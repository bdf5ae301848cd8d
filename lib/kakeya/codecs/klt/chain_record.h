// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "kakeya/bitstream/frame.h"
#include "kakeya/codec/stage_sections.h"
#include "kakeya/core/error.h"

namespace kakeya {

/// Four fields of 16 bits that say whose vectors a frame has and what its step is.
using ChainRecord = std::array<std::uint16_t, 4>;

/// That of a frame, in the section `name`. Throws CorruptStream where it is no record.
inline ChainRecord read_record(const FrameView& view, std::string_view name) {
  const auto section = section_of(view, name);
  ChainRecord record;
  if (section.size() != sizeof record) {
    throw CorruptStream(view.spec + ": section " + std::string(name) + ": " +
                        std::to_string(section.size()) + " bytes, expected " +
                        std::to_string(sizeof record));
  }
  std::memcpy(record.data(), section.data(), sizeof record);
  return record;
}

}  // namespace kakeya
