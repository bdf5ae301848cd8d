// SPDX-License-Identifier: Apache-2.0
// Attention over pages of fields of klt is attention over the values that the codec decodes. As
// attention_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "device/attention_sequences.h"
#include "device/device_case.h"
#include "device/klt_heads.h"
#include "kakeya/core/error.h"
#include "kernels/attention.h"

namespace kakeya {
namespace {

using namespace test;

using Frames = std::vector<std::vector<std::byte>>;

// What a host has coded of one sequence.
struct Coded {
  Frames keys, values;
  std::vector<std::vector<float>> decoded[2];
};

// The profile, the inputs and what is coded of sequences whose vectors are near it. One coordinate of every
// `far`-th token is far from what the profile expects.
class Source {
 public:
  Source(const AttentionCase& given, std::size_t far)
      : dim_(static_cast<std::size_t>(given.dim)),
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
  const Coded& coded(std::size_t s) const { return coded_[s]; }
  AttentionRoom room() const {
    AttentionRoom room{512, 4096, 2048};
    for (const Coded& one : coded_) {
      const AttentionRoom wanted = attention_room(one.keys, one.values);
      room.slot_bytes = std::max(room.slot_bytes, wanted.slot_bytes);
      room.head_bytes = std::max(room.head_bytes, wanted.head_bytes);
      room.part_bytes = std::max(room.part_bytes, wanted.part_bytes);
    }
    return room;
  }

 private:
  Coded code(const std::string& spec, std::size_t tokens, std::size_t s, std::size_t far) const {
    Coded made;
    for (const Part part : {Part::key, Part::value}) {
      for (const CodecInput& input : inputs(part)) {
        const auto codec = make_codec(spec, input);
        std::vector<float> x = vectors_of(
            profiles_->profile().transform(*input.site, {}), tokens,
            10 * s + static_cast<std::size_t>(input.site->head) + (part == Part::key ? 1000 : 0));
        const SiteTransform& site = profiles_->profile().transform(*input.site, {});
        for (std::size_t t = 0; far != 0 && t < tokens; t += far) {
          const std::size_t j = 7 * t % dim_;
          const float units = t % 2 == 0 ? 12.0f : -12.0f;
          for (std::size_t i = 0; i < dim_; ++i) {
            x[t * dim_ + i] += units * site.backward[j * dim_ + i];
          }
        }
        std::vector<std::byte> frame(codec->encoded_bound(tokens));
        frame.resize(codec->encode(dense_rows(std::as_const(x).data(), tokens, dim_), frame));
        codec->decode(frame, dense_rows(x.data(), tokens, dim_));
        (part == Part::key ? made.keys : made.values).push_back(std::move(frame));
        made.decoded[part == Part::key ? 0 : 1].push_back(std::move(x));
      }
    }
    return made;
  }

  std::size_t dim_;
  std::unique_ptr<OneProfile> profiles_;
  std::vector<CodecInput> inputs_[2];
  std::vector<Coded> coded_;
};

class Laid : public Sequences {
 public:
  explicit Laid(const AttentionCase& given, std::size_t far = 0)
      : Laid(given, Source(given, far)) {}

  std::vector<std::byte> slot_bytes(std::int32_t slot) const {
    std::vector<std::byte> kept(attention_.slot_bytes());
    device_copy_out(kept.data(), place_of(slot), kept.size());
    return kept;
  }
  void put_slot(std::int32_t slot, const std::vector<std::byte>& bytes) {
    device_copy_in(place_of(slot), bytes.data(), bytes.size());
  }
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

  Laid(const AttentionCase& given, const Source& source)
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

