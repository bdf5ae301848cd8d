// SPDX-License-Identifier: Apache-2.0
#include "kakeya/capacity/cache_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/core/error.h"
#include "made_config.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::decoder_of;
using testing::small_config;

CachePolicy policy_of(int layers, int skipped = 0, int sinks = 0, int residual = 0) {
  return {.layers = layers, .skipped_layers = skipped, .sinks = sinks, .residual_window = residual};
}

TEST(CacheBytes, OfBf16AreTheTextbooks) {
  // 4 layers x 2 parts x 2 heads x 64 x 2 bytes a token, and no header worth the name.
  const Decoder decoder = decoder_of(small_config());
  const CodecOfCache codec("q4_0", decoder);
  const CacheBytes bytes = codec.bytes(decoder, 1000, policy_of(4), OpenPage::mean);
  EXPECT_EQ(bytes.bf16, 1000.0 * 4 * 2 * 2 * 64 * 2);
  const CodecCost cost = codec_cost("q4_0", 64, Part::key);
  EXPECT_DOUBLE_EQ(bytes.coded, 16 * (cost.frame_bytes + 1000 * cost.vector_bytes));
  EXPECT_EQ(bytes.open, 0);
  EXPECT_EQ(bytes.exact, 0);
  EXPECT_FALSE(bytes.nominal);
  EXPECT_DOUBLE_EQ(bytes.ratio(), bytes.bf16 / bytes.coded);
}

TEST(CacheBytes, OfALaneByHand) {
  // 1000 tokens, 4 sinks, 50 recent ones, pages of 128: 946 between them are 7 pages and 50 open.
  const Decoder decoder = decoder_of(small_config(1));
  const CodecOfCache codec("klt:bits=3,page=128", decoder);
  const CacheBytes bytes = codec.bytes(decoder, 1000, policy_of(1, 0, 4, 50), OpenPage::exact);
  const double vectors = 2 * 2;  // parts and heads
  EXPECT_DOUBLE_EQ(bytes.exact, vectors * 54 * 128);
  EXPECT_DOUBLE_EQ(bytes.open, vectors * 50 * 128);
  EXPECT_DOUBLE_EQ(bytes.coded, vectors * 896 * 24);
  EXPECT_EQ(bytes.stale, 0);
  EXPECT_TRUE(bytes.nominal);
  // On the mean over lengths (128 - 1) / 2 tokens wait.
  const CacheBytes mean = codec.bytes(decoder, 1000, policy_of(1, 0, 4, 50), OpenPage::mean);
  EXPECT_DOUBLE_EQ(mean.open, vectors * 63.5 * 128);
  EXPECT_DOUBLE_EQ(mean.coded, vectors * (946 - 63.5) * 24);
}

TEST(CacheBytes, MeanIsTheMeanOfExactOnes) {
  const Decoder decoder = decoder_of(small_config(1));
  const CodecOfCache codec("klt:bits=3,page=128", decoder);
  double open = 0;
  for (std::size_t tokens = 2000; tokens < 2128; ++tokens) {
    open += codec.bytes(decoder, tokens, policy_of(1), OpenPage::exact).open / 128;
  }
  EXPECT_DOUBLE_EQ(codec.bytes(decoder, 2000, policy_of(1), OpenPage::mean).open, open);
}

TEST(CacheBytes, OfAWindowCountThePageThatItHasHalfLeft) {
  // Of 1000 tokens the last 256 are seen: from 744 on, which lies 104 behind the page at 640.
  const Decoder decoder = decoder_of(
      small_config(1, R"(, "layer_types": ["sliding_attention"], "sliding_window": 256)"));
  const CodecOfCache codec("klt:bits=3,page=128", decoder);
  const CacheBytes bytes = codec.bytes(decoder, 1000, policy_of(1), OpenPage::exact);
  EXPECT_DOUBLE_EQ(bytes.bf16, 4 * 256 * 128.0);
  EXPECT_DOUBLE_EQ(bytes.open, 4 * 104 * 128.0);  // 1000 = 7 x 128 + 104
  EXPECT_DOUBLE_EQ(bytes.coded, 4 * 152 * 24.0);  // 896 - 744
  EXPECT_DOUBLE_EQ(bytes.stale, 4 * 104 * 24.0);  // 744 - 640
  // Sinks have left the window, as has whatever a page would have held of them.
  const CacheBytes sinks = codec.bytes(decoder, 1000, policy_of(1, 0, 4, 0), OpenPage::exact);
  EXPECT_EQ(sinks.exact, 0);
}

