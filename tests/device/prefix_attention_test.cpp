// SPDX-License-Identifier: Apache-2.0
// Attention over pages of prefix codes of klt is attention over the values that the codec decodes. As
// field_attention_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "device/device_case.h"
#include "device/klt_sequences.h"
#include "kakeya/core/error.h"
#include "kernels/attention.h"
#include "kernels/pages.h"

namespace kakeya {
namespace {

using namespace test;

// From quads at 1 bit to groups whose coordinates take two bytes at 8.
const std::vector<AttentionCase> kPrefixCases = {
    {prefix_of_bits("3"), 2, 4, 128, {256, 128, 0, 300}, {}, {}},
    {prefix_of_bits("2"), 1, 2, 64, {130}, {}, {5}},
    {prefix_of_bits("3.5"), 1, 1, 128, {512, 128}, {150, 0}, {0, 40}},
    {prefix_of_bits("1.5", ",product=exact"), 2, 3, 64, {128, 1}, {}, {}},
    {prefix_of_bits("1"), 1, 4, 128, {200}, {33}, {}},
    {prefix_of_bits("3"), 1, 8, 128, {384}, {}, {9}},
    {prefix_of_bits("3"), 1, 2, 256, {200}, {}, {3}},
    {prefix_of_bits("2.5"), 1, 7, 256, {128}, {}, {}},
    {prefix_of_bits("4"), 1, 19, 64, {260, 90}, {}, {2, 7}},
    {prefix_of_bits("6"), 1, 2, 128, {140}, {}, {}},
    {prefix_of_bits("7"), 1, 5, 64, {256}, {}, {1}},
    {prefix_of_bits("8"), 1, 3, 64, {128}, {}, {}},
};

std::string name_of(const AttentionCase& one, std::size_t far) {
  return one.spec + ", dim " + std::to_string(one.dim) + ", group " + std::to_string(one.group) +
         ", far " + std::to_string(far);
}

class DevicePrefixAttentionTest : public DeviceCase<> {};

// Of every `far`-th vector a coordinate is corrected.
TEST_F(DevicePrefixAttentionTest, IsAttentionOverWhatTheCodecDecodes) {
  for (const AttentionCase& one : kPrefixCases) {
    for (const std::size_t far : {0, 3, 37}) {
      if (far == 3 && one.spec.find("exact") != std::string::npos) continue;  // kept beside pages
      KltSequences made(one, far);
      std::vector<std::uint32_t> flags;
      const std::vector<float> got = made.run(flags, one.packed);
      EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << name_of(one, far);
      expect_near(got, made.expected(), made.dim(), name_of(one, far));
    }
  }
}

// Scores far apart: most weights are nothing, and the largest score moves from page to page.
TEST_F(DevicePrefixAttentionTest, HoldsForScoresFarApart) {
  for (const float factor : {8.0f, 64.0f}) {
    KltSequences made({prefix_of_bits("3"), 1, 4, 64, {1500, 700}, {0, 300}, {3, 0}}, 11);
    made.scale_queries(factor);
    std::vector<std::uint32_t> flags;
    const std::vector<float> got = made.run(flags, made.packed());
    expect_near(got, made.expected(), made.dim(), "queries times " + std::to_string(factor));
  }
}

TEST_F(DevicePrefixAttentionTest, RunsAgainWithTheSameWorkspace) {
  KltSequences made({prefix_of_bits("3"), 2, 4, 128, {600, 65}, {}, {}}, 3);
  std::vector<std::uint32_t> flags;
  EXPECT_EQ(made.run(flags, made.packed(), 1), made.run(flags, made.packed(), 3));
}

// Tokens that are no longer, or not yet, seen of pages that are longer.
TEST_F(DevicePrefixAttentionTest, SeesFewerTokensThanAPageHas) {
  KltSequences whole({prefix_of_bits("3"), 1, 2, 64, {250}, {}, {}}, 5);
  std::vector<std::uint32_t> flags;
  for (const std::int32_t tokens : {1, 100, 128, 129, 249}) {
    const std::vector<float> got = whole.run(flags, {tokens});
    EXPECT_EQ(flags[0], 0u) << tokens;
    KltSequences part({prefix_of_bits("3"), 1, 2, 64, {tokens}, {}, {}}, 5);
    expect_near(got, part.expected(), whole.dim(), std::to_string(tokens) + " tokens of 250");
  }
}

// In bf16, of pages that are full.
TEST_F(DevicePrefixAttentionTest, UnpacksWhatTheCodecDecodes) {
  for (const AttentionCase& one : kPrefixCases) {
    KltSequences made(one, 37);
    expect_unpacks_decoded(made, one);
  }
}

// Coded by kernels, and laid from there.
TEST_F(DevicePrefixAttentionTest, PacksWhatItAttends) {
  const AttentionCase one{prefix_of_bits("3"), 2, 2, 64, {256}, {}, {}};
  const KltSource source(one, 0);
  const KvShape shape{1, 2, 4, 64};
  DeviceAttention attention(one.spec, shape, source.inputs(Part::key), source.inputs(Part::value),
                            {});
  Vectors keys(DeviceScalar::bf16, 256, 2, 64), values(DeviceScalar::bf16, 256, 2, 64);
  for (Vectors* side : {&keys, &values}) {
    const std::size_t number = side == &keys ? 0 : 1;
    side->set_all([&](std::size_t head, std::size_t t, std::span<float> v) {
      std::copy_n(&source.coded(0).decoded[number][head][t * 64], 64, v.begin());
    });
  }
  DeviceBuffer workspace(attention.pack_workspace_bytes(256)), flags(8);
  flags.fill(0, nullptr);
  const auto words = static_cast<std::uint32_t*>(flags.data());
  const AttentionRoom least =
      attention.code(keys.view(), values.view(), words, nullptr, workspace.data());
  attention.set_room(attention.room_with(least));
  const DeviceBuffer pool(2 * attention.slot_bytes());
  const DeviceBuffer slots = on_device(std::vector<std::int32_t>{1, 0});
  const DevicePagePool pages{pool.data(), 2};
  const auto* const places = static_cast<const std::int32_t*>(slots.data());
  attention.lay_coded(256, pages, places, words, nullptr, workspace.data());
  DeviceBuffer lifted(attention.unpack_workspace_bytes(256)), out(2 * 4 * 256 * 2 * 64);
  const auto view = [&](std::size_t side) {
    return dense_device_vectors(static_cast<float*>(out.data()) + side * 256 * 2 * 64,
                                DeviceScalar::fp32, 256, 2, 64);
  };
  attention.unpack(pages, places, {0, 256}, view(0), view(1), words, nullptr, lifted.data());
  device_wait(nullptr);
  std::vector<std::uint32_t> found(2);
  flags.copy_out(found.data(), 8);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{0, 0}));
  std::vector<float> got(2 * 256 * 2 * 64);
  out.copy_out(got.data(), 4 * got.size());
  // Points coded again are themselves, but for bf16 between.
  double wrong = 0, all = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t t = 0; t < 256; ++t) {
      for (std::size_t head = 0; head < 2; ++head) {
        for (std::size_t i = 0; i < 64; ++i) {
          const double right = source.coded(0).decoded[side][head][t * 64 + i],
                       value = got[((side * 256 + t) * 2 + head) * 64 + i];
          wrong += (value - right) * (value - right);
          all += right * right;
        }
      }
    }
  }
  EXPECT_LE(wrong, 1e-4 * all);
}

