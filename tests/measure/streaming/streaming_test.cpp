// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/streaming/streaming.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/torch_library.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;

constexpr StreamInput kFew{300, 2, 64, 0, 0.3}, kPages{1100, 2, 64, 0, 0.3};
constexpr std::array<std::size_t, 4> kChunks = {1, 3, 7, 64};

// Fixed rates, entropy-coded pages with means of the first page, groups of tokens, whole layers.
TEST(Streaming, BytesAndValuesDoNotDependOnHowTokensCome) {
  for (const char* spec : {"e8:q=10", "fp8", "kivi:b=4", "ece8:bits=3,center=mean", "klt:bits=3",
                           "klt:bits=3,lattice=z,pages=tiles",
                           "klt:bits=2,lattice=tcq,scope=layer,restart=1", "tq:b=4,pack=rans"}) {
    const StreamedCodec streamed = stream_codec(spec, kPages, kChunks);
    EXPECT_EQ(streamed.refused, "") << spec;
    ASSERT_EQ(streamed.ways.size(), kChunks.size());
    EXPECT_GT(streamed.page_tokens, 0u) << spec;
    for (const StreamedWay& way : streamed.ways) {
      EXPECT_TRUE(way.same_bytes) << spec << ", " << way.chunk << " at a time";
      EXPECT_EQ(way.values_differ, 0u) << spec << ", " << way.chunk << " at a time";
    }
  }
}

TEST(Streaming, RefusalsAreTheLibrarys) {
  EXPECT_THROW(stream_codec("e9:q=10", kFew, kChunks), SpecError);
  for (const auto& [spec, why] :
       {std::pair{"kvtc:bits=2", "all layers of a cache together"},
        std::pair{"klt:bits=3,scope=layer,predict=1", "is not coded alone"},
        std::pair{"klt:bits=3,adapt=256", "codes a cache as a whole"},
        std::pair{"klt:bits=3,profile=none", "codes a cache as a whole"}}) {
    const StreamedCodec streamed = stream_codec(spec, kFew, kChunks);
    EXPECT_EQ(streamed.codec, spec);
    EXPECT_NE(streamed.refused.find(why), std::string::npos) << streamed.refused;
    EXPECT_TRUE(streamed.ways.empty()) << spec;
  }
  const std::array<std::size_t, 1> most = {301};
  EXPECT_NE(message_of<InputError>([&] {
              stream_codec("fp8", kFew, most);
            }).find("chunks of 301 tokens, expected 1 to 300"),
            std::string::npos);
}

TEST(Streaming, OursDoNotDependOnTheBatch) {
  const std::array<std::size_t, 3> batches = {1, 4, 300};
  for (const BatchedRoundTrip& one : batched_round_trips("d4:q=10", false, kFew, batches)) {
    EXPECT_EQ(one.values_differ, 0) << one.batch;
    EXPECT_EQ(one.largest_difference, 0) << one.batch;
    EXPECT_EQ(one.rel_mse, one.rel_mse_at_once);
    EXPECT_GT(one.rel_mse, 0);
  }
}

TEST(Streaming, ThePublishedOneIsMeasuredWhereThereIsOne) {
  const std::array<std::size_t, 2> batches = {1, 300};
  EXPECT_THROW(batched_round_trips("kivi:b=4", true, kFew, batches), SpecError);
  if (!has_torch_library()) {
    EXPECT_THROW(batched_round_trips("e8:q=10", true, kFew, batches), InputError);
    return;
  }
  const auto theirs = batched_round_trips("e8:q=10", true, kFew, batches);
  EXPECT_EQ(theirs.back().values_differ, 0);  // all at once, twice
  const auto ours = batched_round_trips("e8:q=10", false, kFew, batches);
  EXPECT_NEAR(theirs.front().rel_mse, ours.front().rel_mse, 0.1 * ours.front().rel_mse);
}

}  // namespace
}  // namespace kakeya
