// SPDX-License-Identifier: Apache-2.0
// Attention over packed pages is attention over the values that the codec decodes. Without a GPU
// these tests are skipped; device_emulated_test runs them over the kernels' text on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string_view>

#include "device/attention_sequences.h"
#include "device/device_case.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

// Coded and laid by kernels.
class Packed : public Sequences {
 public:
  explicit Packed(const AttentionCase& given)
      : Sequences(given, DeviceAttention(given.spec, {1, given.kv_heads,
                                                      given.kv_heads * given.group, given.dim})) {
    for (std::size_t s = 0; s < batch_; ++s) fill(s);
  }

  // A byte of the first sequence's first page.
  void forge(std::size_t at, std::uint8_t byte) {
    const std::vector<std::uint8_t> sixteen(16, byte);
    const DeviceBuffer from = on_device(sixteen.data(), sixteen.size());
    device_copy(static_cast<std::byte*>(pool_.data) +
                    static_cast<std::size_t>(table_[0]) * attention_.slot_bytes() + at,
                from.data(), 1, nullptr);
  }

 private:
  void fill(std::size_t s) {
    const auto tokens = static_cast<std::size_t>(given_.packed[s]);
    const std::vector<std::int32_t> slots = take_slots(s);
    decoded_[0].emplace_back(heads()), decoded_[1].emplace_back(heads());
    Vectors keys(DeviceScalar::bf16, std::max<std::size_t>(tokens, 1), heads(), dim()),
        values(DeviceScalar::bf16, std::max<std::size_t>(tokens, 1), heads(), dim());
    keys.draw_all(Data::normal, 10 + s);
    values.draw_all(Data::heavy, 20 + s);
    if (tokens != 0) {
      const DeviceBuffer places = on_device(slots);
      DeviceBuffer workspace(attention_.pack_workspace_bytes(tokens)), flags(4 * heads());
      flags.fill(0, nullptr);
      attention_.pack(keys.view(), values.view(), pool_,
                      static_cast<const std::int32_t*>(places.data()),
                      static_cast<std::uint32_t*>(flags.data()), nullptr, workspace.data());
      require_good(flags);
    }
    for (std::size_t h = 0; h < heads(); ++h) {
      decode(keys, tokens, h, decoded_[0][s][h]);
      decode(values, tokens, h, decoded_[1][s][h]);
    }
    draw_exact(s);
  }

  void decode(Vectors& x, std::size_t tokens, std::size_t head, std::vector<float>& to) {
    to.resize(tokens * dim());
    if (tokens == 0) return;
    const Codec& codec = attention_.codec().host();
    std::vector<std::byte> frame(codec.encoded_bound(tokens));
    frame.resize(codec.encode(x.rows(head), frame));
    codec.decode(frame, dense_rows(to.data(), tokens, dim()));
  }
};

const std::vector<AttentionCase> kCases = {
    {"tq:b=4", 2, 4, 128, {200, 64, 0, 385}, {}, {}},
    {"e8:q=7", 2, 4, 128, {130, 192}, {}, {3, 40}},
    {"e8:q=5", 1, 8, 128, {300}, {70}, {33}},
    {"d4:q=7", 2, 1, 128, {70}, {}, {0}},
    {"e8:q=7", 1, 3, 64, {150, 64}, {5, 0}, {1, 0}},
    {"tq:b=3", 2, 5, 64, {129}, {}, {}},
    {"e8:q=7", 1, 2, 256, {100}, {}, {9}},
    {"tq:b=4", 1, 6, 256, {65}, {}, {}},
    {"e8:q=7", 1, 19, 64, {700, 90}, {}, {2, 7}},
    {"tq:b=2", 1, 1, 256, {0, 1}, {}, {2, 0}},
    {"fp8", 2, 4, 128, {200, 64, 0, 385}, {}, {}},
    {"fp8:scale=e8m0", 1, 8, 128, {300}, {70}, {33}},
    {"fp8:block=128", 2, 1, 128, {70, 130}, {}, {0, 5}},
    {"fp8:scale=fp16", 1, 3, 64, {150, 64}, {5, 0}, {1, 0}},
    {"fp8", 1, 19, 64, {700, 90}, {}, {2, 7}},
    {"fp8", 1, 2, 256, {100, 1}, {}, {9, 0}},
    {"fp8:block=256,scale=fp16", 1, 6, 256, {65}, {}, {}},
};

