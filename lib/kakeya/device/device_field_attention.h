// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "kakeya/device/device_attention.h"

namespace kakeya {

namespace kernels {  // kernels/field_attention.h
struct FieldRoom;
struct FieldSections;
struct FieldTransforms;
}  // namespace kernels

/// What DeviceAttention has of klt: codecs of keys and values, and the transforms of all heads in device
/// memory.
struct DeviceAttention::Fields {
  /// Throws as DeviceAttention.
  Fields(std::string_view spec, const KvShape& shape, std::span<const CodecInput> keys,
         std::span<const CodecInput> values, const AttentionRoom& room);

  kernels::FieldRoom kernel_room() const;
  kernels::FieldTransforms transforms() const;
  /// Sections of codec(part).layout(tokens, heads) as launchers take them.
  kernels::FieldSections sections(Part part, const void* data, std::size_t tokens) const;
  std::size_t heads() const { return codecs[0]->heads(); }

  AttentionRoom room;
  std::unique_ptr<DeviceCodec> codecs[2];  // keys, values
  std::unique_ptr<DeviceBuffer> floats;
  std::size_t dim = 0;
  bool tiles = false;  ///< pages of tiles, or of fields
};

}  // namespace kakeya
