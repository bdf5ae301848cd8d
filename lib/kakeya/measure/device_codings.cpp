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
      open_tokens(with.host().page_vectors() == 0 ? 0 : tokens % with.host().page_vectors()),
      full_flags_at(sums_at + round_up(vectors * sizeof(VectorSums))),
      full_sections_at(full_flags_at),
      end(full_flags_at) {
  if (!has_full_pages()) return;
  full_layout = with.layout(full_tokens().count, heads);
  full_sections_at += round_up(heads * sizeof(std::uint32_t));
  end = full_sections_at + round_up(full_layout.bytes);
}

bool DeviceCodings::has_room(const DeviceCodec& codec, const DeviceVectors& x,
                             std::size_t compared) const {
  const auto used = used_.find(current_device());
  return used == used_.end() ||
         Coded(codec, x.tokens, x.heads, compared, used->second).end <= kCodedBytes;
}

void DeviceCodings::code(const DeviceCodec& codec, const DeviceVectors& x,
                         const DeviceVectors& parts, DeviceStream stream) {
  stream_ = stream;
  std::size_t& used = used_[current_device()];
  Coded& coded = coded_.emplace_back(codec, x.tokens, x.heads, parts.tokens * parts.heads, used);
  used = coded.end;
  auto* const memory =
      static_cast<std::byte*>(workspace_.coded(std::max(kCodedBytes, coded.end)).data());
  void* const sections = memory + coded.sections_at;
  auto* const flags = reinterpret_cast<std::uint32_t*>(memory + coded.flags_at);
  void* const room = workspace_.decoded(sizeof(float) * x.tokens * x.heads * x.dim).data();
  const std::size_t scratch_bytes =
      std::max(coded.layout.workspace_bytes, coded.full_layout.workspace_bytes);
  void* const scratch = scratch_bytes == 0 ? nullptr : workspace_.scratch(scratch_bytes).data();
  device_fill(flags, 0, x.heads * sizeof(std::uint32_t), stream);
  coded.encode.start(stream);
  codec.encode(x, sections, flags, stream, scratch);
  coded.encode.stop(stream);
  if (coded.has_full_pages()) {
    auto* const full_flags = reinterpret_cast<std::uint32_t*>(memory + coded.full_flags_at);
    device_fill(full_flags, 0, x.heads * sizeof(std::uint32_t), stream);
    codec.encode(x.slice(coded.full_tokens()), memory + coded.full_sections_at, full_flags, stream,
                 scratch);
  }
  coded.decode.start(stream);
  codec.decode(sections, dense_device_vectors(room, DeviceScalar::fp32, x.tokens, x.heads, x.dim),
               flags, stream, scratch);
  coded.decode.stop(stream);
  compare_and_replace(
      parts, dense_device_vectors(room, DeviceScalar::fp32, parts.tokens, parts.heads, parts.dim),
      reinterpret_cast<VectorSums*>(memory + coded.sums_at), stream);
}

void DeviceCodings::read_back() {
  for (const auto& [device, used] : used_) {
    const OnDevice there(device);
    device_wait(stream_);
    std::vector<std::byte>& image = workspace_.image(device);
    if (image.size() < used) image.resize(used);
    workspace_.coded(used).copy_out(image.data(), used);
  }
}

void DeviceCodings::clear() {
  coded_.clear();
  used_.clear();
}

std::vector<std::byte> DeviceCodings::frame_at(const Coded& coded, const DeviceLayout& layout,
                                               std::size_t flags_at, std::size_t sections_at,
                                               std::size_t head) const {
  const std::span<const std::byte> image(workspace_.image(coded.device));
  std::vector<std::uint32_t> flags(layout.heads);
  std::memcpy(flags.data(), image.data() + flags_at, flags.size() * sizeof flags[0]);
  require_no_flags(coded.codec, flags);
  return coded.codec.frame(layout, image.subspan(sections_at, layout.bytes), head);
}

std::vector<std::byte> DeviceCodings::frame(std::size_t i, std::size_t head) const {
  const Coded& coded = coded_[i];
  return frame_at(coded, coded.layout, coded.flags_at, coded.sections_at, head);
}

OpenPages DeviceCodings::open_page(std::size_t i, std::size_t head,
                                   std::span<const std::byte> frame) const {
  const Coded& coded = coded_[i];
  const std::size_t dim = coded.codec.dim();
  OpenPages open{coded.open_tokens * dim, 0, coded.codec.host().page_vectors() * dim};
  if (coded.open_tokens != 0) open.bytes = frame.size();
  if (!coded.has_full_pages()) return open;
  open.bytes -=
      frame_at(coded, coded.full_layout, coded.full_flags_at, coded.full_sections_at, head).size();
  return open;
}

VectorSums DeviceCodings::sums(std::size_t i, std::size_t at) const {
  VectorSums sums;
  const std::vector<std::byte>& image = workspace_.image(coded_[i].device);
  std::memcpy(&sums, image.data() + coded_[i].sums_at + at * sizeof sums, sizeof sums);
  return sums;
}

}  // namespace kakeya
