// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/device/device_codec.h"
#include "kakeya/device/device_prefix.h"

namespace kakeya {

namespace kernels {
struct AttendCall;  // kernels/attention.h
struct FieldRoom;   // kernels/field_attention.h
struct FieldTransforms;
}  // namespace kernels

/// What attention over pages of prefix codes has beside DeviceAttention::Fields: the tables of a layer's keys and
/// values in device memory.
class DevicePrefixAttention {
 public:
  /// Whether these are codecs of klt with pages=prefix.
  static bool has_pages(const DeviceCodec& codec);
  /// Codecs of keys and of values. Throws NoKernelError where they have no pages for attention, InputError where
  /// `keys` or `values`, what they were made of, are of the other part.
  DevicePrefixAttention(const DeviceCodec& key_codec, const DeviceCodec& value_codec,
                        std::span<const CodecInput> keys, std::span<const CodecInput> values);

  /// Bytes in device memory.
  std::size_t bytes() const { return keys_.bytes() + values_.bytes(); }
  /// attend_prefix() of kernels/prefix_attention.h, with these tables.
  void run(const kernels::AttendCall& call, const kernels::FieldRoom& room,
           const kernels::FieldTransforms& transforms, std::size_t most_packed_tokens,
           DeviceStream stream) const;

 private:
  DevicePrefixPlans keys_, values_;
};

}  // namespace kakeya