TEST(CacheBytes, AWindowDoesNotTrimWhatWaits) {
  const auto windowed = [](std::size_t window) {
    return decoder_of(small_config(
        1,
        R"(, "layer_types": ["sliding_attention"], "sliding_window": )" + std::to_string(window)));
  };
  // 1000 tokens wait for a page of 1024, of which a window of 256 sees a quarter.
  const Decoder decoder = windowed(256);
  const CodecOfCache codec("klt:bits=3,page=1024", decoder);
  const CacheBytes waiting = codec.bytes(decoder, 1000, policy_of(1), OpenPage::exact);
  EXPECT_DOUBLE_EQ(waiting.open, 4 * 1000 * 128.0);
  EXPECT_DOUBLE_EQ(waiting.bf16, 4 * 256 * 128.0);
  EXPECT_EQ(waiting.stale, 0);
  // Of 1024 + 100 the page is held whole; of 1024 + 300 it has left the window.
  const CacheBytes kept = codec.bytes(decoder, 1124, policy_of(1), OpenPage::exact);
  EXPECT_DOUBLE_EQ(kept.coded + kept.stale, 4 * 1024 * 24.0);
  EXPECT_DOUBLE_EQ(kept.open, 4 * 100 * 128.0);
  const CacheBytes gone = codec.bytes(decoder, 1324, policy_of(1), OpenPage::exact);
  EXPECT_EQ(gone.coded + gone.stale, 0);
  EXPECT_DOUBLE_EQ(gone.open, 4 * 300 * 128.0);
  // A page and its tail, token by token: what a cache of pages was simulated to hold.
  for (const auto& [window, ratio] : {std::pair(512, 0.843), {128, 0.239}, {4096, 3.202}}) {
    const Decoder of = windowed(static_cast<std::size_t>(window));
    const CacheBytes mean =
        CodecOfCache("klt:bits=3,page=1024", of).bytes(of, 131072, policy_of(1), OpenPage::mean);
    EXPECT_NEAR(mean.ratio(), ratio, 0.0015) << window;
  }
  // The residual window is not trimmed either.
  const CacheBytes recent = codec.bytes(decoder, 1324, policy_of(1, 0, 0, 300), OpenPage::exact);
  EXPECT_DOUBLE_EQ(recent.exact, 4 * 300 * 128.0);
  EXPECT_EQ(recent.open, 0);
}

TEST(CacheBytes, OfALiveCacheOfTheSameTokens) {
  // e8 has no pages: the library's cache gives it one of 128, each a frame.
  constexpr std::size_t kDim = 64;
  const KvShape shape{.layers = 2, .kv_heads = 2, .query_heads = 2, .head_dim = kDim};
  const CachePolicy policy = policy_of(2, 0, 4, 10);
  // The next query sees itself and 200 before it, which are those that a length of the config counts.
  const std::size_t window = 201;
  PackedCache cache(shape, policy,
                    make_cache_codecs({"e8:q=10", "e8:q=10"}, CacheInput(shape, policy)),
                    {window, 0});
  const Decoder decoder = decoder_of(small_config(
      2, R"(, "layer_types": ["sliding_attention", "full_attention"], "sliding_window": 200)"));
  const CodecOfCache codec("e8:q=10", decoder);
  const CodecCost cost = codec_cost("e8:q=10", kDim, Part::key);
  ASSERT_EQ(cost.page, cache.page_tokens({0, Part::key}));
  ASSERT_TRUE(cost.frame_a_page);
  const int sequence = cache.add_sequence();
  const std::vector<float> row(2 * kDim, 0.5f);
  const auto rows = dense_rows<const float>(row.data(), 1, row.size());
  for (std::size_t tokens = 1; tokens <= 700; ++tokens) {
    for (const int layer : {0, 1}) {
      cache.append(sequence, layer, rows, rows);
      const CacheBytes bytes = codec.bytes(decoder.streams[static_cast<std::size_t>(layer)], tokens,
                                           policy, OpenPage::exact);
      const std::size_t sealed = cache.sealed_tokens(sequence, {layer, Part::key});
      const std::size_t first = cache.first_token(sequence, layer);
      const std::size_t sinks = first == 0 ? std::min<std::size_t>(tokens, 4) : 0;
      const std::size_t tail = tokens - std::min<std::size_t>(tokens, 4) - sealed;
      const double vectors = 2 * 2, plain = 2 * kDim;
      EXPECT_DOUBLE_EQ(bytes.open + bytes.exact,
                       vectors * plain * static_cast<double>(sinks + tail))
          << tokens;
      // The first sealed token that is there: behind the sinks, or where dropped pages end.
      const double held = static_cast<double>(sealed - (first > 4 ? first - 4 : 0));
      EXPECT_NEAR(bytes.coded + bytes.stale,
                  vectors * (held * cost.vector_bytes + held / 128 * cost.frame_bytes), 1e-6)
          << tokens;
    }
  }
}

