// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/device_coder.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "kakeya/cache/partition.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"

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

// A part whose sections wait in workspace_.coded(): flags, sections, sums; and flags and sections of
// its full pages alone, where there is an open one beside them.
struct DevicePartCoder::Coded {
  KvSite site;
  const DeviceCodec& codec;
  TokenRange tokens;
  DeviceLayout layout;
  std::size_t flags_at, sections_at, sums_at;
  std::size_t open_tokens;  // behind the last full page
  DeviceLayout full_layout;
  std::size_t full_flags_at, full_sections_at, end;
  DeviceTimer encode = {}, decode = {};

  bool has_full_layout() const { return open_tokens != 0 && open_tokens != tokens.count; }
  TokenRange full_tokens() const { return {0, tokens.count - open_tokens}; }

  Coded(KvSite where, const DeviceCodec& with, TokenRange range, std::size_t heads,
        std::size_t begin)
      : site(where),
        codec(with),
        tokens(range),
        layout(with.layout(range.count, heads)),
        flags_at(begin),
        sections_at(flags_at + round_up(heads * sizeof(std::uint32_t))),
        sums_at(sections_at + round_up(layout.bytes)),
        open_tokens(with.host().page_vectors() == 0 ? 0 : range.count % with.host().page_vectors()),
        full_flags_at(sums_at + round_up(heads * range.count * sizeof(VectorSums))),
        full_sections_at(full_flags_at),
        end(full_flags_at) {
    if (!has_full_layout()) return;
    full_layout = with.layout(full_tokens().count, heads);
    full_sections_at += round_up(heads * sizeof(std::uint32_t));
    end = full_sections_at + round_up(full_layout.bytes);
  }
};

DevicePartCoder::DevicePartCoder(const CacheCodecs& host, const DeviceCacheCodecs& device,
                                 const CachePolicy& policy, DeviceWorkspace& workspace,
                                 WorkerPool& pool)
    : host_(host), device_(device), policy_(policy), workspace_(workspace), pool_(pool) {
  record_.add_layers(policy);
}

DevicePartCoder::~DevicePartCoder() = default;

void DevicePartCoder::code(KvSite site, const DeviceVectors& part, std::size_t tokens,
                           DeviceStream stream) {
  if (site.part == Part::query || !policy_.codes(site.layer)) {
    throw InputError(site_name(site) + ": not a part that the policy codes");
  }
  stream_ = stream;
  const TokenRange range = policy_.coded_range(tokens, part.tokens);
  const DeviceVectors x = part.slice(range);
  const DeviceSiteCodecs& codecs = site.part == Part::key ? device_.keys : device_.values;
  parts_.emplace_back(site, codecs.at(site.layer), range, x.heads, used_);
  if (used_ != 0 && parts_.back().end > kCodedBytes) {
    parts_.pop_back();
    read_back();
    parts_.emplace_back(site, codecs.at(site.layer), range, x.heads, used_);
  }
  Coded& coded = parts_.back();
  used_ = coded.end;
  auto* const memory =
      static_cast<std::byte*>(workspace_.coded(std::max(kCodedBytes, coded.end)).data());
  void* const sections = memory + coded.sections_at;
  auto* const flags = reinterpret_cast<std::uint32_t*>(memory + coded.flags_at);
  const DeviceVectors decoded =
      dense_device_vectors(workspace_.decoded(sizeof(float) * range.count * x.heads * x.dim).data(),
                           DeviceScalar::fp32, range.count, x.heads, x.dim);
  const std::size_t scratch_bytes =
      std::max(coded.layout.workspace_bytes, coded.full_layout.workspace_bytes);
  void* const scratch = scratch_bytes == 0 ? nullptr : workspace_.scratch(scratch_bytes).data();
  device_fill(flags, 0, x.heads * sizeof(std::uint32_t), stream);
  coded.encode.start(stream);
  coded.codec.encode(x, sections, flags, stream, scratch);
  coded.encode.stop(stream);
  if (coded.has_full_layout()) {
    auto* const full_flags = reinterpret_cast<std::uint32_t*>(memory + coded.full_flags_at);
    device_fill(full_flags, 0, x.heads * sizeof(std::uint32_t), stream);
    coded.codec.encode(x.slice(coded.full_tokens()), memory + coded.full_sections_at, full_flags,
                       stream, scratch);
  }
  coded.decode.start(stream);
  coded.codec.decode(sections, decoded, flags, stream, scratch);
  coded.decode.stop(stream);
  compare_and_replace(x, decoded, reinterpret_cast<VectorSums*>(memory + coded.sums_at), stream);
}

void DevicePartCoder::finish() {
  if (!parts_.empty()) read_back();
}

CodedHead DevicePartCoder::count_head(const Coded& part, std::size_t head) const {
  const std::span<const std::byte> image(workspace_.image);
  const Codec& codec =
      (part.site.part == Part::key ? *host_.keys : *host_.values).at(part.site.layer, head);
  const auto frame_of = [&](const DeviceLayout& layout, std::size_t flags_at, std::size_t at) {
    std::vector<std::uint32_t> flags(layout.heads);
    std::memcpy(flags.data(), image.data() + flags_at, flags.size() * sizeof flags[0]);
    require_no_flags(part.codec, flags);
    return part.codec.frame(layout, image.subspan(at, layout.bytes), head);
  };
  CodedHead coded;
  const std::vector<std::byte> frame = frame_of(part.layout, part.flags_at, part.sections_at);
  coded.open.page_values = codec.page_vectors() * codec.dim();
  if (part.open_tokens != 0) {
    coded.open.values = part.open_tokens * codec.dim();
    coded.open.bytes = frame.size();
  }
  if (part.has_full_layout()) {
    coded.open.bytes -=
        frame_of(part.full_layout, part.full_flags_at, part.full_sections_at).size();
  }
  coded.ledger =
      ledger_of(codec, {nullptr, part.tokens.count, codec.dim(), codec.dim()}, frame, false);
  coded.entropy = index_entropy_of_frame(codec, frame);
  const std::byte* from =
      image.data() + part.sums_at + head * part.tokens.count * sizeof(VectorSums);
  for (std::size_t token = 0; token < part.tokens.count; ++token, from += sizeof(VectorSums)) {
    VectorSums sums;
    std::memcpy(&sums, from, sizeof sums);
    coded.distortion.add(sums, codec.dim());
  }
  return coded;
}

void DevicePartCoder::read_back() {
  device_wait(stream_);
  if (workspace_.image.size() < used_) workspace_.image.resize(used_);
  workspace_.coded(used_).copy_out(workspace_.image.data(), used_);
  const std::size_t heads = parts_.front().layout.heads;
  std::vector<CodedHead> coded(parts_.size() * heads);
  pool_.run(coded.size(), [&](std::size_t i) {
    const Coded& part = parts_[i / heads];
    const std::size_t head = i % heads;
    at_place(frames_of_part(part.site, heads, part.tokens)[head],
             [&] { coded[i] = count_head(part, head); });
  });
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Coded& part = parts_[i];
    for (std::size_t head = 0; head < heads; ++head) {
      record_.add(policy_, part.site, coded[i * heads + head]);
    }
    record_.encode_seconds += 1e-6 * part.encode.microseconds();
    record_.decode_seconds += 1e-6 * part.decode.microseconds();
    record_.finish_part(policy_, part.site, heads, part.codec.dim());
  }
  parts_.clear();
  used_ = 0;
}

}  // namespace kakeya
