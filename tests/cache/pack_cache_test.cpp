// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/pack_cache.h"

#include <gtest/gtest.h>

#include <limits>

#include "cache/small_cache.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/packed_cache.h"
#include "kakeya/cache/partition.h"
#include "kakeya/codecs/kvtc/deflate.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/codec_tap.h"
#include "kakeya/measure/token_coder.h"
#include "support/made_kvtc.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using namespace testing;

constexpr Part kParts[] = {Part::key, Part::value};

// What a sweep makes of the small cache, and its record.
struct Swept {
  KvCache cache;
  std::uint64_t bytes = 0;
};

Swept sweep(const CacheCodecs& codecs, const KvCache& clean) {
  WorkerPool pool(2);
  const CacheExtent extent = small_extent();
  Swept swept{clean};
  if (codecs.tokens) {
    TokenCoder coder(*codecs.tokens, extent.policy, pool);
    coder.code(clean, extent.tokens, swept.cache);
    swept.bytes = coder.record().ledger_k.written_bits() / 8;
    return swept;
  }
  PartCoder coder(*codecs.keys, *codecs.values, extent.policy, pool);
  for (int layer = 1; layer + 1 < kLayers; ++layer) {
    for (const Part part : kParts) {
      std::vector<float> values = part_of_cache(clean, {layer, part});
      coder.code({layer, part}, {values.data(), kTokens, kHeads, kDim, 0}, kTokens);
      swept.cache.store({layer, part}, values);
    }
  }
  swept.bytes =
      (coder.record().ledger_k.written_bits() + coder.record().ledger_v.written_bits()) / 8;
  return swept;
}

void expect_equal(const KvCache& a, const KvCache& b, const std::string& what) {
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const Part part : kParts) {
      const auto one = a.patterns({layer, part}), other = b.patterns({layer, part});
      EXPECT_TRUE(std::equal(one.begin(), one.end(), other.begin(), other.end()))
          << what << " " << site_name({layer, part});
    }
  }
}

TEST(PackCache, ComesBackAsASweepDecodesItInAsManyBytes) {
  WorkerPool pool(2);
  for (const CodecPair& specs : kSmallSpecs) {
    const CacheCodecs codecs = small_codecs(specs);
    const Swept swept = sweep(codecs, small_cache());
    const std::vector<std::byte> file = small_file(specs);
    const CacheReader reader(file);
    EXPECT_EQ(reader.facts().codecs, codecs.canonical());
    expect_equal(reader.restore_all(reader.codecs(&small_profile()), pool), swept.cache,
                 specs.keys);
    const CacheBytes bytes = reader.bytes();
    EXPECT_EQ(bytes.written(), swept.bytes) << specs.keys;
    EXPECT_EQ(bytes.exact_tokens, 3u * 2 * 7 * kHeads * kDim * 2);
    EXPECT_EQ(bytes.skipped_layers, 2u * 2 * kTokens * kHeads * kDim * 2);
    EXPECT_EQ(bytes.file(), file.size());
    EXPECT_LT(bytes.container, 4096u);
  }
}

TEST(PackCache, WithoutExactTokensAllIsCoded) {
  WorkerPool pool(1);
  CacheFacts facts = small_facts();
  facts.extent.policy = {kLayers, 0, 0, 0};
  const CacheCodecs codecs =
      make_cache_codecs({"e8:q=10", "e8:q=10"}, input_of(small_profile(), 0));
  const auto file = pack_cache(facts, small_ids(), small_cache(), codecs, pool);
  const CacheReader reader(file);
  EXPECT_EQ(reader.blocks().size(), 2 * kLayers * kHeads);
  EXPECT_EQ(reader.bytes().exact_tokens + reader.bytes().skipped_layers, 0u);
  const KvCache back = reader.restore_all(reader.codecs(nullptr), pool);
  EXPECT_NE(part_of_cache(back, {0, Part::key}), part_of_cache(small_cache(), {0, Part::key}));
}

