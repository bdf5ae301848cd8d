// SPDX-License-Identifier: Apache-2.0
// Attention over pages of fields of klt is attention over the values that the codec decodes. As
// attention_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "device/device_case.h"
#include "device/klt_sequences.h"
#include "kakeya/core/error.h"
#include "kernels/attention.h"

namespace kakeya {
namespace {

using namespace test;

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
      KltSequences made(one, far);
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
    KltSequences made({spec, 2, 4, 128, {600, 65}, {}, {}});
    std::vector<std::uint32_t> flags;
    EXPECT_EQ(made.run(flags, made.packed(), 1), made.run(flags, made.packed(), 3)) << spec;
  }
}

// In bf16, of pages that are full.
TEST_F(DeviceFieldAttentionTest, UnpacksWhatTheCodecDecodes) {
  std::vector<AttentionCase> cases = kFieldCases;
  cases.insert(cases.end(), kTileCases.begin(), kTileCases.end());
  for (const AttentionCase& one : cases) {
    KltSequences made(one, 37);
    expect_unpacks_decoded(made, one);
    if (one.packed[0] < 128) continue;
    made.table()[0] = 1 << 20;
    std::uint32_t flag = 0;
    for (const float value : made.unpack(0, 0, {0, 1}, &flag)) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flag, 0u);
  }
}

TEST_F(DeviceFieldAttentionTest, UnpacksWhatIsForgedToFiniteNumbers) {
  KltSequences made({tiles_of_bits("3"), 2, 2, 64, {256}, {}, {}}, 37);
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
    KltSequences made(small);
    std::vector<std::uint32_t> flags;
    made.table()[1] = forged;
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flags[0], 0u);
    EXPECT_EQ(flags[1], 0u);
    EXPECT_THROW(require_no_attention_flags(made.attention(), flags), CorruptStream);
  }
  KltSequences made(small);
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
  const KltSource source(good, 0);
  const KvShape shape{1, 2, 4, 64};
  const auto& keys = source.inputs(Part::key);
  const auto& values = source.inputs(Part::value);
  EXPECT_NO_THROW(DeviceAttention(good.spec, shape, keys, values, source.room()));
  for (const char* spec :
       {"klt:bits=3,lattice=z,pages=fixed", "klt:bits=3,pages=fixed,page=128",
        "klt:bits=3,lattice=z,page=128", "klt:bits=3,page=128,pages=fixed,budget=4096",
        "klt:bits=3,lattice=z,page=128,budget=4096", "ece8:bits=3,page=128,budget=4096",
        "e8:q=7"}) {
    EXPECT_THROW(DeviceAttention(spec, shape, keys, values, source.room()), NoKernelError) << spec;
  }
  EXPECT_THROW(DeviceAttention(good.spec, shape, values, keys, source.room()), InputError);
  EXPECT_THROW(DeviceAttention(good.spec, KvShape{1, 1, 4, 64}, keys, values, source.room()),
               InputError);
}

}  // namespace
}  // namespace kakeya
