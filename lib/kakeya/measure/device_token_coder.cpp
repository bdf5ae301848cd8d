// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/device_token_coder.h"

#include <set>

#include "kakeya/codec/index_entropy.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/device_coder.h"

namespace kakeya {

struct DeviceTokenCoder::Counted {
  std::vector<Distortion> distortions;  // [layer of the run][keys, values]
  RateLedger ledger;
  OpenPages open;
};

DeviceTokenCoder::DeviceTokenCoder(const TokenCodecs& host, const DeviceTokenCodecs& device,
                                   const CachePolicy& policy, DeviceWorkspace& workspace,
                                   WorkerPool& pool)
    : device_(device),
      policy_(policy),
      ends_(policy.exact_ends(kDeviceCoder)),
      workspace_(workspace),
      pool_(pool),
      codings_(workspace) {
  host_.tokens = host;
  record_.add_layers(policy);
}

void DeviceTokenCoder::code(const DeviceKvCache& clean, std::size_t tokens, DeviceKvCache& decoded,
                            DeviceStream stream) {
  std::set<int> devices;
  for (int layer = 0; layer < policy_.layers; ++layer) {
    const OnDevice there(device_.device_of_layer(layer));
    devices.insert(current_device());
    for (const Part part : {Part::key, Part::value}) {
      decoded.store({layer, part}, clean.part({layer, part}), stream);
    }
  }
  // Of two devices, the streams do not wait for one another.
  const auto wait = [&] {
    for (const int device : devices) {
      const OnDevice there(device);
      if (devices.size() > 1) device_wait(stream);
    }
  };
  wait();
  const std::size_t all = clean.part({0, Part::key}).tokens;
  code_frames(
      frames_of_tokens(*host_.tokens, ends_.coded(tokens, all)), record_.layers.size(),
      [&](KvSite site) { return clean.part(site); },
      [&](KvSite site) { return decoded.part(site); }, stream);
  wait();
}

void DeviceTokenCoder::code_layer(int layer, const DeviceVectors& keys, const DeviceVectors& values,
                                  std::size_t tokens, DeviceStream stream) {
  std::vector<FramePlace> frames =
      frames_of_tokens(*host_.tokens, ends_.coded(tokens, keys.tokens));
  std::erase_if(frames, [&](const FramePlace& place) {
    return place.layers != LayerRange{layer, 1};
  });
  if (frames.empty()) {
    throw InputError("layer " + std::to_string(layer) + ": not coded alone by " +
                     host_.tokens->spec());
  }
  const PartOf part = [&](KvSite site) { return site.part == Part::key ? keys : values; };
  code_frames(frames, 1, part, part, stream);
}

void DeviceTokenCoder::code_frames(const std::vector<FramePlace>& frames, std::size_t layers,
                                   const PartOf& from, const PartOf& to, DeviceStream stream) {
  first_token_ = frames.front().tokens.first;
  for (const FramePlace& place : frames) {
    const int device = device_.device_of(place.layers);
    const OnDevice there(device);
    // The tokens of a part in memory of this device, a copy where the part is dense on another one.
    const auto here = [&](KvSite site, const DeviceVectors& part, bool with_values) {
      if (device_.device_of_layer(site.layer) == device) return part;
      const std::size_t bytes = part.tokens * part.token_stride * part.scalar_bytes();
      DeviceVectors copy = part;
      copy.data = workspace_.visitor(bytes).data();
      if (with_values) device_copy(copy.data, part.data, bytes, stream);
      return copy;
    };
    const DeviceVectors shape = from({place.layers.first, Part::key});
    heads_ = shape.heads, head_dim_ = shape.dim;
    const std::size_t count = place.tokens.count, part_width = heads_ * head_dim_,
                      width = place.vector_values(heads_, head_dim_), parts = width / head_dim_;
    auto* const memory = static_cast<std::byte*>(workspace_.tokens(2 * count * width).data());
    const DeviceVectors x = dense_device_vectors(memory, DeviceScalar::bf16, count, 1, width);
    const auto at_channel = [&](std::size_t channel) {
      return DeviceVectors{
          memory + 2 * channel, DeviceScalar::bf16, count, heads_, head_dim_, width, head_dim_};
    };
    for_each_part(place.layers, part_width, [&](KvSite site, std::size_t channel) {
      convert_vectors(here(site, from(site).slice(place.tokens), true), at_channel(channel),
                      stream);
    });
    const DeviceCodec& codec = device_.at(place.layers);
    if (!codings_.has_room(codec, x, count * parts)) read_back();
    codings_.code(codec, x, {memory, DeviceScalar::bf16, count, parts, head_dim_, width, head_dim_},
                  stream);
    for_each_part(place.layers, part_width, [&](KvSite site, std::size_t channel) {
      const DeviceVectors part = to(site).slice(place.tokens), written = here(site, part, false);
      convert_vectors(at_channel(channel), written, stream);
      if (written.data == part.data) return;
      device_copy(part.data, written.data, part.tokens * part.token_stride * part.scalar_bytes(),
                  stream);
    });
    frames_.push_back({place, &place == &frames.back() ? layers : 0});
  }
}

void DeviceTokenCoder::finish() {
  if (!frames_.empty()) read_back();
}

DeviceTokenCoder::Counted DeviceTokenCoder::count_frame(std::size_t frame) const {
  const FramePlace& place = frames_[frame].place;
  const Codec& codec = codec_at(host_, place);
  const std::size_t count = place.tokens.count, parts = codec.dim() / head_dim_;
  const std::vector<std::byte> bytes = codings_.frame(frame, 0);
  Counted counted;
  counted.open = codings_.open_page(frame, 0, bytes);
  // A frame is a page here: one for each run of layers counts.
  if (place.tokens.first != first_token_) counted.open.page_values = 0;
  counted.ledger = ledger_of(codec, {nullptr, count, codec.dim(), codec.dim()}, bytes, false);
  if (const auto entropy = index_entropy_of_frame(codec, bytes)) {
    counted.ledger.entropy_bits = *entropy * static_cast<double>(counted.ledger.values);
  }
  counted.ledger.vectors = counted.ledger.values / head_dim_;
  counted.distortions.resize(parts / heads_);
  for (std::size_t token = 0; token < count; ++token) {
    for (std::size_t part = 0; part < parts; ++part) {
      counted.distortions[part / heads_].add(codings_.sums(frame, part * count + token), head_dim_);
    }
  }
  return counted;
}

void DeviceTokenCoder::read_back() {
  codings_.read_back();
  std::vector<Counted> counted(frames_.size());
  pool_.run(frames_.size(), [&](std::size_t i) {
    at_place(frames_[i].place, [&] { counted[i] = count_frame(i); });
  });
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const auto& [place, layers_done] = frames_[i];
    for (std::size_t part = 0; part < counted[i].distortions.size(); ++part) {
      const auto layer = policy_.coded_index(place.layers.first) + part / 2;
      CodingRecord::Layer& to = record_.layers[layer];
      (part % 2 == 0 ? to.keys : to.values).merge(counted[i].distortions[part]);
    }
    record_.ledger_k.merge(counted[i].ledger);
    record_.open_pages.merge(counted[i].open);
    record_.encode_seconds += 1e-6 * codings_[i].encode.microseconds();
    record_.decode_seconds += 1e-6 * codings_[i].decode.microseconds();
    if (layers_done == 0) continue;
    record_.ledger_k.merge(ledger_of_exact(2 * layers_done * ends_.count() * heads_, head_dim_));
    record_.visits += 2 * layers_done;
  }
  frames_.clear();
  codings_.clear();
}

}  // namespace kakeya