TEST(PackCache, AsksForTheTokensThatAPolicyKeeps) {
  WorkerPool pool(1);
  CacheFacts facts = small_facts();
  facts.extent.policy.sinks = -1;
  EXPECT_EQ(message_of<InputError>([&] {
              pack_cache(facts, small_ids(), small_cache(), small_codecs(kSmallSpecs[0]), pool);
            }),
            "a cache file: sinks -1, residual window " +
                std::to_string(facts.extent.policy.residual_window) +
                ": expected 0 or more tokens");
}

// The plan is in the file: what each site was coded by, and which layers were skipped.
TEST(PackCache, APlanComesBackWithItsFile) {
  WorkerPool pool(2);
  for (
      const std::string sites :
      {R"("default": {"k": "e8:q=10", "v": "klt:bits=3"}, "sites": [{"layers": "3", "heads": "1", "codec": "kivi:b=4,group=8"}])",
       R"("default": "klt:bits=3,scope=layer,restart=1,page=32", "sites": [{"layers": "1", "codec": "klt:bits=2,scope=layer,restart=1,page=32"}])"}) {
    const std::string text =
        CodecPlan::parse(R"({"kakeya_plan": 1, "name": "p", "skip": "0,2", )" + sites + "}", "p")
            .text();
    const CacheCodecs codecs = small_codecs({text, text});
    CacheFacts facts = small_facts();
    EXPECT_THROW(pack_cache(facts, small_ids(), small_cache(), codecs, pool), InputError);
    facts.extent.policy = codecs.policy_of(facts.extent.policy);
    const auto file = pack_cache(facts, small_ids(), small_cache(), codecs, pool);
    const CacheReader reader(file);
    EXPECT_EQ(reader.facts().extent.policy, facts.extent.policy);
    EXPECT_EQ(reader.facts().extent.policy.all_skipped().text(), "0,2");
    EXPECT_EQ(reader.facts().codecs, codecs.canonical());
    EXPECT_EQ(reader.bytes().skipped_layers, 2u * 2 * kTokens * kHeads * kDim * 2);
    const KvCache back = reader.restore_all(reader.codecs(&small_profile()), pool);
    for (const Part part : kParts) {
      for (const int layer : {0, 2}) {
        EXPECT_EQ(part_of_cache(back, {layer, part}), part_of_cache(small_cache(), {layer, part}));
      }
      EXPECT_NE(part_of_cache(back, {1, part}), part_of_cache(small_cache(), {1, part}));
    }
    // By the codecs of the places.
    const TokenRange coded = facts.extent.policy.exact_ends("a test").coded(kTokens, kTokens);
    for (const FramePlace& place : frames_of_cache(codecs, facts.extent.policy, kHeads, coded)) {
      const Codec& codec = codec_at(codecs, place);
      const std::size_t values = place.tokens.count * codec.dim();
      std::vector<float> x(values), y(values), got(values);
      const auto rows = [&](std::vector<float>& of) {
        return dense_rows(of.data(), place.tokens.count, codec.dim());
      };
      load_vectors(small_cache(), place, rows(x));
      std::vector<std::byte> frame(codec.encoded_bound(place.tokens.count));
      frame.resize(codec.encode(rows(x), frame));
      codec.decode(frame, rows(y));
      round_to_finite_bf16(y);
      load_vectors(back, place, rows(got));
      EXPECT_EQ(got, y) << describe_place(place);
    }
  }
}

// Its segments follow from a cache as a whole: one frame, and none in a cache that grows.
TEST(PackCache, ACodecThatLearnsCodesOneFrame) {
  const std::string spec = "klt:bits=3,scope=layer,restart=1,adapt=50,page=32";
  const CacheCodecs codecs = small_codecs({spec, spec});
  const CacheExtent extent = small_extent();
  const TokenRange coded = extent.policy.exact_ends("a test").coded(kTokens, kTokens);
  const auto frames = frames_of_cache(codecs, extent.policy, kHeads, coded);
  ASSERT_EQ(frames.size(), std::size_t{kLayers - 2});
  for (const FramePlace& place : frames) EXPECT_EQ(place.tokens, coded);
  EXPECT_THROW(PackedCache(extent.shape, extent.policy, codecs), InputError);
}