TEST(CacheBytes, TokensThatFillNoPageAllWait) {
  const Decoder decoder = decoder_of(small_config(1));
  const CodecOfCache codec("klt:bits=3,page=1024", decoder);
  for (const std::size_t tokens : {1u, 512u, 1023u}) {
    EXPECT_EQ(codec.bytes(decoder, tokens, policy_of(1), OpenPage::mean).ratio(), 1.0) << tokens;
  }
  EXPECT_GT(codec.bytes(decoder, 1024, policy_of(1), OpenPage::mean).ratio(), 1.0);
  // Sinks and the residual window fill none.
  EXPECT_EQ(codec.bytes(decoder, 1083, policy_of(1, 0, 20, 40), OpenPage::mean).ratio(), 1.0);
  EXPECT_EQ(codec.first_full_pages(decoder, policy_of(1, 0, 20, 40)),
            (std::vector<std::size_t>{1084}));
}

TEST(CacheBytes, ShortSequencesAreExact) {
  const Decoder decoder = decoder_of(small_config(2));
  const CodecOfCache codec("klt:bits=3,page=128", decoder);
  for (const OpenPage open : {OpenPage::mean, OpenPage::exact}) {
    const CacheBytes bytes = codec.bytes(decoder, 10, policy_of(2, 0, 4, 64), open);
    EXPECT_DOUBLE_EQ(bytes.exact, bytes.bf16);
    EXPECT_DOUBLE_EQ(bytes.total(), bytes.bf16);
  }
}

TEST(CacheBytes, SkippedLayersStayPlain) {
  const Decoder decoder = decoder_of(small_config(4));
  const CodecOfCache codec("e8:q=10", decoder);
  const CacheBytes all = codec.bytes(decoder, 512, policy_of(4), OpenPage::mean);
  const CacheBytes half = codec.bytes(decoder, 512, policy_of(4, 1), OpenPage::mean);
  EXPECT_DOUBLE_EQ(half.exact, half.bf16 / 2);
  EXPECT_DOUBLE_EQ(half.coded, all.coded / 2);
}

TEST(CacheBytes, PooledStreamsCountPooledVectors) {
  const Decoder v4 = testing::shipped_decoder("deepseek-v4-flash");
  const CodecOfCache codec("identity", v4);
  const auto stream = std::find_if(v4.streams.begin(), v4.streams.end(),
                                   [](const CacheStream& each) { return each.ratio == 128; });
  ASSERT_NE(stream, v4.streams.end());
  const CacheBytes bytes = codec.bytes(*stream, 131072, policy_of(43, 0, 4, 300), OpenPage::mean);
  EXPECT_EQ(bytes.bf16, 1024 * 512 * 2);
  EXPECT_EQ(bytes.exact, (1 + 3) * 512 * 2);  // 4 tokens are of one pool, 300 of three
}

TEST(CacheBytes, SharedLayersKeepNothing) {
  const Decoder gemma = testing::shipped_decoder("gemma-4-e4b");
  const CodecOfCache codec("identity", gemma);
  const CacheBytes bytes = codec.bytes(gemma, 131072, policy_of(42), OpenPage::mean);
  // 4 layers x 2 heads x 512 of all tokens, 20 x 2 x 256 of the last 512.
  EXPECT_EQ(bytes.bf16, 4.0 * 2 * 2 * 512 * 2 * 131072 + 20.0 * 2 * 2 * 256 * 2 * 512);
  EXPECT_NEAR(bytes.bf16 / 1073741824.0, 2.02, 0.005);
}

TEST(CacheBytes, ProfilesAreOfTheCodedLayers) {
  const Decoder decoder = decoder_of(small_config(4));
  const CodecOfCache codec("klt:bits=3", decoder);
  const double head = codec_cost("klt:bits=3", 64, Part::key).profile_bytes;
  EXPECT_EQ(codec.profile_bytes(decoder, policy_of(4)), 4 * 2 * 2 * head);
  EXPECT_EQ(codec.profile_bytes(decoder, policy_of(4, 1)), 2 * 2 * 2 * head);
}

TEST(CacheBytes, ACodecThatCannotCodeTheVectorsIsRefused) {
  const Decoder phi = testing::shipped_decoder("phi-3-mini-128k");
  EXPECT_THROW(CodecOfCache("e8:q=10", phi), InputError);
  EXPECT_NO_THROW(CodecOfCache("q8_0", phi));
}

TEST(CacheBytes, AskForTheTokensThatAPolicyKeeps) {
  const std::string expected =
      "the arithmetic of capacity: sinks -1, residual window 0: expected 0 or more tokens";
  const Decoder decoder = decoder_of(small_config());
  EXPECT_EQ(testing::message_of<InputError>([&] { policy_for(decoder, policy_of(4, 0, -1)); }),
            expected);
  const CodecOfCache codec("q4_0", decoder);
  EXPECT_EQ(testing::message_of<InputError>(
                [&] { codec.bytes(decoder, 1000, policy_of(4, 0, -1), OpenPage::mean); }),
            expected);
  EXPECT_EQ(testing::message_of<InputError>(
                [&] { codec.first_full_pages(decoder, policy_of(4, 0, -1)); }),
            expected);
}

}  // namespace
}  // namespace kakeya
