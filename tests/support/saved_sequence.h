// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kakeya/bitstream/crc32c.h"

namespace kakeya::testing {

/// Bytes of an entry in the table of a saved sequence's lanes (cache/sequence_file.h).
inline constexpr std::size_t kLaneEntryBytes = 24;

/// The number at byte `at` of a file.
template <typename T>
T field_of(std::span<const std::byte> file, std::size_t at) {
  T value;
  std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

/// Where the lanes of a saved sequence begin, and where their table does.
inline std::size_t lanes_begin(std::span<const std::byte> file) {
  return field_of<std::uint32_t>(file, 8);
}
inline std::size_t lane_table_begin(std::span<const std::byte> file) {
  return lanes_begin(file) - 4 - kLaneEntryBytes * field_of<std::uint32_t>(file, 12);
}

/// Makes the checksums of the lanes and of the head fit, as whoever forges a file would.
inline void seal_sequence(std::vector<std::byte>& file) {
  const std::size_t begin = lanes_begin(file);
  std::size_t lane = begin;
  for (std::size_t entry = lane_table_begin(file); entry < begin - 4; entry += kLaneEntryBytes) {
    const auto bytes = field_of<std::uint64_t>(file, entry + 16);
    if (bytes > file.size() - lane) break;
    const std::uint32_t checksum = crc32c(std::span(file).subspan(lane, bytes));
    std::memcpy(file.data() + entry + 12, &checksum, 4);
    lane += bytes;
  }
  const std::uint32_t checksum = crc32c(std::span(file).first(begin - 4));
  std::memcpy(file.data() + begin - 4, &checksum, 4);
}

}  // namespace kakeya::testing
