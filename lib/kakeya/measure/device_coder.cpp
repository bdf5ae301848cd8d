// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/device_coder.h"

#include "kakeya/cache/partition.h"
#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"

namespace kakeya {

DevicePartCoder::DevicePartCoder(const CacheCodecs& host, const DeviceCacheCodecs& device,
                                 const CachePolicy& policy, DeviceWorkspace& workspace,
                                 WorkerPool& pool)
    : host_(host),
      device_(device),
      policy_(policy),
      ends_(policy.exact_ends(kDeviceCoder)),
      pool_(pool),
      codings_(workspace) {
  record_.add_layers(policy);
}

void DevicePartCoder::code(KvSite site, const DeviceVectors& part, std::size_t tokens,
                           DeviceStream stream) {
  if (site.part == Part::query || !policy_.codes(site.layer)) {
    throw InputError(site_name(site) + ": not a part that the policy codes");
  }
  const TokenRange range = ends_.coded(tokens, part.tokens);
  const DeviceVectors x = part.slice(range);
  const DeviceCodec& codec =
      (site.part == Part::key ? device_.keys : device_.values).at(site.layer);
  if (!codings_.has_room(codec, x, x.tokens * x.heads)) read_back();
  codings_.code(codec, x, x, stream);
  parts_.push_back({site, range});
}

void DevicePartCoder::finish() {
  if (!parts_.empty()) read_back();
}

CodedHead DevicePartCoder::count_head(std::size_t part, std::size_t head) const {
  const auto& [site, tokens] = parts_[part];
  const Codec& codec = (site.part == Part::key ? *host_.keys : *host_.values).at(site.layer, head);
  CodedHead coded;
  const std::vector<std::byte> frame = codings_.frame(part, head);
  coded.open = codings_.open_page(part, head, frame);
  coded.ledger = ledger_of(codec, {nullptr, tokens.count, codec.dim(), codec.dim()}, frame, false);
  coded.entropy = index_entropy_of_frame(codec, frame);
  for (std::size_t token = 0; token < tokens.count; ++token) {
    coded.distortion.add(codings_.sums(part, head * tokens.count + token), codec.dim());
  }
  return coded;
}

void DevicePartCoder::read_back() {
  codings_.read_back();
  const std::size_t heads = codings_[0].layout.heads;
  std::vector<CodedHead> coded(parts_.size() * heads);
  pool_.run(coded.size(), [&](std::size_t i) {
    const CodedPart& part = parts_[i / heads];
    const std::size_t head = i % heads;
    at_place(frames_of_part(part.site, heads, part.tokens)[head],
             [&] { coded[i] = count_head(i / heads, head); });
  });
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const KvSite site = parts_[i].site;
    for (std::size_t head = 0; head < heads; ++head) {
      record_.add(policy_, site, coded[i * heads + head]);
    }
    record_.encode_seconds += 1e-6 * codings_[i].encode.microseconds();
    record_.decode_seconds += 1e-6 * codings_[i].decode.microseconds();
    record_.finish_part(site, ends_.count(), heads, codings_[i].codec.dim());
  }
  parts_.clear();
  codings_.clear();
}

}  // namespace kakeya