TEST_F(DevicePrefixAttentionTest, FlagsWhatTablesAndLengthsForge) {
  const AttentionCase small{prefix_of_bits("3"), 1, 2, 64, {256, 128}, {}, {}};
  for (const std::int32_t forged : {-1, -2147483647, 1000, 2147483647}) {
    KltSequences made(small);
    std::vector<std::uint32_t> flags;
    made.table()[1] = forged;
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(flags[0], std::uint32_t{kernels::kBadSlot});
    EXPECT_EQ(flags[1], 0u);
    EXPECT_THROW(require_no_attention_flags(made.attention(), flags), CorruptStream);
  }
  KltSequences made(small);
  std::vector<std::uint32_t> flags;
  for (const float value : made.run(flags, {-5, 100000})) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NE(flags[0], 0u);
  EXPECT_NE(flags[1], 0u);
  // A slot that was never written.
  made.table()[0] = (made.table()[0] + 1) % 3;
  for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NE(flags[0], 0u);
}

// Any byte of a slot, the directory and headers more often than strings.
TEST_F(DevicePrefixAttentionTest, WhatIsForgedIsFlaggedOrFinite) {
  for (const char* bits : {"3", "7"}) {
    KltSequences made({prefix_of_bits(bits), 1, 2, 64, {256, 128}, {}, {}}, 9);
    const std::int32_t slot = made.table()[0];
    const std::vector<std::byte> good = made.slot_bytes(slot);
    const Random random(4);
    std::vector<std::uint32_t> flags;
    std::size_t flagged = 0;
    for (std::uint64_t round = 0; round < (emulated() ? 60 : 2000); ++round) {
      const std::size_t room =
          round % 3 == 0 ? 16 : (round % 3 == 1 ? 96 : made.attention().slot_bytes());
      made.forge(slot, random.bits(2 * round) % room,
                 static_cast<std::uint8_t>(random.bits(2 * round + 1)));
      for (const float value : made.run(flags, made.packed())) {
        ASSERT_TRUE(std::isfinite(value)) << bits << ", " << round;
      }
      flagged += flags[0] != 0 ? 1 : 0;
      EXPECT_EQ(flags[1], 0u);
      std::uint32_t flag = 0;
      for (const float value : made.unpack(0, round % 2, {0, 256}, &flag)) {
        ASSERT_TRUE(std::isfinite(value)) << bits << ", " << round;
      }
      made.put_slot(slot, good);
    }
    EXPECT_GT(flagged, 0u) << bits;
  }
}

