// SPDX-License-Identifier: Apache-2.0
// A cache that lives packed, against a plain model of it (packed_week_test.cpp: at random).
#include "kakeya/cache/packed_cache.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <limits>
#include <map>
#include <thread>

#include "cache/packed_model.h"
#include "kakeya/core/error.h"
#include "kakeya/core/worker_pool.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using namespace packed_test;

// The bytes of branches are those of one cache and what they do not share.
TEST_P(PackedCaches, BranchesShareTheirPages) {
  PackedCache cache = make();
  const int trunk = cache.add_sequence();
  Model model;
  std::uint64_t seed = 3;
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, trunk, layer, model, drawn(seed, 700), drawn(seed, 700));
  }
  const LiveBytes one = cache.live_bytes();
  std::map<int, Model> models{{trunk, model}};
  for (int i = 0; i < 5; ++i) models[cache.branch(trunk)] = model;
  EXPECT_EQ(cache.live_bytes().pages, one.pages);
  for (auto& [sequence, own] : models) {
    for (int layer = 0; layer < kLayers; ++layer) {
      append(cache, sequence, layer, own, drawn(seed, 150), drawn(seed, 150));
    }
  }
  EXPECT_GT(cache.live_bytes().pages, one.pages);  // which the trunk has some of
  compare_all(cache, codecs_, models);
  cache.drop(trunk);
  models.erase(trunk);
  compare_all(cache, codecs_, models);
}

TEST_P(PackedCaches, ACutPageIsHeldAsItWasDecoded) {
  if (!GetParam().windows.empty()) GTEST_SKIP() << "a window may have dropped it";
  PackedCache cache = make();
  const int sequence = cache.add_sequence();
  Model model;
  std::uint64_t seed = 9;
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, sequence, layer, model, drawn(seed, 600), drawn(seed, 600));
  }
  const int whole = cache.branch(sequence);
  for (const std::size_t tokens : {517u, 300u, 68u, 67u, 5u, 3u, 0u}) {
    cache.truncate(sequence, tokens);
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value}) {
        ASSERT_EQ(cache.tokens(sequence, layer), tokens);
        EXPECT_EQ(read(cache, sequence, {layer, part}, {0, tokens}),
                  read(cache, whole, {layer, part}, {0, tokens}));
      }
    }
  }
  for (int layer = 0; layer < kLayers; ++layer) {  // and it goes on
    Model again;
    append(cache, sequence, layer, again, drawn(seed, 400), drawn(seed, 400));
    compare(cache, codecs_, sequence, {layer, Part::key}, again);
  }
}

// Whole, a head at a time, and up to where pages end.
TEST_P(PackedCaches, OneHeadIsReadAsAllAre) {
  PackedCache cache = make();
  const int sequence = cache.add_sequence();
  Model model;
  std::uint64_t seed = 5;
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, sequence, layer, model, drawn(seed, 600), drawn(seed, 600));
    for (const Part part : {Part::key, Part::value}) {
      const std::size_t first = cache.first_token(sequence, layer), count = 600 - first,
                        heads = cache.shape().heads(), dim = cache.shape().dim();
      const std::vector<float> all = read(cache, sequence, {layer, part}, {first, count});
      for (std::size_t head = 0; head < heads; ++head) {
        const KvSite site{layer, part, static_cast<int>(head)};
        for (std::size_t token = first; token < 600;) {
          const std::size_t end = std::min<std::size_t>(cache.run_end(sequence, site, token), 600);
          ASSERT_GT(end, token);
          std::vector<float> some((end - token) * dim);
          cache.read(sequence, site, {token, end - token},
                     dense_rows(some.data(), end - token, dim));
          for (std::size_t i = 0; i < some.size(); ++i) {
            const std::size_t row = token - first + i / dim;
            ASSERT_EQ(some[i], all[(row * heads + head) * dim + i % dim]);
          }
          token = end;
        }
      }
      EXPECT_THROW(cache.run_end(sequence, {layer, part}, 600), InputError);
      if (first > 0) {
        EXPECT_THROW(cache.run_end(sequence, {layer, part}, first - 1), InputError);
      }
      std::vector<float> row(dim);
      EXPECT_THROW(cache.read(sequence, {layer, part, static_cast<int>(heads)}, {599, 1},
                              dense_rows(row.data(), 1, dim)),
                   InputError);
    }
  }
}

