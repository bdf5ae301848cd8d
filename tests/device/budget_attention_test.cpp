// SPDX-License-Identifier: Apache-2.0
// Attention over pages of a budget of klt, whose steps differ, is attention over the values that the codec decodes. As
// field_attention_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "device/device_case.h"
#include "device/klt_sequences.h"
#include "kakeya/core/error.h"
#include "kernels/attention.h"
#include "kernels/budget.h"
#include "kernels/field_attention.h"

namespace kakeya {
namespace {

using namespace test;

std::string budget_spec(const std::string& pages, std::size_t budget, const std::string& more = "",
                        const std::string& bits = "5") {
  return "klt:bits=" + bits + more + ",lattice=z,pages=" + pages +
         ",page=128,budget=" + std::to_string(budget);
}

struct BudgetCase {
  std::size_t budget;
  std::string more;
  int kv_heads, group, dim;
  std::vector<std::int32_t> packed, first, exact;

  AttentionCase of(const std::string& pages) const {
    return {budget_spec(pages, budget, more), kv_heads, group, dim, packed, first, exact};
  }
};

// 1:1 to 8:1 and more, partial pages, no pages, sliding windows, sinks and a residual window; budgets that are no
// multiple of 16, or of 4.
const std::vector<BudgetCase> kBudgetCases = {
    {6144, "", 2, 4, 128, {512, 128, 0, 300}, {}, {}},
    {3001, "", 1, 2, 64, {400, 130}, {}, {5, 0}},
    {5550, "", 1, 1, 128, {512, 128}, {150, 0}, {0, 40}},
    {2904, ",product=exact", 2, 3, 64, {128, 1, 384}, {}, {}},
    {6002, "", 1, 8, 128, {384}, {}, {9}},
    {11999, "", 1, 2, 256, {200}, {}, {3}},
    {3072, "", 1, 19, 64, {260, 90}, {}, {2, 7}},
};

class DeviceBudgetAttentionTest : public DeviceCase<> {
 protected:
  // Far entries every so many tokens; emulated, one of both: the host codes each page several times.
  static std::vector<std::size_t> fars(std::size_t round) {
    if (emulated()) return {round % 2 == 0 ? 0u : 37u};
    return {0, 37};
  }
  // The word that ends the room of a part of a slot.
  static std::uint32_t last_word(const std::vector<std::byte>& slot, std::size_t part) {
    std::uint32_t end = 0, word = 0;
    std::memcpy(&end, &slot[4 * (part + 1)], 4);
    std::memcpy(&word, &slot[16 * std::size_t{end} - 4], 4);
    return word;
  }
  // Where that word is in its slot.
  static std::size_t last_place(const std::vector<std::byte>& slot, std::size_t part) {
    std::uint32_t end = 0;
    std::memcpy(&end, &slot[4 * (part + 1)], 4);
    return 16 * std::size_t{end} - 4;
  }
  // Of all pages of all sequences.
  static std::set<std::uint32_t> steps_of(KltSequences& made) {
    std::set<std::uint32_t> steps;
    for (const std::int32_t slot : made.table()) {
      if (slot < 0) continue;
      const std::vector<std::byte> bytes = made.slot_bytes(slot);
      for (std::size_t part = 0; part < 2 * made.heads(); ++part) {
        steps.insert(last_word(bytes, part) >> 24);
      }
    }
    return steps;
  }

