// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/attention_sequences.h"
#include "device/klt_heads.h"
#include "kakeya/core/half.h"
#include "kakeya/device/device_rope.h"

// Sequences whose keys and values are pages of klt, coded by the host.

namespace kakeya::test {

using KltFrames = std::vector<std::vector<std::byte>>;

// What a host has coded of one sequence.
struct KltCoded {
  KltFrames keys, values;
  std::vector<std::vector<float>> drawn[2], decoded[2];  // of keys and of values, a head each
};

// The profile, the inputs and what is coded of sequences whose vectors are near it. One coordinate of every
// `far`-th token is far from what the profile expects. `uneven`: one page after another is 1, 2, 4 and 8 times as near
// to the mean.
class KltSource {
 public:
  KltSource(const AttentionCase& given, std::size_t far, bool uneven = false)
      : uneven_(uneven),
        dim_(static_cast<std::size_t>(given.dim)),
        profiles_(std::make_unique<OneProfile>(dense_profile(dim_, 1, given.kv_heads))) {
    for (const Part part : {Part::key, Part::value}) {
      for (int head = 0; head < given.kv_heads; ++head) {
        inputs_[part == Part::key ? 0 : 1].push_back(
            {dim_, profiles_.get(), KvSite{0, part, head}});
      }
    }
    for (std::size_t s = 0; s < given.packed.size(); ++s) {
      coded_.push_back(code(given.spec, static_cast<std::size_t>(given.packed[s]), s, far));
    }
  }

  const std::vector<CodecInput>& inputs(Part part) const {
    return inputs_[part == Part::key ? 0 : 1];
  }
  const KltCoded& coded(std::size_t s) const { return coded_[s]; }
  AttentionRoom room() const {
    AttentionRoom room{512, 4096, 2048};
    for (const KltCoded& one : coded_) {
      const AttentionRoom wanted = attention_room(one.keys, one.values);
      room.slot_bytes = std::max(room.slot_bytes, wanted.slot_bytes);
      room.head_bytes = std::max(room.head_bytes, wanted.head_bytes);
      room.part_bytes = std::max(room.part_bytes, wanted.part_bytes);
    }
    return room;
  }

 private:
  KltCoded code(const std::string& spec, std::size_t tokens, std::size_t s, std::size_t far) const {
    KltCoded made;
    for (const Part part : {Part::key, Part::value}) {
      for (const CodecInput& input : inputs(part)) {
        const auto codec = make_codec(spec, input);
        std::vector<float> x = vectors_of(
            profiles_->profile().transform(*input.site, {}), tokens,
            10 * s + static_cast<std::size_t>(input.site->head) + (part == Part::key ? 1000 : 0));
        const SiteTransform& site = profiles_->profile().transform(*input.site, {});
        for (std::size_t i = 0; uneven_ && i < x.size(); ++i) {
          const std::size_t page = i / dim_ / 128 + s + (part == Part::key ? 0 : 1);
          const float mean = site.mean[i % dim_];
          x[i] = mean + std::ldexp(x[i] - mean, -static_cast<int>(page % 4));
        }
        for (std::size_t t = 0; far != 0 && t < tokens; t += far) {
          const std::size_t j = 7 * t % dim_;
          const float units = t % 2 == 0 ? 12.0f : -12.0f;
          for (std::size_t i = 0; i < dim_; ++i) {
            x[t * dim_ + i] += units * site.backward[j * dim_ + i];
          }
        }
        std::vector<std::byte> frame(codec->encoded_bound(tokens));
        frame.resize(codec->encode(dense_rows(std::as_const(x).data(), tokens, dim_), frame));
        made.drawn[part == Part::key ? 0 : 1].push_back(x);
        codec->decode(frame, dense_rows(x.data(), tokens, dim_));
        (part == Part::key ? made.keys : made.values).push_back(std::move(frame));
        made.decoded[part == Part::key ? 0 : 1].push_back(std::move(x));
      }
    }
    return made;
  }

  bool uneven_;
  std::size_t dim_;
  std::unique_ptr<OneProfile> profiles_;
  std::vector<CodecInput> inputs_[2];
  std::vector<KltCoded> coded_;
};

class KltSequences : public Sequences {
 public:
  explicit KltSequences(const AttentionCase& given, std::size_t far = 0, bool uneven = false)
      : KltSequences(given, KltSource(given, far, uneven)) {}