class DeviceAttentionTest : public DeviceCase<> {};

TEST_F(DeviceAttentionTest, IsAttentionOverWhatTheCodecDecodes) {
  for (const AttentionCase& one : kCases) {
    Packed made(one);
    std::vector<std::uint32_t> flags;
    const std::vector<float> got = made.run(flags, one.packed);
    const std::string what =
        one.spec + ", dim " + std::to_string(one.dim) + ", group " + std::to_string(one.group);
    EXPECT_NO_THROW(require_no_attention_flags(made.attention(), flags)) << what;
    expect_near(got, made.expected(), made.dim(), what);
  }
}

TEST_F(DeviceAttentionTest, RunsAgainWithTheSameWorkspace) {
  for (const char* spec : {"e8:q=7", "fp8"}) {
    Packed made({spec, 2, 4, 128, {600, 65}, {}, {}});
    std::vector<std::uint32_t> flags;
    EXPECT_EQ(made.run(flags, made.packed(), 1), made.run(flags, made.packed(), 3));
  }
}

// To a rounding, as the codec multiplies in another order; of fp8 to the bit.
TEST_F(DeviceAttentionTest, UnpacksWhatTheCodecDecodes) {
  for (const AttentionCase& one : kCases) {
    Packed made(one);
    for (std::size_t s = 0; s < one.packed.size(); ++s) {
      const auto tokens = static_cast<std::size_t>(one.packed[s]);
      if (tokens < 2) continue;
      const TokenRange range{tokens / 3, tokens - tokens / 3};
      for (std::size_t side = 0; side < 2; ++side) {
        std::uint32_t flag = 1;
        const std::vector<float> got = made.unpack(s, side, range, &flag);
        EXPECT_EQ(flag, 0u);
        double most = 0, wrong = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
          const std::size_t vector = i / made.dim();
          const double right = double{made.decoded(s, side, range.first + vector / made.heads(),
                                                   vector % made.heads(), i % made.dim())};
          most = std::max(most, std::abs(right));
          wrong = std::max(wrong, std::abs(double{got[i]} - right));
        }
        const bool same = one.spec.starts_with("fp8");  // which nothing is transformed of
        EXPECT_LE(wrong, same ? 0.0 : 1e-6 * most)
            << one.spec << ", dim " << one.dim << ", side " << side;
      }
    }
    made.table()[0] = 1 << 20;
    if (one.packed[0] == 0) continue;
    std::uint32_t flag = 0;
    for (const float value : made.unpack(0, 0, {0, 1}, &flag)) EXPECT_EQ(value, 0.0f);
    EXPECT_NE(flag, 0u);
  }
}

// A page that is not there is left out, and said.
TEST_F(DeviceAttentionTest, WhatIsForgedIsFlagged) {
  for (const std::int32_t forged : {-1, -2147483647, 1000, 2147483647}) {
    Packed made({forged < 0 ? "tq:b=4" : "fp8", 1, 2, 64, {192, 64}, {}, {}});
    std::vector<std::uint32_t> flags;
    made.table()[1] = forged;
    for (const float value : made.run(flags, made.packed())) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flags[0], 0u);
    EXPECT_EQ(flags[1], 0u);
    EXPECT_THROW(require_no_attention_flags(made.attention(), flags), CorruptStream);
  }
  for (const std::int32_t tokens : {-5, 100000}) {
    Packed made({"e8:q=7", 1, 2, 128, {64, 64}, {}, {}});
    std::vector<std::uint32_t> flags;
    for (const float value : made.run(flags, {64, tokens})) EXPECT_TRUE(std::isfinite(value));
    EXPECT_EQ(flags[0], 0u);
    EXPECT_NE(flags[1], 0u);
  }
  // Slots that were never written: all ones, factors that are no numbers, codes that are NaN.
  for (const char* spec : {"e8:q=7", "fp8"}) {
    Packed made({spec, 1, 2, 128, {64}, {}, {}});
    std::vector<std::uint32_t> flags;
    made.table()[0] = (made.table()[0] + 1) % 3;
    for (const float value : made.run(flags, {64})) EXPECT_TRUE(std::isfinite(value));
    EXPECT_NE(flags[0], 0u);
  }
}

