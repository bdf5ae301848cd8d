// SPDX-License-Identifier: Apache-2.0
// Attention over pages of tiles of klt whose keys were coded before RoPE is attention over the values that the codec
// decodes, its keys turned by the host. As field_attention_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device/device_case.h"
#include "device/klt_sequences.h"
#include "kakeya/core/error.h"
#include "kernels/attention.h"

namespace kakeya {
namespace {

using namespace test;

struct RopeCase {
  AttentionCase of;
  double base;
  std::size_t turned;  // coordinates
  RopePairing pairing;
  std::vector<std::int32_t> first_positions;
};

constexpr auto kHalves = RopePairing::halves, kInterleaved = RopePairing::interleaved;

// 1:1 to 8:1 and more, partial pages, no pages, sinks and a residual window, sliding windows, several sequences
// with scattered pages, positions that are no multiple of a warp's tokens.
const std::vector<RopeCase> kCases = {
    {{tiles_of_bits("3"), 2, 4, 128, {256, 128, 0, 300}, {}, {}}, 1e6, 128, kHalves, {}},
    {{tiles_of_bits("2"), 1, 2, 64, {130}, {}, {5}}, 1e4, 64, kInterleaved, {}},
    {{tiles_of_bits("3.5"), 1, 1, 128, {512, 128}, {150, 0}, {0, 40}},
     5e5,
     128,
     kHalves,
     {4, 3001}},
    {{tiles_of_bits("1.5", ",product=exact"), 2, 3, 64, {128, 1}, {}, {}},
     1e4,
     32,
     kHalves,
     {0, 77}},
    {{tiles_of_bits("3"), 1, 8, 128, {384}, {}, {9}}, 1e6, 64, kInterleaved, {}},
    {{tiles_of_bits("3"), 1, 2, 256, {200}, {}, {3}}, 1e4, 256, kHalves, {21}},
    {{tiles_of_bits("2.5"), 1, 7, 256, {128}, {}, {}}, 1e6, 64, kHalves, {}},
    {{tiles_of_bits("3"), 1, 19, 64, {260, 90}, {}, {2, 7}}, 1e4, 64, kHalves, {}},
    {{tiles_of_bits("4"), 1, 2, 128, {140}, {7}, {}}, 1e4, 2, kInterleaved, {131}},
};

Rope rope_of(const RopeCase& one, std::size_t positions = 4096) {
  return {rope_frequencies(one.base, one.turned), one.pairing, positions};
}

class DeviceRopeAttentionTest : public DeviceCase<> {};

TEST_F(DeviceRopeAttentionTest, IsAttentionOverWhatTheCodecDecodesTurned) {
  for (const RopeCase& one : kCases) {
    for (const std::size_t far : {0, 37}) {
      KltSequences made(one.of, far);
      made.set_rope(rope_of(one), one.first_positions);
      std::vector<std::uint32_t> flags;
      const std::vector<float> got = made.run(flags, one.of.packed);
      const std::string what = one.of.spec + ", dim " + std::to_string(one.of.dim) + ", group " +
                               std::to_string(one.of.group) + ", far " + std::to_string(far);
      EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << what;
      expect_near(got, made.expected(), made.dim(), what);
    }
  }
}

// Without a RoPE again it is attention over what is decoded, not turned: a kernel that ignores angles fails one of the two.
TEST_F(DeviceRopeAttentionTest, TurnsKeysOnlyWhereItIsTold) {
  const AttentionCase of{tiles_of_bits("3"), 1, 4, 128, {256}, {}, {}};
  KltSequences plain(of), turned(of);
  turned.set_rope({rope_frequencies(1e4, 128), kHalves, 256}, {});
  std::vector<std::uint32_t> flags;
  const std::vector<float> before = plain.run(flags, of.packed);
  expect_near(before, plain.expected(), 128, "plain");
  const std::vector<float> after = turned.run(flags, of.packed);
  EXPECT_NE(before, after);
  turned.unset_rope();
  EXPECT_EQ(before, turned.run(flags, of.packed));
}

TEST_F(DeviceRopeAttentionTest, RunsAgainWithTheSameWorkspace) {
  for (const int dim : {64, 128, 256}) {
    KltSequences made({tiles_of_bits("3"), 1, 4, dim, {600, 65}, {}, {}});
    made.set_rope({rope_frequencies(1e6, 64), kHalves, 1024}, {});
    std::vector<std::uint32_t> flags;
    EXPECT_EQ(made.run(flags, made.packed(), 1), made.run(flags, made.packed(), 3)) << dim;
  }
}

// As many positions as tokens are enough, of pages that not all warps have tokens of.
TEST_F(DeviceRopeAttentionTest, PositionsOfItsTokensAreEnough) {
  for (const int dim : {64, 128, 256}) {
    for (const int tokens : {1, 136, 300}) {
      KltSequences made({tiles_of_bits("3"), 1, 4, dim, {tokens}, {}, {}});
      made.set_rope({rope_frequencies(1e4, 64), kHalves, static_cast<std::size_t>(tokens)}, {});
      std::vector<std::uint32_t> flags;
      const std::vector<float> got = made.run(flags, made.packed());
      EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << dim << " " << tokens;
      expect_near(got, made.expected(), made.dim(), std::to_string(tokens));
    }
  }
}

// Queries of any size whose scores are floats: of those that are hardly there all tokens weigh the same.
TEST_F(DeviceRopeAttentionTest, QueriesOfAnySizeAreFinite) {
  for (const float factor : {1e-38f, 1e-30f, 1e33f}) {
    KltSequences made({tiles_of_bits("3"), 1, 4, 128, {300}, {}, {}});
    made.set_rope({rope_frequencies(1e4, 128), kHalves, 512}, {});
    made.scale_queries(factor);
    std::vector<std::uint32_t> flags;
    const std::vector<float> got = made.run(flags, made.packed());
    EXPECT_EQ(flags[0], 0u);
    for (const float value : got) ASSERT_TRUE(std::isfinite(value)) << factor;
    if (factor < 1)
      expect_near(got, made.expected(), 128, "queries times " + std::to_string(factor));
  }
}

// Positions that the tables lack are flagged, of the sequence that has them.
TEST_F(DeviceRopeAttentionTest, PositionsBeyondItsRopeAreFlagged) {
  for (const std::int32_t first : {-1, 400, 2147483647}) {
    KltSequences made({tiles_of_bits("3"), 1, 2, 64, {256, 128}, {}, {}});
    made.set_rope({rope_frequencies(1e4, 64), kHalves, 512}, {});
    std::vector<std::uint32_t> flags;
    made.run(flags, made.packed());
    EXPECT_EQ(flags[0], 0u);
    made.set_first_positions({first, 384});
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(flags[0], std::uint32_t{kernels::kBadPosition}) << first;
    EXPECT_EQ(flags[1], 0u);
    EXPECT_THROW(require_no_attention_flags(made.attention(), flags), InputError);
  }
}

// Tables, lengths, and any byte of a slot.
TEST_F(DeviceRopeAttentionTest, WhatIsForgedIsFlaggedOrFinite) {
  const AttentionCase small{tiles_of_bits("3"), 1, 2, 128, {256, 128}, {}, {}};
  const Rope rope{rope_frequencies(1e4, 128), kHalves, 4096};
  std::vector<std::uint32_t> flags;
  for (const std::int32_t forged : {-1, -2147483647, 1000, 2147483647}) {
    KltSequences made(small);
    made.set_rope(rope, {});
    made.table()[1] = forged;
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flags[0], 0u);
    EXPECT_EQ(flags[1], 0u);
  }
  KltSequences made(small, 37);
  made.set_rope(rope, {});
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
  for (std::uint64_t round = 0; round < (emulated() ? 90 : 2000); ++round) {
    // The directory and the headers more often than fields.
    const std::size_t room = round % 3 == 0 ? 16 : (round % 3 == 1 ? 96 : bytes);
    for (std::uint64_t n = 0; n <= round % 2; ++n) {
      made.forge(slot, random.bits(4 * round + 2 * n) % room,
                 static_cast<std::uint8_t>(random.bits(4 * round + 2 * n + 1)));
    }
    for (const float value : made.run(flags, made.packed())) {
      ASSERT_TRUE(std::isfinite(value)) << round;
    }
    EXPECT_EQ(flags[1], 0u);
    made.put_slot(slot, good);
  }
}

TEST_F(DeviceRopeAttentionTest, RefusesWhatItCannotTake) {
  const auto rope_for = [](std::size_t dim) {
    return std::make_shared<DeviceRope>(Rope{rope_frequencies(1e4, 64), kHalves, 512}, dim);
  };
  const auto refused = [](auto&& action, std::string_view named) {
    try {
      action();
      ADD_FAILURE() << named;
    } catch (const InputError& error) {
      EXPECT_NE(std::string_view(error.what()).find(named), std::string_view::npos) << error.what();
    } catch (const NoKernelError& error) {
      EXPECT_NE(std::string_view(error.what()).find(named), std::string_view::npos) << error.what();
    }
  };
  for (const char* spec : {"e8:q=7", "fp8"}) {
    DeviceAttention packed(spec, KvShape{1, 2, 8, 128});
    refused([&] { packed.set_rope(rope_for(128)); }, spec);
    EXPECT_NO_THROW(packed.set_rope(nullptr));
  }
  KltSequences fixed({spec_of("3"), 1, 2, 64, {}, {}, {}});
  refused([&] { fixed.set_rope({rope_frequencies(1e4, 64), kHalves, 512}, {}); }, "pages=fixed");
  KltSequences tiles({tiles_of_bits("3"), 1, 2, 64, {}, {}, {}});
  refused([&] { tiles.share_rope(rope_for(128)); }, "head_dim 128");
  const double none = std::numeric_limits<double>::infinity();
  refused([&] { DeviceRope({{}, kHalves, 512}, 64); }, "0 coordinates");
  refused([&] { DeviceRope({rope_frequencies(1e4, 128), kHalves, 512}, 64); }, "128 coordinates");
  refused([&] { DeviceRope({rope_frequencies(1e4, 64), kHalves, 512}, 96); }, "head_dim 96");
  refused([&] { DeviceRope({{1.0, none}, kHalves, 512}, 64); }, "frequency");
  refused([&] { DeviceRope({rope_frequencies(1e4, 64), kHalves, 0}, 64); }, "0 positions");
}

}  // namespace
}  // namespace kakeya