  std::vector<std::byte> slot_bytes(std::int32_t slot) const {
    std::vector<std::byte> kept(attention_.slot_bytes());
    device_copy_out(kept.data(), place_of(slot), kept.size());
    return kept;
  }
  void put_slot(std::int32_t slot, const std::vector<std::byte>& bytes) {
    device_copy_in(place_of(slot), bytes.data(), bytes.size());
  }
  // Keys are of tokens before RoPE, the first of each sequence at these positions (none: 0).
  void set_rope(const Rope& rope, const std::vector<std::int32_t>& first_positions) {
    first_positions_ = first_positions;
    attention_.set_rope(std::make_shared<DeviceRope>(rope, dim()));
    for (std::size_t s = 0; s < batch_; ++s) {
      const auto first = first_positions.empty() ? 0 : static_cast<std::size_t>(first_positions[s]);
      for (std::vector<float>& head : decoded_[0][s]) {
        for (std::size_t t = 0; t < head.size() / dim(); ++t) {
          turn_by_rope(rope, first + t, std::span(head).subspan(t * dim(), dim()));
        }
      }
    }
  }
  void unset_rope() { attention_.set_rope(nullptr); }
  void share_rope(const std::shared_ptr<const DeviceRope>& rope) { attention_.set_rope(rope); }
  void set_first_positions(const std::vector<std::int32_t>& first) { first_positions_ = first; }
  // Byte `byte` of slot `slot`.
  void forge(std::int32_t slot, std::size_t byte, std::uint8_t value) {
    DeviceBuffer one(16);
    one.fill(value, nullptr);
    device_copy(place_of(slot) + byte, one.data(), 1, nullptr);
    device_wait(nullptr);
  }

 private:
  std::byte* place_of(std::int32_t slot) const {
    return static_cast<std::byte*>(pool_.data) +
           static_cast<std::size_t>(slot) * attention_.slot_bytes();
  }

  KltSequences(const AttentionCase& given, const KltSource& source)
      : Sequences(given,
                  DeviceAttention(
                      given.spec, {1, given.kv_heads, given.kv_heads * given.group, given.dim},
                      source.inputs(Part::key), source.inputs(Part::value), source.room())) {
    for (std::size_t s = 0; s < batch_; ++s) {
      const std::vector<std::int32_t> slots = take_slots(s);
      for (const auto& side : {0, 1}) decoded_[side].push_back(source.coded(s).decoded[side]);
      if (!slots.empty()) lay(source.coded(s), slots, static_cast<std::size_t>(given.packed[s]));
      draw_exact(s);
    }
  }

  void lay(const KltCoded& coded, const std::vector<std::int32_t>& slots, std::size_t tokens) {
    std::unique_ptr<DeviceBuffer> sections[2];
    for (const Part part : {Part::key, Part::value}) {
      const DeviceCodec& codec = attention_.codec(part);
      const DeviceLayout layout = codec.layout(tokens, heads());
      std::vector<std::byte> image(layout.bytes);
      const KltFrames& frames = part == Part::key ? coded.keys : coded.values;
      for (std::size_t h = 0; h < heads(); ++h) codec.take_frame(frames[h], layout, h, image);
      auto& to = sections[part == Part::key ? 0 : 1];
      to = std::make_unique<DeviceBuffer>(image.size());
      to->copy_in(image.data(), image.size());
    }
    const DeviceBuffer places = on_device(slots);
    DeviceBuffer workspace(attention_.lay_workspace_bytes(tokens)), flags(4 * heads());
    flags.fill(0, nullptr);
    attention_.lay(sections[0]->data(), sections[1]->data(), tokens, pool_,
                   static_cast<const std::int32_t*>(places.data()),
                   static_cast<std::uint32_t*>(flags.data()), nullptr, workspace.data());
    require_good(flags);
  }
};

// Whether ranges of the full pages of all sequences, in bf16, are what the codec decodes.
inline void expect_unpacks_decoded(KltSequences& made, const AttentionCase& one) {
  for (std::size_t s = 0; s < one.packed.size(); ++s) {
    const std::size_t tokens = static_cast<std::size_t>(one.packed[s]) / 128 * 128;
    if (tokens == 0) continue;
    const TokenRange range{tokens / 3, tokens - tokens / 3 - 1};
    for (std::size_t side = 0; side < 2; ++side) {
      std::uint32_t flag = 1;
      const std::vector<float> got = made.unpack(s, side, range, &flag);
      EXPECT_EQ(flag, 0u) << one.spec;
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t vector = i / made.dim();
        const float right = bfloat16_to_float(float_to_bfloat16(made.decoded(
            s, side, range.first + vector / made.heads(), vector % made.heads(), i % made.dim())));
        wrong += got[i] == right ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0u) << one.spec << ", dim " << one.dim << ", side " << side;
    }
  }
}

inline std::string spec_of(const std::string& bits, const std::string& more = "") {
  return "klt:bits=" + bits + more + ",lattice=z,pages=fixed,page=128";
}

inline std::string tiles_of_bits(const std::string& bits, const std::string& more = "") {
  return "klt:bits=" + bits + more + ",lattice=z,pages=tiles,page=128";
}

inline std::string prefix_of_bits(const std::string& bits, const std::string& more = "") {
  return "klt:bits=" + bits + more + ",lattice=z,pages=prefix,page=128";
}

}  // namespace kakeya::test
