// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/codec_cost.h"

#include <gtest/gtest.h>

#include <vector>

#include "kakeya/codec/codec.h"
#include "kakeya/codec/plain_page.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

/// Bytes of a real frame of `count` vectors.
std::size_t frame_of(const std::string& spec, std::size_t count, std::size_t dim, Part part) {
  const auto codec = make_codec(spec, {.dim = dim, .site = KvSite{0, part, 0}});
  std::vector<float> values(count * dim);
  const Random random(99);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(5 * random.uniform(i) - 1);
  }
  std::vector<std::byte> frame(codec->encoded_bound(count));
  return codec->encode(dense_rows<const float>(values.data(), count, dim), frame);
}

TEST(CodecCost, IsWhatARealFrameTakes) {
  for (const char* spec :
       {"identity", "fp8", "q8_0", "q4_0", "q5_1", "iq4_nl", "kivi:b=4", "kivi:b=2", "e8:q=10",
        "e8:q=38,rule=published", "d4:q=10", "tq:b=4", "int8", "int4", "nvfp4", "mxfp4"}) {
    for (const std::size_t dim : {64u, 128u, 512u}) {
      for (const Part part : {Part::key, Part::value}) {
        const CodecCost cost = codec_cost(spec, dim, part);
        EXPECT_FALSE(cost.nominal) << spec;
        EXPECT_EQ(cost.spec, spec);
        EXPECT_EQ(cost.profile_bytes, 0) << spec;
        const std::size_t count = 5 * (cost.page > 0 ? cost.page : 100);
        EXPECT_NEAR(cost.frame_bytes + static_cast<double>(count) * cost.vector_bytes,
                    static_cast<double>(frame_of(spec, count, dim, part)), 1e-6)
            << spec << " " << dim;
      }
    }
  }
}

TEST(CodecCost, OfOursIsOfPagesAsACacheHasThem) {
  for (const char* spec : {"e8:q=10", "d4:q=38", "tq:b=4"}) {
    EXPECT_FALSE(stored_alone(spec));
    const CodecCost cost = codec_cost(spec, 64, Part::key);
    EXPECT_EQ(cost.page, kPlainPage) << spec;
    EXPECT_TRUE(cost.frame_a_page) << spec;
    const CodecCost alone = codec_cost(spec, 64, Part::key, PlainVectors::alone);
    EXPECT_EQ(alone.page, 0u) << spec;
    EXPECT_EQ(alone.vector_bytes, cost.vector_bytes) << spec;
    EXPECT_EQ(alone.frame_bytes, cost.frame_bytes) << spec;
    EXPECT_GT(alone.frame_bytes, 0) << spec;
  }
  for (const char* spec : {"identity", "fp8:scale=e8m0", "q8_0", "int4", "nvfp4"}) {
    EXPECT_TRUE(stored_alone(spec)) << spec;
    EXPECT_EQ(codec_cost(spec, 64, Part::key).page, 0u) << spec;
  }
  // Pages of its own stay as they are.
  EXPECT_FALSE(codec_cost("kivi:b=4", 64, Part::key).frame_a_page);
}

TEST(CodecCost, WithoutHeadersIsTheNominalRate) {
  // As published, (64 / 8) x ceil(8 log2 21) + 32 bits; bounded, a bit a block less; and 4 bits with
  // 16 a block of 32.
  EXPECT_EQ(codec_cost("e8:q=10,rule=published", 64, Part::key).vector_bytes, (8 * 36 + 32) / 8);
  EXPECT_EQ(codec_cost("e8:q=10", 64, Part::key).vector_bytes, (8 * 35 + 32) / 8);
  EXPECT_EQ(codec_cost("q4_0", 128, Part::key).vector_bytes, 128 * 4.5 / 8);
  EXPECT_EQ(codec_cost("identity", 128, Part::key).vector_bytes, 256);
}

TEST(CodecCost, OfARateThatIsPromisedIsNominal) {
  const CodecCost ece8 = codec_cost("ece8:bits=4", 128, Part::key);
  EXPECT_TRUE(ece8.nominal);
  EXPECT_EQ(ece8.vector_bytes, 64);
  EXPECT_GT(ece8.page, 0u);
  const CodecCost klt = codec_cost("klt:bits=3,page=512", 128, Part::value);
  EXPECT_TRUE(klt.nominal);
  EXPECT_EQ(klt.vector_bytes, 48);
  EXPECT_EQ(klt.frame_bytes, 0);
  EXPECT_EQ(klt.page, 512u);
  EXPECT_EQ(klt.spec, "klt:bits=3,page=512");
  const CodecCost layers = codec_cost("klt:bits=2.5,scope=layer", 128, Part::value);
  EXPECT_EQ(layers.vector_bytes, 40);
  EXPECT_EQ(layers.page, 64u);
}

TEST(CodecCost, OfPagesOfABudgetIsCounted) {
  for (const char* spec :
       {"klt:bits=4,page=128,pages=fixed,budget=4096", "ece8:bits=6,page=128,budget=4096"}) {
    const CodecCost cost = codec_cost(spec, 64, Part::key);
    EXPECT_FALSE(cost.nominal) << spec;
    EXPECT_EQ(cost.vector_bytes, 32) << spec;
    EXPECT_GT(cost.frame_bytes, 32) << spec;
  }
}

TEST(CodecCost, CountsTheProfileOfSingleHeads) {
  // As a calibrated profile of the same dims does.
  const Profile profile = test::made_profile(64);
  const test::OneProfile shelf(profile);
  const auto codec =
      make_codec("klt:bits=3", {.dim = 64, .profiles = &shelf, .site = KvSite{0, Part::key, 0}});
  const CodecCost cost = codec_cost("klt:bits=3", 64, Part::key);
  EXPECT_EQ(cost.profile_bytes, static_cast<double>(codec->account().profile_bytes()));
  EXPECT_GT(cost.profile_bytes, 2 * 64 * 64);
  EXPECT_FALSE(profile_unknown("klt:bits=3"));
  EXPECT_TRUE(profile_unknown("klt:bits=3,scope=layer"));
  EXPECT_TRUE(profile_unknown("kvtc:bits=2"));
  EXPECT_FALSE(profile_unknown("e8:q=10"));
}

TEST(CodecCost, RefusesACodecOfWholeCaches) {
  EXPECT_THROW(codec_cost("klt:bits=2,scope=layer,adapt=1000", 64, Part::key), SpecError);
  EXPECT_THROW(codec_cost("klt:bits=2,adapt=1000", 64, Part::key), SpecError);
  EXPECT_NO_THROW(codec_cost("klt:bits=2,scope=layer", 64, Part::key));
}

TEST(CodecCost, RefusesBytesThatDependOnValues) {
  try {
    codec_cost("e8:q=10,pack=rans", 64, Part::key);
    FAIL();
  } catch (const SpecError& error) {
    EXPECT_NE(std::string(error.what()).find("its bytes depend on what it codes"),
              std::string::npos);
  }
  EXPECT_THROW(codec_cost("nosuch", 64, Part::key), SpecError);
  EXPECT_THROW(codec_cost("klt", 64, Part::key), SpecError);
  EXPECT_THROW(codec_cost("klt:scope=layer", 64, Part::key), SpecError);
  EXPECT_THROW(codec_cost("e8:q=10", 96, Part::key), InputError);
}

}  // namespace
}  // namespace kakeya