TEST(PackCache, HeadsThatLearnAreOneFrameEach) {
  const CacheCodecs codecs = small_codecs({"klt:bits=3", "klt:bits=3,adapt=50,page=32"});
  const CacheExtent extent = small_extent();
  const TokenRange coded = extent.policy.exact_ends("a test").coded(kTokens, kTokens);
  for (const FramePlace& place : frames_of_cache(codecs, extent.policy, kHeads, coded)) {
    EXPECT_EQ(place.tokens, coded);
  }
  try {
    PackedCache(extent.shape, extent.policy, codecs);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("adapt=50"), std::string::npos) << error.what();
  }
}

// Another codec of whole tokens, whose layers all go together.
TEST(PackCache, KvtcComesBackAsASweepDecodesIt) {
  if (!has_deflate()) GTEST_SKIP() << "a build without DEFLATE";
  WorkerPool pool(2);
  const test::OneProfile source(test::made_profile(kDim, 4), test::made_kvtc_profile(kDim, 4, 2));
  const KvCache cache = made_cache(source.profile(), kTokens, 2);
  CacheFacts facts = small_facts();
  facts.extent.shape.layers = 4;
  facts.extent.policy = {4, 0, 3, 4};
  const CacheCodecs codecs =
      make_cache_codecs({"kvtc:bits=2,page=16", "kvtc:bits=2,page=16"}, input_of(source, 0));
  const auto file = pack_cache(facts, small_ids(), cache, codecs, pool);
  const CacheReader reader(file);
  TokenCoder coder(*codecs.tokens, facts.extent.policy, pool);
  KvCache decoded = cache;
  coder.code(cache, kTokens, decoded);
  EXPECT_EQ(8 * reader.bytes().written(), coder.record().ledger_k.written_bits());
  const KvCache back = reader.restore_all(reader.codecs(&source), pool);
  for (int layer = 0; layer < 4; ++layer) {
    for (const Part part : kParts) {
      EXPECT_EQ(part_of_cache(back, {layer, part}), part_of_cache(decoded, {layer, part}));
      EXPECT_NE(part_of_cache(back, {layer, part}), part_of_cache(cache, {layer, part}));
    }
  }
}

TEST(PackCache, FactsAndTokenIdsComeBack) {
  const auto file = small_file(kSmallSpecs[1]);
  const CacheReader reader(file);
  const CacheFacts &facts = reader.facts(), expected = small_facts();
  EXPECT_EQ(reader.token_ids(), small_ids());
  EXPECT_EQ(facts.extent, expected.extent);
  EXPECT_EQ(facts.tap, TapPoint::post_rope);
  EXPECT_EQ(facts.origin.model.name, expected.origin.model.name);
  EXPECT_EQ(facts.origin.model.sha256, expected.origin.model.sha256);
  EXPECT_EQ(facts.origin.architecture, expected.origin.architecture);
  EXPECT_EQ(facts.origin.tokenizer.name, expected.origin.tokenizer.name);
  EXPECT_EQ(facts.origin.tokenizer.sha256, expected.origin.tokenizer.sha256);
  EXPECT_EQ(facts.origin.text.name, expected.origin.text.name);
  EXPECT_EQ(facts.origin.text.sha256, expected.origin.text.sha256);
  EXPECT_EQ(facts.passage, expected.passage);
  EXPECT_EQ(facts.rope_layout, expected.rope_layout);
  EXPECT_EQ(facts.rope_base, expected.rope_base);
  EXPECT_EQ(facts.seed, expected.seed);
}

// What a codec gives back may lie beyond the largest value, which it was given.
TEST(PackCache, TheLargestValuesStayFinite) {
  WorkerPool pool(1);
  KvCache largest = small_cache();
  for (int layer = 0; layer < kLayers; ++layer) {
    for (const Part part : kParts) {
      const auto values = largest.writable_patterns({layer, part});
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i % 7 == 3 ? 0x3f80 : i % 3 == 0 ? 0xff7f : 0x7f7f;
      }
    }
  }
  for (const CodecPair& specs : kSmallSpecs) {
    const CacheCodecs codecs = small_codecs(specs);
    const auto file = pack_cache(small_facts(), small_ids(), largest, codecs, pool);
    const KvCache back = CacheReader(file).restore_all(codecs, pool);
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : kParts) {
        for (const std::uint16_t value : back.patterns({layer, part})) {
          ASSERT_NE(value & 0x7f80, 0x7f80) << specs.keys << ", " << site_name({layer, part});
        }
      }
    }
    expect_equal(back, sweep(codecs, largest).cache, specs.keys);
    EXPECT_NO_THROW(pack_cache(small_facts(), small_ids(), back, codecs, pool)) << specs.keys;
  }
}

