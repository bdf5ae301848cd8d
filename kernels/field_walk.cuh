// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/field_attention.h"
#include "kernels/warp.cuh"

namespace kakeya::kernels {
namespace {

/// The slots of a sequence that it sees, and those that a warp takes.
struct FieldWalk {
  const AttendCall& call;
  const FieldRoom& room;
  const std::int32_t* table;
  int sequence, head, page, step, end;
  const std::uint8_t *keys, *values;
  int key_bytes, value_bytes;

  /// To the next page from `from` on that there is.
  __device__ __forceinline__ void seek(int from) {
    const auto directory = static_cast<std::uint32_t>(field_directory(call.pool.heads));
    for (page = from; page < end; page += step) {
      const std::int64_t slot = table[page];
      if (slot < 0 || slot >= call.pool.slots) {
        atomicOr(call.flags + sequence, static_cast<std::uint32_t>(kBadSlot));
        continue;
      }
      const std::uint8_t* const data = call.pool.data + slot * room.slot_bytes;
      const auto* const places = reinterpret_cast<const std::uint32_t*>(data) + 2 * head;
      const std::uint32_t first = places[0], second = places[1], third = places[2];
      const auto most = static_cast<std::uint32_t>(room.slot_bytes / 16),
                 most_part = static_cast<std::uint32_t>(room.part_bytes) / 16;
      if (first >= directory && first < second && second < third && third <= most &&
          third - first <= static_cast<std::uint32_t>(room.head_bytes) / 16 &&
          second - first <= most_part && third - second <= most_part) {
        keys = data + 16 * std::int64_t{first}, values = data + 16 * std::int64_t{second};
        key_bytes = static_cast<int>(16 * (second - first));
        value_bytes = static_cast<int>(16 * (third - second));
        return;
      }
      atomicOr(call.flags + sequence, static_cast<std::uint32_t>(kBadPage));
    }
  }
};

}  // namespace
}  // namespace kakeya::kernels