  static void expect_right(KltSequences& made, const std::string& what) {
    std::vector<std::uint32_t> flags;
    const std::vector<float> got = made.run(flags, made.packed());
    EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << what;
    expect_near(got, made.expected(), made.dim(), what);
  }
};

TEST_F(DeviceBudgetAttentionTest, IsAttentionOverWhatTheCodecDecodes) {
  std::size_t round = 0;
  for (const char* pages : {"tiles", "fixed"}) {
    for (const BudgetCase& one : kBudgetCases) {
      for (const std::size_t far : fars(round++)) {
        const AttentionCase of = one.of(pages);
        KltSequences made(of, far, true);
        if (one.packed[0] > 256) {
          EXPECT_GE(steps_of(made).size(), 3u) << of.spec;
        }
        expect_right(made, of.spec + ", dim " + std::to_string(one.dim) + ", group " +
                               std::to_string(one.group) + ", far " + std::to_string(far));
      }
    }
  }
}

// Queries are halved: binary16 leaves a result 1e-3 where scores of tokens that count do not differ much, and with one
// step for all pages, too, rows of these queries are beyond it.
TEST_F(DeviceBudgetAttentionTest, IsAttentionOverKeysBeforeRope) {
  std::size_t round = 1;
  for (const BudgetCase& one : kBudgetCases) {
    for (const std::size_t far : fars(round++)) {
      const AttentionCase of = one.of("tiles");
      KltSequences made(of, far, true);
      std::vector<std::int32_t> first;
      for (std::size_t s = 0; s < one.packed.size(); ++s) {
        first.push_back(static_cast<std::int32_t>(977 * s + 5));
      }
      made.set_rope({rope_frequencies(1e4, 64), RopePairing::halves, 4096}, first);
      made.scale_queries(0.5f);
      expect_right(made, of.spec + " before RoPE, dim " + std::to_string(one.dim) + ", group " +
                             std::to_string(one.group) + ", far " + std::to_string(far));
    }
  }
}

// A page that is quiet enough has the step asked for, and one that is not the coarsest there is.
TEST_F(DeviceBudgetAttentionTest, PagesOfTheFirstStepAndOfCoarseOnes) {
  const AttentionCase quiet{budget_spec("tiles", 6144, "", "3"), 1, 2, 64, {256}, {}, {}},
      coarse{budget_spec("tiles", 600, "", "6"), 1, 2, 64, {256}, {}, {}};
  KltSequences asked(quiet);
  EXPECT_EQ(steps_of(asked), std::set<std::uint32_t>{0});
  expect_right(asked, quiet.spec);
  KltSequences far(coarse);
  EXPECT_GT(*steps_of(far).begin(), 60u);
  expect_right(far, coarse.spec);
}

TEST_F(DeviceBudgetAttentionTest, UnpacksWhatTheCodecDecodes) {
  for (const char* pages : {"tiles", "fixed"}) {
    for (const BudgetCase& one : kBudgetCases) {
      if (emulated() && one.kv_heads * one.dim > 128) continue;
      const AttentionCase of = one.of(pages);
      KltSequences made(of, 37, true);
      expect_unpacks_decoded(made, of);
    }
  }
}

// Coded there, with the room that a budget says, slots have the bytes that pages of the host have.
TEST_F(DeviceBudgetAttentionTest, CodesToSlotsOfOneSize) {
  const std::size_t budget = 2999, tokens = 200, dim = 64;
  const AttentionCase of{budget_spec("tiles", budget), 1, 2, 64, {200}, {}, {}};
  const KltSource source(of, 0, true);
  const KvShape shape{1, 1, 2, 64};
  const DeviceAttention attention(of.spec, shape, source.inputs(Part::key),
                                  source.inputs(Part::value), AttentionRoom{});
  const AttentionRoom room = attention.room();
  EXPECT_EQ(room.part_bytes, 3008u);
  EXPECT_EQ(room.head_bytes, 6016u);
  EXPECT_EQ(room.slot_bytes, 6016u + 16u * static_cast<std::size_t>(kernels::field_directory(1)));
  EXPECT_EQ(attention.slot_bytes(), room.slot_bytes);
  const KltCoded& coded = source.coded(0);
  const AttentionRoom same = attention_room(coded.keys, coded.values);
  EXPECT_EQ(same.slot_bytes, room.slot_bytes);
  EXPECT_EQ(same.part_bytes, room.part_bytes);

  const DeviceBuffer slots = on_device(std::vector<std::int32_t>{1, 0});
  DeviceBuffer flags(16), pool(2 * room.slot_bytes);
  const DevicePagePool pages{pool.data(), 2};
  const auto slots_at = static_cast<const std::int32_t*>(slots.data());
  const auto flags_at = static_cast<std::uint32_t*>(flags.data());
  const auto taken = [&] {
    std::vector<std::byte> image(2 * room.slot_bytes);
    std::uint32_t flag = 1;
    device_wait(nullptr);
    pool.copy_out(image.data(), image.size());
    flags.copy_out(&flag, 4);
    EXPECT_EQ(flag, 0u);
    return image;
  };
  // From what was drawn, which is what frames are of; fp32, as the host had it.
  DeviceBuffer given[2] = {DeviceBuffer(4 * tokens * dim), DeviceBuffer(4 * tokens * dim)};
  for (const std::size_t side : {0u, 1u}) {
    given[side].copy_in(coded.drawn[side][0].data(), 4 * tokens * dim);
  }
  const auto view = [&](std::size_t side) {
    return dense_device_vectors(given[side].data(), DeviceScalar::fp32, tokens, 1, dim);
  };
  DeviceBuffer workspace(attention.pack_workspace_bytes(tokens));
  flags.fill(0, nullptr);
  pool.fill(0, nullptr);
  const AttentionRoom least = attention.code(view(0), view(1), flags_at, nullptr, workspace.data());
  EXPECT_EQ(least.slot_bytes, room.slot_bytes);
  EXPECT_EQ(attention.room_with(least).slot_bytes, room.slot_bytes);
  attention.lay_coded(tokens, pages, slots_at, flags_at, nullptr, workspace.data());
  const std::vector<std::byte> got = taken();

  std::vector<std::byte> images[2];
  for (const std::size_t side : {0u, 1u}) {
    const DeviceCodec& codec = attention.codec(side == 0 ? Part::key : Part::value);
    const DeviceLayout layout = codec.layout(tokens, 1);
    images[side].resize(layout.bytes);
    codec.take_frame((side == 0 ? coded.keys : coded.values)[0], layout, 0, images[side]);
  }
  const DeviceBuffer keys = on_device(images[0].data(), images[0].size()),
                     values = on_device(images[1].data(), images[1].size());
  DeviceBuffer lent(attention.lay_workspace_bytes(tokens));
  pool.fill(0, nullptr);
  attention.lay(keys.data(), values.data(), tokens, pages, slots_at, flags_at, nullptr,
                lent.data());
  EXPECT_EQ(got, taken());
}

// Pages of frames: their slots are left without pages.
TEST_F(DeviceBudgetAttentionTest, WhatDoesNotComeApartIsFlaggedAndNotLaid) {
  struct Damage {
    std::size_t back;  // bytes before the end
    std::uint8_t byte;
    std::size_t count;
    std::uint32_t flag;
  };
  // A step, lengths that do not end, a stream longer than the page, vectors beside it, zeros that are none.
  const Damage damages[] = {
      {0, 128, 1, kernels::kBadBudgetPage},  {0, 255, 1, kernels::kBadBudgetPage},
      {1, 0xff, 8, kernels::kBadBudgetPage}, {2, 0x7f, 1, kernels::kBadBudgetPage},
      {3, 4, 1, kernels::kKeptVectors},      {4, 1, 1, kernels::kBadBudgetPage}};
  const std::size_t budget = 6144, tokens = 256;
  // Pages have zeros left, and streams of 128 to 16383 bytes.
  const AttentionCase of{budget_spec("tiles", budget, "", "3"), 2, 2, 64, {256}, {}, {}};
  const KltSource source(of, 0);
  const DeviceAttention attention(of.spec, KvShape{1, 2, 4, 64}, source.inputs(Part::key),
                                  source.inputs(Part::value), AttentionRoom{});
  for (const Damage& damage : damages) {
    for (const std::size_t side : {0u, 1u}) {
      std::vector<std::byte> images[2];
      for (const std::size_t part : {0u, 1u}) {
        const DeviceCodec& codec = attention.codec(part == 0 ? Part::key : Part::value);
        const DeviceLayout layout = codec.layout(tokens, 2);
        images[part].resize(layout.bytes);
        const KltFrames& frames = part == 0 ? source.coded(0).keys : source.coded(0).values;
        for (std::size_t h = 0; h < 2; ++h) codec.take_frame(frames[h], layout, h, images[part]);
        if (part != side) continue;
        // The second page of the second head.
        std::byte* const end = images[part].data() + layout.sections[0].stride + 2 * budget;
        for (std::size_t i = 0; i < damage.count; ++i) {
          end[-1 - static_cast<std::ptrdiff_t>(damage.back + i)] = std::byte{damage.byte};
        }
      }
      const DeviceBuffer slots = on_device(std::vector<std::int32_t>{0, 1}),
                         keys = on_device(images[0].data(), images[0].size()),
                         values = on_device(images[1].data(), images[1].size());
      DeviceBuffer flags(16), pool(2 * attention.slot_bytes()),
          lent(attention.lay_workspace_bytes(tokens));
      flags.fill(0, nullptr);
      pool.fill(0xff, nullptr);
      attention.lay(keys.data(), values.data(), tokens, {pool.data(), 2},
                    static_cast<const std::int32_t*>(slots.data()),
                    static_cast<std::uint32_t*>(flags.data()), nullptr, lent.data());
      device_wait(nullptr);
      std::uint32_t words[2], places[2] = {};
      flags.copy_out(words, 8);
      EXPECT_EQ(words[0], 0u);
      EXPECT_EQ(words[1], damage.flag) << damage.back << " " << int{damage.byte};
      for (const std::size_t slot : {0u, 1u}) {
        std::vector<std::byte> image(2 * attention.slot_bytes());
        pool.copy_out(image.data(), image.size());
        std::memcpy(&places[slot], &image[slot * attention.slot_bytes()], 4);
      }
      EXPECT_NE(places[0], 0u);
      EXPECT_EQ(places[1], 0u);
    }
  }
}

// Steps in slots.
TEST_F(DeviceBudgetAttentionTest, StepsThatAreNoneAreFlagged) {
  for (const char* pages : {"tiles", "fixed"}) {
    for (const bool before_rope : {false, true}) {
      if (before_rope && std::string(pages) == "fixed") continue;
      KltSequences made({budget_spec(pages, 3000), 2, 2, 64, {256, 128}, {}, {}}, 0, true);
      if (before_rope) made.set_rope({rope_frequencies(1e4, 64), RopePairing::halves, 512}, {});
      const std::int32_t slot = made.table()[0];
      const std::vector<std::byte> good = made.slot_bytes(slot);
      std::vector<std::uint32_t> flags;
      for (std::size_t part = 0; part < 4; ++part) {
        for (const int step : {128, 255}) {
          made.forge(slot, last_place(good, part) + 3, static_cast<std::uint8_t>(step));
          for (const float value : made.run(flags, made.packed())) {
            ASSERT_TRUE(std::isfinite(value)) << pages;
          }
          EXPECT_EQ(flags[0], std::uint32_t{kernels::kBadPage}) << pages << " " << part;
          EXPECT_EQ(flags[1], 0u);
          std::uint32_t flag = 0;
          for (const float value : made.unpack(0, part % 2, {0, 256}, &flag)) {
            ASSERT_TRUE(std::isfinite(value));
          }
          EXPECT_NE(flag & kernels::kBadPage, 0u);
          made.put_slot(slot, good);
        }
      }
      made.run(flags, made.packed());
      EXPECT_EQ(flags[0], 0u);
    }
  }
}

// Any byte of a slot.
TEST_F(DeviceBudgetAttentionTest, WhatIsForgedIsFlaggedOrFinite) {
  for (const char* pages : {"tiles", "fixed"}) {
    KltSequences made({budget_spec(pages, 1501), 1, 2, 64, {256, 128}, {}, {}}, 37, true);
    const std::int32_t slot = made.table()[0];
    const std::vector<std::byte> good = made.slot_bytes(slot);
    const Random random(7);
    std::vector<std::uint32_t> flags;
    std::size_t flagged = 0, refused = 0;
    for (std::uint64_t round = 0; round < (emulated() ? 60 : 2000); ++round) {
      const std::size_t anywhere = random.bits(2 * round) % made.attention().slot_bytes(),
                        front = random.bits(2 * round) % 96,
                        word = last_place(good, round % 2) + random.bits(2 * round) % 4;
      made.forge(slot, round % 3 == 0 ? anywhere : (round % 3 == 1 ? front : word),
                 static_cast<std::uint8_t>(random.bits(2 * round + 1)));
      for (const float value : made.run(flags, made.packed())) {
        ASSERT_TRUE(std::isfinite(value)) << round;
      }
      EXPECT_EQ(flags[1], 0u);
      flagged += flags[0] != 0 ? 1 : 0;
      std::uint32_t flag = 0;
      for (const float value : made.unpack(0, round % 2, {0, 256}, &flag)) {
        ASSERT_TRUE(std::isfinite(value)) << round;
      }
      refused += flag != 0 ? 1 : 0;
      made.put_slot(slot, good);
    }
    EXPECT_GT(flagged, 0u);
    EXPECT_GT(refused, 0u);
  }
}

}  // namespace
}  // namespace kakeya