// A page whose keys are damaged counts as not there.
TEST_F(DevicePrefixAttentionTest, LeavesOutADamagedPageOfKeys) {
  KltSequences made({prefix_of_bits("3"), 1, 2, 64, {256}, {}, {}}),
      second({prefix_of_bits("3"), 1, 2, 64, {256}, {128}, {}});
  std::vector<std::uint32_t> flags;
  made.forge(made.table()[0], 32 + 4, 50);  // vectors of the first page
  const std::vector<float> got = made.run(flags, made.packed());
  EXPECT_EQ(flags[0], std::uint32_t{kernels::kBadPage});
  expect_near(got, second.expected(), made.dim(), "the second page alone");
}

TEST_F(DevicePrefixAttentionTest, RefusesWhatHasNoPages) {
  const AttentionCase good{prefix_of_bits("3"), 2, 2, 64, {}, {}, {}};
  const KltSource source(good, 0);
  const KvShape shape{1, 2, 4, 64};
  const auto& keys = source.inputs(Part::key);
  const auto& values = source.inputs(Part::value);
  DeviceAttention attention(good.spec, shape, keys, values, source.room());
  EXPECT_THROW(DeviceAttention("klt:bits=3,lattice=z,pages=prefix", shape, keys, values, {}),
               NoKernelError);
  EXPECT_THROW(DeviceAttention(good.spec, shape, values, keys, {}), InputError);
  EXPECT_THROW(DeviceAttention(good.spec, shape, keys, values, {16, 16, 16}), InputError);
  try {
    attention.set_rope(std::make_shared<DeviceRope>(
        Rope{rope_frequencies(10000, 64), RopePairing::halves, 512}, 64));
    ADD_FAILURE() << "keys before RoPE";
  } catch (const NoKernelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("no kernel for them with pages=prefix"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace kakeya