  void lay(const Coded& coded, const std::vector<std::int32_t>& slots, std::size_t tokens) {
    std::unique_ptr<DeviceBuffer> sections[2];
    for (const Part part : {Part::key, Part::value}) {
      const DeviceCodec& codec = attention_.codec(part);
      const DeviceLayout layout = codec.layout(tokens, heads());
      std::vector<std::byte> image(layout.bytes);
      const Frames& frames = part == Part::key ? coded.keys : coded.values;
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

std::string spec_of(const std::string& bits, const std::string& more = "") {
  return "klt:bits=" + bits + more + ",lattice=z,pages=fixed,page=128";
}

const std::vector<AttentionCase> kFieldCases = {
    {spec_of("3"), 2, 4, 128, {256, 128, 0, 300}, {}, {}},
    {spec_of("2"), 1, 2, 64, {130}, {}, {5}},
    {spec_of("3.5"), 1, 1, 128, {512, 128}, {150, 0}, {0, 40}},
    {spec_of("1.5", ",product=exact"), 2, 3, 64, {128, 1}, {}, {}},
    {spec_of("3"), 1, 8, 128, {384}, {}, {9}},
    {spec_of("3"), 1, 2, 256, {200}, {}, {3}},
    {spec_of("2.5"), 1, 7, 256, {128}, {}, {}},
    {spec_of("4"), 1, 19, 64, {260, 90}, {}, {2, 7}},
    {spec_of("6"), 1, 2, 128, {140}, {}, {}},
    {spec_of("7"), 1, 2, 64, {256}, {}, {1}},
};

std::string tiles_of_bits(const std::string& bits, const std::string& more = "") {
  return "klt:bits=" + bits + more + ",lattice=z,pages=tiles,page=128";
}

const std::vector<AttentionCase> kTileCases = {
    {tiles_of_bits("3"), 2, 4, 128, {256, 128, 0, 300}, {}, {}},
    {tiles_of_bits("2"), 1, 2, 64, {130}, {}, {5}},
    {tiles_of_bits("3.5"), 1, 1, 128, {512, 128}, {150, 0}, {0, 40}},
    {tiles_of_bits("1.5", ",product=exact"), 2, 3, 64, {128, 1}, {}, {}},
    {tiles_of_bits("3"), 1, 8, 128, {384}, {}, {9}},
    {tiles_of_bits("3"), 1, 2, 256, {200}, {}, {3}},
    {tiles_of_bits("2.5"), 1, 7, 256, {128}, {}, {}},
    {tiles_of_bits("4"), 1, 19, 64, {260, 90}, {}, {2, 7}},
    {tiles_of_bits("5"), 1, 2, 128, {140}, {}, {}},
};

class DeviceFieldAttentionTest : public DeviceCase<> {};

TEST_F(DeviceFieldAttentionTest, IsAttentionOverWhatTheCodecDecodes) {
  std::vector<AttentionCase> cases = kFieldCases;
  cases.insert(cases.end(), kTileCases.begin(), kTileCases.end());
  for (const AttentionCase& one : cases) {
    for (const std::size_t far : {0, 37}) {
      Laid made(one, far);
      std::vector<std::uint32_t> flags;
      const std::vector<float> got = made.run(flags, one.packed);
      const std::string what = one.spec + ", dim " + std::to_string(one.dim) + ", group " +
                               std::to_string(one.group) + ", far " + std::to_string(far);
      EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << what;
      expect_near(got, made.expected(), made.dim(), what);
    }
  }
}

TEST_F(DeviceFieldAttentionTest, RunsAgainWithTheSameWorkspace) {
  for (const std::string& spec : {spec_of("3"), tiles_of_bits("3")}) {
    Laid made({spec, 2, 4, 128, {600, 65}, {}, {}});
    std::vector<std::uint32_t> flags;
    EXPECT_EQ(made.run(flags, made.packed(), 1), made.run(flags, made.packed(), 3)) << spec;
  }
}

// In bf16, of pages that are full.
TEST_F(DeviceFieldAttentionTest, UnpacksWhatTheCodecDecodes) {
  std::vector<AttentionCase> cases = kFieldCases;
  cases.insert(cases.end(), kTileCases.begin(), kTileCases.end());
  for (const AttentionCase& one : cases) {
    Laid made(one, 37);
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
          const float right = bfloat16_to_float(
              float_to_bfloat16(made.decoded(s, side, range.first + vector / made.heads(),
                                             vector % made.heads(), i % made.dim())));
          wrong += got[i] == right ? 0 : 1;
        }
        EXPECT_EQ(wrong, 0u) << one.spec << ", dim " << one.dim << ", side " << side;
      }
    }
    if (one.packed[0] < 128) continue;
    made.table()[0] = 1 << 20;
    std::uint32_t flag = 0;
    for (const float value : made.unpack(0, 0, {0, 1}, &flag)) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flag, 0u);
  }
}

TEST_F(DeviceFieldAttentionTest, UnpacksWhatIsForgedToFiniteNumbers) {
  Laid made({tiles_of_bits("3"), 2, 2, 64, {256}, {}, {}}, 37);
  const std::int32_t slot = made.table()[0];
  const Random random(9);
  const std::vector<std::byte> good = made.slot_bytes(slot);
  std::size_t flagged = 0;
  for (std::uint64_t round = 0; round < (emulated() ? 40 : 1000); ++round) {
    const std::size_t room =
        round % 3 == 0 ? 32 : (round % 3 == 1 ? 128 : made.attention().slot_bytes());
    made.forge(slot, random.bits(2 * round) % room,
               static_cast<std::uint8_t>(random.bits(2 * round + 1)));
    std::uint32_t flag = 0;
    for (const float value : made.unpack(0, round % 2, {0, 256}, &flag)) {
      ASSERT_TRUE(std::isfinite(value)) << round;
    }
    flagged += flag != 0 ? 1 : 0;
    made.put_slot(slot, good);
  }
  EXPECT_GT(flagged, 0u);
}

// Tables, lengths, and any byte of a slot.
void expect_flags_or_finite(const std::string& spec) {
  const AttentionCase small{spec, 1, 2, 64, {256, 128}, {}, {}};
  for (const std::int32_t forged : {-1, -2147483647, 1000, 2147483647}) {
    Laid made(small);
    std::vector<std::uint32_t> flags;
    made.table()[1] = forged;
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flags[0], 0u);
    EXPECT_EQ(flags[1], 0u);
    EXPECT_THROW(require_no_attention_flags(made.attention(), flags), CorruptStream);
  }
  Laid made(small);
  std::vector<std::uint32_t> flags;
  for (const float value : made.run(flags, {-5, 100000})) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NE(flags[0], 0u);
  EXPECT_NE(flags[1], 0u);
  // A slot that was never written.
  const std::int32_t slot = made.table()[0];
  made.table()[0] = (slot + 1) % 3;
  for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NE(flags[0], 0u);
  made.table()[0] = slot;
  const std::size_t bytes = made.attention().slot_bytes();
  const std::vector<std::byte> good = made.slot_bytes(slot);
  const Random random(4);
  const bool emulated = device_info().name == "emulated";
  for (std::uint64_t round = 0; round < (emulated ? 60 : 2000); ++round) {
    // The directory and the headers more often than fields.
    const std::size_t room = round % 3 == 0 ? 16 : (round % 3 == 1 ? 96 : bytes);
    made.forge(slot, random.bits(2 * round) % room,
               static_cast<std::uint8_t>(random.bits(2 * round + 1)));
    for (const float value : made.run(flags, made.packed())) {
      ASSERT_TRUE(std::isfinite(value)) << round;
    }
    EXPECT_EQ(flags[1], 0u);
    made.put_slot(slot, good);
  }
}

