// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "kakeya/device/device_attention.h"
#include "kakeya/device/device_prefix_attention.h"

namespace kakeya {

namespace kernels {  // kernels/field_attention.h
struct FieldRoom;
struct FieldSections;
struct FieldTransforms;
struct PagePool;
struct RopeTables;
}  // namespace kernels

/// What DeviceAttention has of klt: codecs of keys and values, and the transforms of all heads in device
/// memory.
struct DeviceAttention::Fields {
  /// Throws as DeviceAttention.
  Fields(std::string_view spec, const KvShape& shape, std::span<const CodecInput> keys,
         std::span<const CodecInput> values, const AttentionRoom& room);

  kernels::FieldRoom kernel_room() const;
  kernels::FieldTransforms transforms() const;
  /// As set_rope() of DeviceAttention.
  void set_rope(std::shared_ptr<const DeviceRope> given);
  /// Where there is a RoPE.
  kernels::RopeTables rope_tables(const std::int32_t* first_positions) const;
  /// Sections of codec(part).layout(tokens, heads) as launchers take them.
  kernels::FieldSections sections(Part part, const void* data, std::size_t tokens) const;
  std::size_t heads() const { return codecs[0]->heads(); }

  /// Where a workspace has sections of so many tokens' keys, their values, and what calls borrow; and its bytes.
  struct Places {
    std::size_t values = 0, borrowed = 0, bytes = 0;
  };
  Places places(std::size_t tokens) const;
  /// Of pages of a budget (device_budget_attention.cpp): the room of any; lay() and the way back of so many full pages.
  AttentionRoom budget_room() const;
  void lay_budget(const void* key_sections, const void* value_sections, std::size_t tokens,
                  const kernels::PagePool& pool, const std::int32_t* slots, std::uint32_t* flags,
                  DeviceStream stream) const;
  void lift_budget(const kernels::PagePool& pool, const std::int32_t* slots, std::size_t pages,
                   void* key_sections, void* value_sections, std::uint32_t* flags,
                   DeviceStream stream) const;
  /// As those of DeviceAttention.
  AttentionRoom code(const DeviceVectors& keys, const DeviceVectors& values, std::uint32_t* flags,
                     DeviceStream stream, void* workspace) const;
  void unpack(const DevicePagePool& pool, const std::int32_t* slots, TokenRange range,
              const DeviceVectors& keys, const DeviceVectors& values, std::uint32_t* flags,
              DeviceStream stream, void* workspace) const;
  std::size_t unpack_workspace_bytes(std::size_t tokens) const;

  AttentionRoom room;
  std::unique_ptr<DeviceCodec> codecs[2];  // keys, values
  std::unique_ptr<DeviceBuffer> floats;
  std::size_t dim = 0;
  std::size_t budget = 0;                         ///< bytes of a page, 0: as many as it takes
  bool tiles = false;                             ///< pages of tiles, or of fields
  std::unique_ptr<DevicePrefixAttention> prefix;  ///< null: pages of tiles or fields
  std::shared_ptr<const DeviceRope> rope;         ///< null: keys are after it
  std::unique_ptr<DeviceBuffer> rope_matrices;    ///< a head each, then their units
};

}  // namespace kakeya
