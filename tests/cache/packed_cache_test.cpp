// SPDX-License-Identifier: Apache-2.0
// A cache that lives packed, against a plain model of it.
#include "kakeya/cache/packed_cache.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <limits>
#include <map>
#include <thread>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/made_cache.h"

namespace kakeya {
namespace {

using ::testing::Test;

constexpr std::size_t kDim = 32, kHeads = 2, kWidth = kHeads * kDim;
constexpr int kLayers = 3;

struct Setting {
  const char* name;
  CodecPair specs;
  CachePolicy policy;
  std::vector<std::size_t> windows = {};
};

constexpr CachePolicy kPlain{kLayers, 0, 0, 0}, kUsual{kLayers, 0, 4, 20},
    kSkipped{kLayers, 1, 2, 0};
constexpr char kHeadsKlt[] = "klt:bits=3,page=64",
               kLayersKlt[] = "klt:bits=3,scope=layer,restart=1,page=64";

const Setting kSettings[] = {
    {"plain", {"e8:q=10", "tq:b=4"}, kPlain},
    {"usual", {"e8:q=10", "e8:q=10"}, kUsual},
    {"skipped", {"d4:q=38", "fp8"}, kSkipped},
    {"pages", {"ece8:bits=3,page=64,center=mean", "ecz:bits=3,page=128"}, kUsual},
    {"kivi", {"kivi:b=4", "kivi:b=4"}, kUsual},
    {"klt_heads", {kHeadsKlt, kHeadsKlt}, kUsual},
    {"klt_layers", {kLayersKlt, kLayersKlt}, kUsual},
    {"sliding", {"ece8:bits=3,page=64", "e8:q=10"}, kUsual, {0, 300, 100}},
    {"sliding_skipped", {"kivi:b=4", "q8_0"}, kSkipped, {100, 0, 300}},
};

class PackedCaches : public ::testing::TestWithParam<Setting> {
 protected:
  PackedCaches()
      : source_(test::made_profile(kDim, kLayers)),
        codecs_(make_cache_codecs(GetParam().specs, {source_.profile().shape,
                                                     GetParam().policy.skipped_layers, &source_})) {
  }

