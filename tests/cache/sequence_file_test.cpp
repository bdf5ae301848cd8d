// SPDX-License-Identifier: Apache-2.0
// A sequence of a live cache to a file and back.
#include "kakeya/cache/sequence_file.h"

#include <gtest/gtest.h>

#include "cache/packed_model.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace packed_test;

class Sequences : public PackedCaches {
 protected:
  // The same rows for both.
  void append_both(PackedCache& a, int of_a, PackedCache& b, int of_b, std::size_t tokens) {
    for (int layer = 0; layer < kLayers; ++layer) {
      const Held keys = drawn(seed_, tokens), values = drawn(seed_, tokens);
      Model unused;
      append(a, of_a, layer, unused, keys, values);
      append(b, of_b, layer, unused, keys, values);
    }
  }
  void append_to(PackedCache& cache, int sequence, std::size_t tokens) {
    for (int layer = 0; layer < kLayers; ++layer) {
      Model unused;
      append(cache, sequence, layer, unused, drawn(seed_, tokens), drawn(seed_, tokens));
    }
  }
  // False where a sliding window has dropped what it would need again.
  static bool cut_to(PackedCache& cache, int sequence, std::size_t tokens) {
    try {
      cache.truncate(sequence, tokens);
    } catch (const InputError&) {
      EXPECT_FALSE(GetParam().windows.empty());
      return false;
    }
    return true;
  }
  static void expect_same(const PackedCache& a, int of_a, const PackedCache& b, int of_b) {
    ASSERT_EQ(saved(a, of_a), saved(b, of_b));
    for (int layer = 0; layer < kLayers; ++layer) {
      const std::size_t tokens = a.tokens(of_a, layer), first = a.first_token(of_a, layer);
      ASSERT_EQ(b.tokens(of_b, layer), tokens);
      ASSERT_EQ(b.first_token(of_b, layer), first);
      for (const Part part : {Part::key, Part::value}) {
        const KvSite site{layer, part};
        ASSERT_EQ(b.sealed_tokens(of_b, site), a.sealed_tokens(of_a, site));
        ASSERT_EQ(read(a, of_a, site, {first, tokens - first}),
                  read(b, of_b, site, {first, tokens - first}));
      }
    }
  }
  std::uint64_t seed_ = 31;
};

TEST_P(Sequences, ComeBackAndGoOnAsTheyWere) {
  for (const std::size_t tokens : {0u, 1u, 3u, 4u, 30u, 90u, 151u, 152u, 333u, 700u}) {
    PackedCache cache = make();
    const int sequence = cache.add_sequence();
    if (tokens > 0) append_to(cache, sequence, tokens);
    PackedCache other = make();
    other.add_sequence();  // which has number 0
    const int back = restore_sequence(other, saved(cache, sequence), made_facts());
    EXPECT_NE(back, 0);
    expect_same(cache, sequence, other, back);
    other.drop(0);
    const LiveBytes was = cache.live_bytes(), is = other.live_bytes();
    if (GetParam().windows.empty()) {  // pages that were dropped take less
      EXPECT_EQ(is.pages, was.pages);
    }
    EXPECT_EQ(is.sinks, was.sinks);
    EXPECT_EQ(is.bf16, was.bf16);
    EXPECT_LE(is.total(), was.total()) << tokens << " tokens";
    for (const std::size_t more : {1u, 40u, 1u, 130u, 300u}) {
      append_both(cache, sequence, other, back, more);
      expect_same(cache, sequence, other, back);
      if (HasFatalFailure()) FAIL() << tokens << " tokens and " << more << " more";
    }
  }
}

// The open end has decoded values, and more of them than the residual window.
TEST_P(Sequences, ThatWereCutGoOnAsTheyWere) {
  for (const std::size_t cut : {2u, 9u, 70u, 200u, 450u}) {
    PackedCache cache = make(), other = make();
    const int sequence = cache.add_sequence();
    append_to(cache, sequence, 460);
    if (!cut_to(cache, sequence, 460 - cut)) continue;
    const int back = restore_sequence(other, saved(cache, sequence), made_facts());
    expect_same(cache, sequence, other, back);
    append_both(cache, sequence, other, back, 100);
    EXPECT_EQ(cut_to(cache, sequence, 560 - cut - 5), cut_to(other, back, 560 - cut - 5));
    expect_same(cache, sequence, other, back);
    append_both(cache, sequence, other, back, 400);
    expect_same(cache, sequence, other, back);
    if (HasFatalFailure()) FAIL() << cut << " cut";
  }
}

TEST_P(Sequences, SayWhatTheyAre) {
  PackedCache cache = make();
  const int sequence = cache.add_sequence();
  append_to(cache, sequence, 77);
  const auto file = saved(cache, sequence);
  EXPECT_TRUE(is_sequence_file(file));
  EXPECT_FALSE(is_cache_file(file));
  const SequenceHead head = read_sequence_head(file);
  EXPECT_EQ(head.facts.origin, made_facts().origin);
  EXPECT_EQ(head.facts.codecs, codecs_.canonical());
  EXPECT_EQ(head.facts.extent, (CacheExtent{cache.shape(), 77, cache.policy()}));
  EXPECT_EQ(head.facts.tap, TapPoint::post_rope);
  ASSERT_EQ(head.token_ids.size(), 77u);
  EXPECT_EQ(head.token_ids[75], 75 * 75 % 5003);
  EXPECT_EQ(head.windows,
            GetParam().windows.empty() ? std::vector<std::size_t>(kLayers) : GetParam().windows);
}

INSTANTIATE_TEST_SUITE_P(Settings, Sequences, ::testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

}  // namespace
}  // namespace kakeya