TEST_P(PackedCaches, WhatIsRefusedLeavesItAsItWas) {
  PackedCache cache = make();
  const int sequence = cache.add_sequence();
  Model model;
  std::uint64_t seed = 1;
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, sequence, layer, model, drawn(seed, 300), drawn(seed, 300));
  }
  const std::vector<float> good(10 * kWidth, 0.5f);
  std::vector<float> bad = good;
  bad.back() = std::numeric_limits<float>::infinity();
  const auto rows = [](const std::vector<float>& x) { return dense_rows(x.data(), 10, kWidth); };
  EXPECT_THROW(cache.append(sequence, 1, rows(good), rows(bad)), InputError);
  EXPECT_THROW(cache.append(sequence, 1, rows(good), rows(good).slice(0, 9)), InputError);
  EXPECT_THROW(cache.append(sequence, 1, dense_rows(good.data(), 20, kDim),
                            dense_rows(good.data(), 20, kDim)),
               InputError);
  EXPECT_THROW(cache.append(sequence, kLayers, rows(good), rows(good)), InputError);
  EXPECT_THROW(cache.append(sequence + 1, 0, rows(good), rows(good)), InputError);
  EXPECT_THROW(read(cache, sequence, {1, Part::key}, {295, 6}), InputError);
  EXPECT_THROW(read(cache, sequence, {1, Part::query}, {0, 1}), InputError);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  for (const Part part : {Part::key, Part::value}) {  // sums beyond the largest number
    for (const std::size_t first : {kMost, kMost - 4, std::size_t{301}}) {
      std::vector<float> values(5 * kWidth);
      for (const std::size_t count : {0u, 1u, 5u}) {
        const auto into = dense_rows(values.data(), count, kWidth);
        EXPECT_THROW(cache.read(sequence, {1, part}, {first, count}, into), InputError);
      }
    }
  }
  cache.truncate(sequence, kMost);  // takes nothing
  EXPECT_THROW(cache.branch(77), InputError);
  compare_all(cache, codecs_, {{sequence, model}});
}

// All that const members tell of a cache.
struct Seen {
  std::vector<float> values;
  std::vector<std::vector<std::byte>> files;
  std::vector<std::size_t> numbers;

  bool operator==(const Seen&) const = default;
};

// Of all whole pages of a head: their sum, and their products with a query.
std::vector<float> sums_of(const PackedCache& cache, int sequence, KvSite site) {
  const std::size_t first = std::max(cache.first_token(sequence, site.layer),
                                     static_cast<std::size_t>(cache.policy().sinks)),
                    count = cache.tokens(sequence, site.layer) - first;
  const std::vector<float> ones(count + kDim, 1.0f);
  std::vector<float> told(kDim + count);
  const Rows<float> sum{told.data(), 1, kDim, kDim}, scores{&told[kDim], 1, count, count};
  const std::size_t added =
      cache.add_packed(sequence, site, {first, count}, {ones.data(), 1, count, count}, sum);
  const bool dropped = cache.first_token(sequence, site.layer) > 0;  // perhaps within a page
  EXPECT_TRUE(dropped || (added > 0) == cache.sums_packed(site));
  EXPECT_EQ(
      cache.score_packed(sequence, site, {first, count}, {ones.data(), 1, kDim, kDim}, scores),
      added);
  return told;
}

Seen seen_of(const PackedCache& cache) {
  Seen seen;
  const auto keep = [&](const std::vector<float>& values) {
    seen.values.insert(seen.values.end(), values.begin(), values.end());
  };
  for (const int sequence : cache.sequences()) {
    for (int layer = 0; layer < kLayers; ++layer) {
      const std::size_t first = cache.first_token(sequence, layer),
                        count = cache.tokens(sequence, layer) - first;
      for (const Part part : {Part::key, Part::value}) {
        const KvSite site{layer, part};
        keep(read(cache, sequence, site, {first, count}));
        std::vector<float> head(count * kDim);
        cache.read(sequence, {layer, part, 1}, {first, count},
                   dense_rows(head.data(), count, kDim));
        keep(head);
        keep(sums_of(cache, sequence, {layer, part, 1}));
        seen.numbers.insert(seen.numbers.end(), {cache.sealed_tokens(sequence, site),
                                                 cache.run_end(sequence, site, first + count / 2)});
      }
      std::vector<float> both(count * 2 * kWidth);
      cache.read_both(sequence, layer, {first, count}, dense_rows(both.data(), count, 2 * kWidth));
      keep(both);
    }
    seen.files.push_back(saved(cache, sequence));
  }
  seen.numbers.push_back(cache.live_bytes().total());
  return seen;
}

