// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/device_codings.h"

#include <algorithm>
#include <cstring>

#include "kakeya/device/device_vectors.h"

namespace kakeya {
namespace {

constexpr std::size_t kAligned = 256;

std::size_t round_up(std::size_t bytes) { return (bytes + kAligned - 1) / kAligned * kAligned; }

}  // namespace

DeviceBuffer& DeviceWorkspace::grown(std::unique_ptr<DeviceBuffer>& buffer, std::size_t bytes) {
  if (!buffer || buffer->bytes() < bytes) {
    buffer.reset();
    buffer = std::make_unique<DeviceBuffer>(bytes);
  }
  return *buffer;
}

DeviceCodings::Coded::Coded(const DeviceCodec& with, std::size_t tokens, std::size_t heads,
                            std::size_t vectors, std::size_t begin)
    : codec(with),
      layout(with.layout(tokens, heads)),
      compared(vectors),
      flags_at(begin),
      sections_at(flags_at + round_up(heads * sizeof(std::uint32_t))),
      sums_at(sections_at + round_up(layout.bytes)),
      end(sums_at + round_up(vectors * sizeof(VectorSums))) {}

bool DeviceCodings::has_room(const DeviceCodec& codec, const DeviceVectors& x,
                             std::size_t compared) const {
  return used_ == 0 || Coded(codec, x.tokens, x.heads, compared, used_).end <= kCodedBytes;
}

void DeviceCodings::code(const DeviceCodec& codec, const DeviceVectors& x,
                         const DeviceVectors& parts, DeviceStream stream) {
  stream_ = stream;
  Coded& coded = coded_.emplace_back(codec, x.tokens, x.heads, parts.tokens * parts.heads, used_);
  used_ = coded.end;
  auto* const memory =
      static_cast<std::byte*>(workspace_.coded(std::max(kCodedBytes, coded.end)).data());
  void* const sections = memory + coded.sections_at;
  auto* const flags = reinterpret_cast<std::uint32_t*>(memory + coded.flags_at);
  void* const room = workspace_.decoded(sizeof(float) * x.tokens * x.heads * x.dim).data();
  const std::size_t scratch_bytes = coded.layout.workspace_bytes;
  void* const scratch = scratch_bytes == 0 ? nullptr : workspace_.scratch(scratch_bytes).data();
  device_fill(flags, 0, x.heads * sizeof(std::uint32_t), stream);
  coded.encode.start(stream);
  codec.encode(x, sections, flags, stream, scratch);
  coded.encode.stop(stream);
  coded.decode.start(stream);
  codec.decode(sections, dense_device_vectors(room, DeviceScalar::fp32, x.tokens, x.heads, x.dim),
               flags, stream, scratch);
  coded.decode.stop(stream);
  compare_and_replace(
      parts, dense_device_vectors(room, DeviceScalar::fp32, parts.tokens, parts.heads, parts.dim),
      reinterpret_cast<VectorSums*>(memory + coded.sums_at), stream);
}

void DeviceCodings::read_back() {
  device_wait(stream_);
  if (workspace_.image.size() < used_) workspace_.image.resize(used_);
  workspace_.coded(used_).copy_out(workspace_.image.data(), used_);
}

void DeviceCodings::clear() {
  coded_.clear();
  used_ = 0;
}

std::vector<std::byte> DeviceCodings::frame(std::size_t i, std::size_t head) const {
  const Coded& coded = coded_[i];
  const std::span<const std::byte> image(workspace_.image);
  std::vector<std::uint32_t> flags(coded.layout.heads);
  std::memcpy(flags.data(), image.data() + coded.flags_at, flags.size() * sizeof flags[0]);
  require_no_flags(coded.codec, flags);
  return coded.codec.frame(coded.layout, image.subspan(coded.sections_at, coded.layout.bytes),
                           head);
}

VectorSums DeviceCodings::sums(std::size_t i, std::size_t at) const {
  VectorSums sums;
  std::memcpy(&sums, workspace_.image.data() + coded_[i].sums_at + at * sizeof sums, sizeof sums);
  return sums;
}

}  // namespace kakeya
