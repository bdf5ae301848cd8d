// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_prefix_attention.h"

#include <string>
#include <vector>

#include "kakeya/codec/transform_codec.h"
#include "kakeya/core/error.h"
#include "kernels/prefix_attention.h"

namespace kakeya {
namespace {

const PagedFormat& format_of(const DeviceCodec& codec, std::size_t head) {
  return *dynamic_cast<const TransformCodec&>(codec.host(head)).transform_plan().format;
}

DevicePrefixPlans plans_of(const DeviceCodec& codec, std::span<const CodecInput> inputs,
                           Part part) {
  std::vector<const PrefixCoder*> coders;
  for (std::size_t head = 0; head < codec.heads(); ++head) {
    const PagedFormat& format = format_of(codec, head);
    const auto* coder = dynamic_cast<const PrefixCoder*>(format.readable.get());
    if (coder == nullptr || format.page != kernels::kFieldSlotTokens) {
      throw NoKernelError(codec.spec() + ": no pages for attention: of klt with pages=prefix " +
                          "there are some with page=128, page=" + std::to_string(format.page) +
                          " given");
    }
    if (inputs[head].site && inputs[head].site->part != part) {
      throw InputError(
          codec.spec() + ": attention: the site of a " +
          (part == Part::key ? "value given for that of a key" : "key given for that of a value"));
    }
    coders.push_back(coder);
  }
  return DevicePrefixPlans(coders);
}

}  // namespace

bool DevicePrefixAttention::has_pages(const DeviceCodec& codec) {
  return dynamic_cast<const PrefixCoder*>(format_of(codec, 0).readable.get()) != nullptr;
}

DevicePrefixAttention::DevicePrefixAttention(const DeviceCodec& key_codec,
                                             const DeviceCodec& value_codec,
                                             std::span<const CodecInput> keys,
                                             std::span<const CodecInput> values)
    : keys_(plans_of(key_codec, keys, Part::key)),
      values_(plans_of(value_codec, values, Part::value)) {}

void DevicePrefixAttention::run(const kernels::AttendCall& call, const kernels::FieldRoom& room,
                                const kernels::FieldTransforms& transforms,
                                std::size_t most_packed_tokens, DeviceStream stream) const {
  kernels::attend_prefix(call, room, transforms, {keys_.kernel(), values_.kernel()},
                         static_cast<std::int64_t>(most_packed_tokens), stream);
}

}  // namespace kakeya