// Two sequences that share pages, read for the first time by all threads at once, while another cache of
// the same codecs grows on threads of its own. Under ThreadSanitizer (preset tsan) no access races.
TEST_P(PackedCaches, IsReadFromSeveralThreads) {
  WorkerPool pool(3);
  PackedCache cache = make(), other = make();
  other.seal_on(&pool);
  const int trunk = cache.add_sequence(), elsewhere = other.add_sequence();
  Model model, own, unused;
  std::uint64_t seed = 21;
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, trunk, layer, model, drawn(seed, 333), drawn(seed, 333));
  }
  const int branch = cache.branch(trunk);
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, branch, layer, own, drawn(seed, 90), drawn(seed, 90));
  }
  std::vector<std::vector<Seen>> seen(4);
  std::vector<std::thread> threads;
  for (std::vector<Seen>& mine : seen) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) mine.push_back(seen_of(cache));
    });
  }
  threads.emplace_back([&] {
    std::uint64_t others = 77;
    for (int layer = 0; layer < kLayers; ++layer) {
      append(other, elsewhere, layer, unused, drawn(others, 333), drawn(others, 333));
    }
  });
  for (std::thread& thread : threads) thread.join();
  const Seen expected = seen_of(cache);
  for (const std::vector<Seen>& mine : seen) {
    for (const Seen& one : mine) EXPECT_TRUE(one == expected);
  }
  EXPECT_EQ(other.tokens(elsewhere, kLayers - 1), 333u);
}

INSTANTIATE_TEST_SUITE_P(Settings, PackedCaches, ::testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

TEST(PackedCache, RefusesWhatCannotLive) {
  const test::OneProfile source(test::made_profile(kDim, kLayers));
  const CacheInput input{source.profile().shape, 0, &source};
  const auto codecs = [&](const char* spec) { return make_cache_codecs({spec, spec}, input); };
  EXPECT_THROW(
      PackedCache(source.profile().shape, kPlain, codecs("klt:bits=3,scope=layer,predict=1")),
      InputError);
  EXPECT_THROW(PackedCache(source.profile().shape, {kLayers + 1, 0, 0, 0}, codecs("fp8")),
               InputError);
  EXPECT_THROW(PackedCache(source.profile().shape, kPlain, codecs("fp8"), {1, 2}), InputError);
}

// A layer with a sliding window takes 16 bytes for each page that it has left behind, a pointer, and
// 16 a head where pages have a step of their own (per=head-page), which a saved sequence tells.
// A layer that is not coded has no pages to count in.
TEST(PackedCache, AsksForTheTokensThatAPolicyKeeps) {
  const KvShape shape{2, 2, 2, 32};
  EXPECT_EQ(testing::message_of<InputError>([&] {
              PackedCache(shape, {2, 0, -1}, make_cache_codecs({"fp8", "fp8"}, CacheInput(shape)));
            }),
            "a cache that lives packed: sinks -1, residual window 0: expected 0 or more tokens");
}

TEST(PackedCache, RunsOfDroppedTokensAreRefused) {
  const KvShape shape{4, 1, 0, 32};
  PackedCache cache(shape, {4, 1, 0, 0}, make_cache_codecs({"q8_0", "q8_0"}, {shape, 1, nullptr}),
                    {8, 8, 8, 8});
  const int sequence = cache.add_sequence();
  const std::vector<float> rows(64 * 32, 1.0f);
  const auto of = dense_rows<const float>(rows.data(), 64, 32);
  for (int layer = 0; layer < 4; ++layer) cache.append(sequence, layer, of, of);
  ASSERT_GT(cache.first_token(sequence, 0), 0u);
  EXPECT_THROW(cache.run_end(sequence, {0, Part::key}, 0), InputError);
  EXPECT_EQ(cache.run_end(sequence, {0, Part::key}, cache.first_token(sequence, 0)), 64u);
}

TEST(PackedCache, AWindowDoesNotGrowWithItsContext) {
  constexpr std::size_t kPage = 32, kWindow = 64, kTokens = 50 * kWindow;
  const test::OneProfile source(test::made_profile(kDim, kLayers));
  for (const auto& [spec, of_head] : {std::pair{"ece8:bits=3,page=32,center=mean", 0u},
                                      {"ece8:bits=3,page=32,per=head-page", 16u}}) {
    PackedCache cache(source.profile().shape, kUsual,
                      make_cache_codecs({spec, spec}, {source.profile().shape, 0, &source}),
                      {kWindow, kWindow, kWindow});
    const int sequence = cache.add_sequence();
    std::uint64_t seed = 4;
    Model unused;
    std::vector<std::uint64_t> pages, tables;
    for (std::size_t token = 0; token < kTokens; token += kPage) {
      for (int layer = 0; layer < kLayers; ++layer) {
        append(cache, sequence, layer, unused, drawn(seed, kPage), drawn(seed, kPage));
      }
      pages.push_back(cache.live_bytes().pages);
      tables.push_back(cache.live_bytes().tables);
    }
    EXPECT_LT(pages.back(), 1.1 * static_cast<double>(pages[pages.size() / 10])) << spec;
    // A vector of pointers has room for up to twice as many.
    const double lanes = 2 * kLayers, left = kTokens / kPage;
    EXPECT_LT(static_cast<double>(tables.back() - tables[5]),
              lanes * left * (2 * 16 + 17.0 / 16 * of_head * kHeads))
        << spec;
  }
}

}  // namespace
}  // namespace kakeya