// A code of fp8 that is NaN counts as nothing, of keys, of values, and where they are taken apart.
TEST_F(DeviceAttentionTest, CodesThatAreNaNAreFlagged) {
  const std::size_t part = 64 * 64 + 64 * 4;
  for (const std::size_t at : {std::size_t{0}, std::size_t{77}, part, part + 64 * 64 - 1}) {
    for (const std::uint8_t code : {std::uint8_t{0x7f}, std::uint8_t{0xff}}) {
      Packed made({"fp8", 1, 2, 64, {64}, {}, {}});
      std::vector<std::uint32_t> flags;
      made.run(flags, {64});
      EXPECT_EQ(flags[0], 0u);
      made.forge(at, code);
      for (const float value : made.run(flags, {64})) EXPECT_TRUE(std::isfinite(value));
      EXPECT_NE(flags[0], 0u);
      EXPECT_THROW(require_no_attention_flags(made.attention(), flags), CorruptStream);
      std::uint32_t flag = 0;
      for (const float value : made.unpack(0, at < part ? 0 : 1, {0, 64}, &flag)) {
        EXPECT_TRUE(std::isfinite(value));
      }
      EXPECT_NE(flag, 0u);
    }
  }
}

// With factors up to the largest that pages may have all is finite; larger ones are flagged as what they are.
TEST_F(DeviceAttentionTest, FactorsThatAreTooLargeAreFlagged) {
  for (const char* spec : {"fp8", "e8:q=7"}) {
    for (const float factor : {0x1p96f, 0x1.000002p96f, 0x1p117f, 0x1p120f}) {
      for (const std::size_t side : {0, 1}) {
        Packed made({spec, 1, 2, 64, {64}, {}, {}});
        const std::size_t part = made.attention().slot_bytes() / (2 * made.heads());
        std::uint8_t bytes[4];
        std::memcpy(bytes, &factor, 4);
        for (std::size_t i = 0; i < 4 * 64; ++i) {  // at the end of a part of 64 coordinates
          made.forge((side + 1) * part - 4 * 64 + i, bytes[i % 4]);
        }
        std::vector<std::uint32_t> flags;
        for (const float value : made.run(flags, {64})) EXPECT_TRUE(std::isfinite(value));
        EXPECT_EQ(flags[0] != 0, factor > 0x1p96f) << spec << ", " << factor;
        std::uint32_t flag = 0;
        for (const float value : made.unpack(0, side, {0, 64}, &flag)) {
          EXPECT_TRUE(std::isfinite(value));
        }
        EXPECT_EQ(flag != 0, factor > 0x1p96f) << spec << ", " << factor;
        if (flags[0] == 0) continue;
        try {
          require_no_attention_flags(made.attention(), flags);
          ADD_FAILURE() << spec << ", " << factor;
        } catch (const CorruptStream& error) {
          EXPECT_NE(std::string_view(error.what()).find("a factor that is"), std::string_view::npos)
              << error.what();
        }
      }
    }
  }
}

TEST_F(DeviceAttentionTest, RefusesWhatHasNoPages) {
  const KvShape good{1, 2, 8, 128};
  EXPECT_NEAR(DeviceAttention("e8:q=7", good).bits_per_value(), 4.25, 1e-12);
  EXPECT_NEAR(DeviceAttention("fp8", good).bits_per_value(), 8.5, 1e-12);
  for (const char* spec :
       {"e8:q=8", "tq:b=5", "d4:q=38", "fp8:block=32", "kivi:b=4", "klt:bits=3"}) {
    EXPECT_ANY_THROW(DeviceAttention(spec, good)) << spec;
  }
  EXPECT_THROW(DeviceAttention("e8:q=7", KvShape{1, 2, 3, 128}), InputError);
  EXPECT_THROW(DeviceAttention("e8:q=7", KvShape{1, 2, 8, 512}), InputError);
}

}  // namespace
}  // namespace kakeya