// The bytes of all other blocks destroyed: each is found in the table and read alone.
TEST(PackCache, EachBlockIsReadAlone) {
  WorkerPool pool(1);
  for (const CodecPair& specs : kSmallSpecs) {
    const auto file = small_file(specs);
    const CacheReader whole(file);
    const CacheCodecs codecs = whole.codecs(&small_profile());
    const KvCache all = whole.restore_all(codecs, pool);
    for (const CacheBlock& block : whole.blocks()) {
      auto bare = file;
      std::fill(bare.begin() + static_cast<std::ptrdiff_t>(whole.blocks().front().offset),
                bare.end(), std::byte{0xee});
      const auto kept = whole.bytes_of(block);
      std::copy(kept.begin(), kept.end(), bare.begin() + static_cast<std::ptrdiff_t>(block.offset));
      const CacheReader reader(bare);
      KvCache some = reader.make_cache();
      reader.restore(block, codecs, some);
      std::size_t restored = 0;
      for (int layer = 0; layer < kLayers; ++layer) {
        for (const Part part : kParts) {
          const auto got = some.writable_patterns({layer, part});
          const auto expected = all.patterns({layer, part});
          for (std::size_t i = 0; i < got.size(); ++i) {
            if (got[i] == 0) continue;
            ASSERT_EQ(got[i], expected[i]) << describe_block(block);
            ++restored;
          }
        }
      }
      EXPECT_GT(restored, values_of(block, whole.facts().extent) / 2) << describe_block(block);
    }
  }
}

TEST(PackCache, AnyNumberOfThreadsWritesTheSame) {
  const CacheCodecs codecs = small_codecs(kSmallSpecs[4]);
  WorkerPool one(1), many(5);
  EXPECT_EQ(pack_cache(small_facts(), small_ids(), small_cache(), codecs, one),
            pack_cache(small_facts(), small_ids(), small_cache(), codecs, many));
}

TEST(PackCache, WhatCannotBeKeptIsNamed) {
  WorkerPool pool(2);
  const auto refusal = [&](KvSite site, std::size_t token, const CodecPair& specs) -> std::string {
    KvCache holed = small_cache();
    holed.writable_patterns(site)[(token * kHeads + 1) * kDim + 3] = 0x7f80;
    try {
      pack_cache(small_facts(), small_ids(), holed, small_codecs(specs), pool);
    } catch (const InputError& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(refusal({0, Part::value}, 20, kSmallSpecs[0]),
            "layer 0 values: token 20, head 1: NaN or infinity, expected a finite number");
  EXPECT_EQ(refusal({2, Part::key}, 44, kSmallSpecs[4]),
            "layer 2 keys: token 44, head 1: NaN or infinity, expected a finite number");
  EXPECT_EQ(refusal({2, Part::key}, 9, kSmallSpecs[1]),
            "layer 2 keys, head 1: vector 6, coordinate 3: infinity, expected a finite number");
  EXPECT_EQ(refusal({2, Part::key}, 36, kSmallSpecs[4]),
            "layers 1 to 3, tokens from 35: vector 1, coordinate 43: infinity, expected a finite "
            "number");

  CacheFacts facts = small_facts();
  facts.extent.tokens = 44;
  const CacheCodecs codecs = small_codecs(kSmallSpecs[0]);
  EXPECT_THROW(pack_cache(facts, small_ids(), small_cache(), codecs, pool), InputError);
  EXPECT_THROW(pack_cache(small_facts(), {1, 2}, small_cache(), codecs, pool), InputError);
  facts = small_facts();
  facts.passage.assign(70000, 'x');
  EXPECT_THROW(pack_cache(facts, small_ids(), small_cache(), codecs, pool), InputError);
}

}  // namespace
}  // namespace kakeya