TEST_F(DeviceFieldAttentionTest, WhatIsForgedIsFlaggedOrFinite) {
  expect_flags_or_finite(spec_of("3"));
}
TEST_F(DeviceFieldAttentionTest, WhatIsForgedInTilesIsFlaggedOrFinite) {
  expect_flags_or_finite(tiles_of_bits("3"));
}

TEST_F(DeviceFieldAttentionTest, RefusesWhatHasNoPages) {
  const AttentionCase good{spec_of("3"), 2, 2, 64, {}, {}, {}};
  const Source source(good, 0);
  const KvShape shape{1, 2, 4, 64};
  const auto& keys = source.inputs(Part::key);
  const auto& values = source.inputs(Part::value);
  EXPECT_NO_THROW(DeviceAttention(good.spec, shape, keys, values, source.room()));
  for (const char* spec : {"klt:bits=3,lattice=z,pages=fixed", "klt:bits=3,pages=fixed,page=128",
                           "klt:bits=3,lattice=z,page=128",
                           "klt:bits=3,lattice=z,page=128,pages=tiles,budget=4096", "e8:q=7"}) {
    EXPECT_THROW(DeviceAttention(spec, shape, keys, values, source.room()), NoKernelError) << spec;
  }
  try {
    DeviceAttention("klt:bits=3,lattice=z,page=128,pages=tiles,budget=4096", shape, keys, values,
                    source.room());
    ADD_FAILURE() << "pages of a budget";
  } catch (const NoKernelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("no CUDA kernel for budget=4096"), std::string::npos) << text;
  }
  EXPECT_THROW(DeviceAttention(good.spec, shape, values, keys, source.room()), InputError);
  EXPECT_THROW(DeviceAttention(good.spec, KvShape{1, 1, 4, 64}, keys, values, source.room()),
               InputError);
}

}  // namespace
}  // namespace kakeya
