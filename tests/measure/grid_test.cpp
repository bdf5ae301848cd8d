// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/grid.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "support/made_cache.h"

namespace kakeya {
namespace {

TEST(Grid, IdentityComesFirstAndDoublesAreLeftOut) {
  EXPECT_EQ(expand_grid({.both = {"e8:q=10", "identity", "e8:q=10"}, .keys = {}, .values = {}}),
            (std::vector<CodecPair>{{"identity", "identity"}, {"e8:q=10", "e8:q=10"}}));
}

TEST(Grid, KeysAndValuesMakeEveryPair) {
  EXPECT_EQ(expand_grid({.both = {"fp8"}, .keys = {"e8:q={10,38}"}, .values = {"tq:b=4", "fp8"}}),
            (std::vector<CodecPair>{{"identity", "identity"},
                                    {"fp8", "fp8"},
                                    {"e8:q=10", "tq:b=4"},
                                    {"e8:q=10", "fp8"},
                                    {"e8:q=38", "tq:b=4"},
                                    {"e8:q=38", "fp8"}}));
  EXPECT_EQ(expand_grid({.both = {}, .keys = {"fp8"}, .values = {}}),
            (std::vector<CodecPair>{{"identity", "identity"}, {"fp8", "identity"}}));
  EXPECT_EQ(expand_grid({.both = {}, .keys = {}, .values = {"fp8"}}),
            (std::vector<CodecPair>{{"identity", "identity"}, {"identity", "fp8"}}));
}

TEST(Grid, WrongSpecsAreRefusedBeforeAnyWork) {
  for (const char* wrong : {"nosuch", "e8:qq=10", "e8:q=0", "tq:b=abc", "", "e8:q={10,0}"}) {
    EXPECT_THROW(expand_grid({.both = {wrong}, .keys = {}, .values = {}}), SpecError) << wrong;
    EXPECT_THROW(expand_grid({.both = {}, .keys = {}, .values = {wrong}}), SpecError) << wrong;
  }
  EXPECT_THROW(expand_grid({}), SpecError);
}

TEST(Grid, AWrongSpecOfAPatternIsNamedWithThePattern) {
  const auto refusal = [](const std::string& pattern) -> std::string {
    try {
      expand_grid({.both = {pattern}, .keys = {}, .values = {}});
    } catch (const SpecError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal("e8:q=4..2000"), "e8:q=4..2000: e8:q=1024: " + refusal("e8:q=1024"));
  EXPECT_EQ(refusal("e8:q={10,0}"), "e8:q={10,0}: e8:q=0: " + refusal("e8:q=0"));
  EXPECT_NE(refusal("e8:q=1024"), "taken");
  EXPECT_EQ(refusal("e8:q=0").find("e8:q=0: e8:q=0"), std::string::npos);  // once is enough
}

TEST(Grid, CodecsAreBuiltForTheModelAndNamedCanonically) {
  const std::vector<GridCell> cells = build_grid(
      expand_grid(
          {.both = {"e8:q=10", "e8:rule=bounded,q=10", "tq:b=4"}, .keys = {}, .values = {}}),
      {{.head_dim = 64}});
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_TRUE(cells[0].is_identity());
  EXPECT_EQ(cells[1].specs, (CodecPair{"e8:q=10", "e8:q=10"}));
  EXPECT_EQ(cells[2].specs.keys, "tq:b=4");
  for (const GridCell& cell : cells) {
    EXPECT_TRUE(cell.failure.empty());
    EXPECT_EQ(cell.keys->at(0, 0).dim(), 64u);
    EXPECT_EQ(cell.values->spec(), cell.specs.values);
  }
}

// One name, two codecs: what kivi writes of keys is no frame of values.
TEST(Grid, CodecsOfAHeadKnowKeysFromValues) {
  const std::vector<GridCell> cells = build_grid({{"kivi:b=2,group=32", "kivi:b=2"}},
                                                 {{.layers = 2, .kv_heads = 3, .head_dim = 64}});
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].specs, (CodecPair{"kivi:b=2", "kivi:b=2"}));
  const Codec &keys = cells[0].keys->at(1, 2), &values = cells[0].values->at(1, 2);
  std::vector<float> x(32 * 64, 1.0f);
  std::vector<std::byte> frame(keys.encoded_bound(32));
  frame.resize(keys.encode(dense_rows<const float>(x.data(), 32, 64), frame));
  EXPECT_NO_THROW(keys.decode(frame, dense_rows(x.data(), 32, 64)));
  EXPECT_THROW(values.decode(frame, dense_rows(x.data(), 32, 64)), CorruptStream);
}

TEST(Grid, ADimThatACodecCannotTakeIsKeptAsAFailure) {
  const std::vector<GridCell> cells =
      build_grid({{"identity", "identity"}, {"identity", "e8:q=10"}}, {{.head_dim = 48}});
  ASSERT_EQ(cells.size(), 2u);
  EXPECT_EQ(cells[1].specs.values, "e8:q=10");
  EXPECT_FALSE(cells[1].values);
  EXPECT_NE(cells[1].failure.find("48"), std::string::npos) << cells[1].failure;
}

TEST(Grid, CodecsOfWholeTokensAreOneForKeysAndValues) {
  const test::OneProfile source(test::made_profile(8, 6));
  const CacheInput input = testing::input_of(source, 1);
  const std::string spec = "klt:bits=3,scope=layer,predict=1",
                    whole = spec + ",profile=cccccccccccccccc";
  const std::vector<GridCell> cells = build_grid(
      expand_grid({{spec, "klt:predict=1,scope=layer,bits=3.0", "klt:bits=3"}, {}, {}}), input);
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[1].specs, (CodecPair{whole, whole}));
  ASSERT_TRUE(cells[1].tokens);
  EXPECT_FALSE(cells[1].keys || cells[1].values);
  ASSERT_EQ(cells[1].tokens->runs().size(), 1u);
  EXPECT_EQ(cells[1].tokens->runs()[0].layers, (LayerRange{1, 4}));
  EXPECT_FALSE(cells[2].tokens);
  EXPECT_EQ(cells[0].profile_bytes(), 0u);
  EXPECT_GT(cells[1].profile_bytes(), cells[2].profile_bytes());

  const auto refusal = [&](const GridRequest& request) -> std::string {
    try {
      build_grid(expand_grid(request), input);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "taken";
  };
  for (const GridRequest& request :
       {GridRequest{{}, {spec}, {}}, GridRequest{{}, {}, {spec}},
        GridRequest{{}, {spec}, {"klt:bits=3"}}, GridRequest{{}, {"e8:q=10"}, {spec}},
        GridRequest{{}, {spec}, {"klt:bits=2,scope=layer"}}}) {
    const std::string why = refusal(request);
    EXPECT_NE(why.find("expected it as one codec of both"), std::string::npos) << why;
    EXPECT_NE(why.find("scope=layer"), std::string::npos) << why;
  }
  EXPECT_EQ(refusal({{}, {spec}, {spec}}), "taken");
}

TEST(Grid, CodecsOfWholeTokensNeedAProfileOfLayers) {
  const GridRequest request{{"klt:bits=3,scope=layer"}, {}, {}};
  CacheInput input{{.layers = 6, .kv_heads = 2, .head_dim = 8}, 1, nullptr};
  EXPECT_THROW(build_grid(expand_grid(request), input), InputError);
  Profile bare = test::made_profile(8, 6);
  bare.layer_transforms.clear();
  const test::OneProfile source(std::move(bare));
  input.profiles = &source;
  EXPECT_THROW(build_grid(expand_grid(request), input), InputError);
}

}  // namespace
}  // namespace kakeya