  PackedCache make() const {
    return {source_.profile().shape, GetParam().policy, codecs_, GetParam().windows};
  }
  test::OneProfile source_;
  CacheCodecs codecs_;
};

// What a part of a layer was given, as bf16: the coder's input, also where a cut page was decoded.
using Held = std::vector<std::vector<float>>;  // [tokens][width]
struct Model {
  std::map<std::pair<int, Part>, Held> parts;
};

Held drawn(std::uint64_t& seed, std::size_t tokens) {
  Held rows(tokens, std::vector<float>(kWidth));
  for (auto& row : rows) {
    for (std::size_t i = 0; i < kWidth; ++i) {
      const double u = Random(7).uniform(seed++) - 0.5;
      row[i] = static_cast<float>(u * (1 + static_cast<double>(i % 7)));
    }
    round_to_bf16(row);
  }
  return rows;
}

std::vector<float> flat(const Held& rows) {
  std::vector<float> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

std::vector<float> read(const PackedCache& cache, int sequence, KvSite site, TokenRange tokens) {
  std::vector<float> values(tokens.count * kWidth);
  cache.read(sequence, site, tokens, dense_rows(values.data(), tokens.count, kWidth));
  return values;
}

// decode(encode(rows)) of a codec, rounded to bf16; pages of 128 one by one where it has none.
void expect_coded(const Codec& codec, Rows<const float> x, Rows<const float> got) {
  const std::size_t page = codec.page_vectors() == 0 ? 128 : x.count;
  for (std::size_t first = 0; first < x.count; first += page) {
    std::vector<std::byte> frame(codec.encoded_bound(page));
    frame.resize(codec.encode(x.slice(first, page), frame));
    std::vector<float> y(page * x.dim);
    codec.decode(frame, dense_rows(y.data(), page, x.dim));
    round_to_finite_bf16(y);
    for (std::size_t row = 0; row < page; ++row) {
      ASSERT_TRUE(std::equal(got[first + row].begin(), got[first + row].end(), &y[row * x.dim]))
          << codec.spec() << ", token " << first + row << " after the sinks";
    }
  }
}

// All that is there of a layer's part, against what it was given.
void compare(const PackedCache& cache, const CacheCodecs& codecs, int sequence, KvSite site,
             const Model& model) {
  const Held& held = model.parts.at({site.layer, site.part});
  ASSERT_EQ(cache.tokens(sequence, site.layer), held.size());
  const std::size_t first = cache.first_token(sequence, site.layer),
                    sealed = cache.sealed_tokens(sequence, site),
                    sinks = cache.policy().codes(site.layer)
                                ? static_cast<std::size_t>(cache.policy().sinks)
                                : 0;
  const std::vector<float> got = read(cache, sequence, site, {first, held.size() - first});
  for (std::size_t token = first; token < held.size(); ++token) {
    if (token >= sinks && token < sinks + sealed) continue;
    ASSERT_TRUE(std::equal(held[token].begin(), held[token].end(), &got[(token - first) * kWidth]))
        << site_name(site) << ", token " << token << " of " << held.size();
  }
  if (sealed == 0 || first > sinks) return;
  const std::vector<float> x = flat(held);
  const auto part_of = [&](const std::vector<float>& from, std::size_t skipped, std::size_t head) {
    return Rows<const float>{&from[skipped * kWidth + head * kDim], sealed, kDim, kWidth};
  };
  if (codecs.tokens) {  // keys and values together
    if (site.part == Part::value) return;
    const std::vector<float> v = flat(model.parts.at({site.layer, Part::value})),
                             got_v = read(cache, sequence, {site.layer, Part::value},
                                          {first, held.size() - first});
    std::vector<float> both, got_both;
    for (std::size_t token = sinks; token < sinks + sealed; ++token) {
      for (const auto& [from, to, at] :
           {std::tuple{&x, &both, token}, {&got, &got_both, token - first}}) {
        to->insert(to->end(), &(*from)[at * kWidth], &(*from)[at * kWidth] + kWidth);
        const auto& values = from == &x ? v : got_v;
        to->insert(to->end(), &values[at * kWidth], &values[at * kWidth] + kWidth);
      }
    }
    expect_coded(*codecs.tokens->runs()[static_cast<std::size_t>(site.layer)].codec,
                 dense_rows<const float>(both.data(), sealed, 2 * kWidth),
                 dense_rows<const float>(got_both.data(), sealed, 2 * kWidth));
    return;
  }
  const SiteCodecs& of = site.part == Part::key ? *codecs.keys : *codecs.values;
  for (std::size_t head = 0; head < kHeads; ++head) {
    expect_coded(of.at(site.layer, head), part_of(x, sinks, head),
                 part_of(got, sinks - first, head));
  }
}

void compare_all(const PackedCache& cache, const CacheCodecs& codecs,
                 const std::map<int, Model>& models) {
  for (const auto& [sequence, model] : models) {
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value}) {
        compare(cache, codecs, sequence, {layer, part}, model);
        if (Test::HasFatalFailure()) return;
      }
    }
  }
}

void append(PackedCache& cache, int sequence, int layer, Model& model, const Held& keys,
            const Held& values) {
  const std::vector<float> k = flat(keys), v = flat(values);
  cache.append(sequence, layer, dense_rows(k.data(), keys.size(), kWidth),
               dense_rows(v.data(), values.size(), kWidth));
  for (const auto& [part, rows] : {std::pair{Part::key, &keys}, {Part::value, &values}}) {
    Held& held = model.parts[{layer, part}];
    held.insert(held.end(), rows->begin(), rows->end());
  }
}

TEST_P(PackedCaches, AWeekOfUse) {
  PackedCache cache = make();
  std::map<int, Model> models;
  std::uint64_t seed = 11, chance = 5;
  const auto draw = [&](std::size_t below) {
    return static_cast<std::size_t>(Random(9).bits(chance++) % below);
  };
  const auto add = [&] {
    const int sequence = cache.add_sequence();
    Model& model = models[sequence];
    for (int layer = 0; layer < kLayers; ++layer) {
      model.parts[{layer, Part::key}];
      model.parts[{layer, Part::value}];
    }
  };
  add();
  for (int step = 0; step < 1200; ++step) {
    auto at = models.begin();
    std::advance(at, draw(models.size()));
    const int sequence = at->first;
    Model& model = at->second;
    const std::size_t what = draw(100);
    if (what < 70) {  // a token, a few, or a prompt
      const std::size_t tokens = what < 45 ? 1 : what < 68 ? 1 + draw(40) : 1 + draw(400);
      for (int layer = 0; layer < kLayers; ++layer) {
        append(cache, sequence, layer, model, drawn(seed, tokens), drawn(seed, tokens));
      }
    } else if (what < 90) {
      const KvSite site{static_cast<int>(draw(kLayers)), draw(2) == 0 ? Part::key : Part::value};
      const std::size_t first = cache.first_token(sequence, site.layer),
                        all = cache.tokens(sequence, site.layer);
      const std::size_t from = first + draw(all - first + 1), count = draw(all - from + 1);
      const auto part = read(cache, sequence, site, {from, count}),
                 whole = read(cache, sequence, site, {first, all - first});
      ASSERT_TRUE(std::equal(part.begin(), part.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>((from - first) * kWidth)));
    } else if (what < 93) {
      models[cache.branch(sequence)] = model;
    } else if (what < 96 && models.size() > 1) {
      cache.drop(sequence);
      models.erase(sequence);
    } else if (what < 98) {
      // The last tokens, as after a draft that was not taken: exact ones alone.
      std::size_t most = cache.tokens(sequence, 0);
      for (int layer = 0; layer < kLayers; ++layer) {
        for (const Part part : {Part::key, Part::value}) {
          const std::size_t sinks =
              cache.policy().codes(layer) ? static_cast<std::size_t>(cache.policy().sinks) : 0;
          const std::size_t all = cache.tokens(sequence, layer);
          most = std::min(
              most, all - std::min(all, sinks + cache.sealed_tokens(sequence, {layer, part})));
        }
      }
      const std::size_t cut = GetParam().windows.empty() ? draw(most + 1) : 0;
      const std::size_t tokens = cache.tokens(sequence, 0) - cut;
      cache.truncate(sequence, tokens);
      for (auto& [place, held] : model.parts) held.resize(tokens);
    } else {
      add();
    }
    if (step % 100 == 0) compare_all(cache, codecs_, models);
    ASSERT_FALSE(HasFatalFailure()) << "step " << step;
  }
  compare_all(cache, codecs_, models);
  while (!models.empty()) {
    cache.drop(models.begin()->first);
    models.erase(models.begin());
  }
  EXPECT_EQ(cache.live_bytes().total(), 0u);
}

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
  EXPECT_THROW(cache.branch(77), InputError);
  compare_all(cache, codecs_, {{sequence, model}});
}

TEST_P(PackedCaches, IsReadFromSeveralThreads) {
  PackedCache cache = make();
  const int sequence = cache.add_sequence();
  Model model;
  std::uint64_t seed = 21;
  for (int layer = 0; layer < kLayers; ++layer) {
    append(cache, sequence, layer, model, drawn(seed, 333), drawn(seed, 333));
  }
  const std::size_t first = cache.first_token(sequence, 1);
  const auto expected = read(cache, sequence, {1, Part::key}, {first, 333 - first});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i)
        wrong[t] += read(cache, sequence, {1, Part::key}, {first, 333 - first}) != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
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

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// What is counted is what the process holds.
TEST(PackedCache, CountsWhatIsAllocated) {
  const test::OneProfile source(test::made_profile(kDim, kLayers));
  const CacheCodecs codecs =
      make_cache_codecs({"ece8:bits=3,page=256", "e8:q=10"}, {source.profile().shape, 0, &source});
  std::uint64_t seed = 2;
  const Held keys = drawn(seed, 20000), values = drawn(seed, 20000);
  const std::vector<float> k = flat(keys), v = flat(values);
  const auto fill = [&](PackedCache& cache) {
    const int sequence = cache.add_sequence();
    for (std::size_t token = 0; token < keys.size(); token += 100) {
      for (int layer = 0; layer < kLayers; ++layer) {
        cache.append(sequence, layer, dense_rows(&k[token * kWidth], 100, kWidth),
                     dense_rows(&v[token * kWidth], 100, kWidth));
      }
    }
  };
  PackedCache warm(source.profile().shape, kUsual, codecs);
  fill(warm);  // tables that are kept and shared
  PackedCache cache(source.profile().shape, kUsual, codecs);
  const auto held = [] { return static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd); };
  const double before = held();
  fill(cache);
  const double counted = static_cast<double>(cache.live_bytes().total()),
               allocated = held() - before;
  EXPECT_NEAR(counted / allocated, 1, 0.02) << counted << " counted, " << allocated << " allocated";
  EXPECT_EQ(cache.live_bytes().bf16, 2 * 2 * kLayers * keys.size() * kWidth);
  EXPECT_LT(counted, 0.45 * static_cast<double>(cache.live_bytes().bf16));
}
#endif

}  // namespace
}  // namespace kakeya
