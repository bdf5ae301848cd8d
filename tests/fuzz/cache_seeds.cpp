// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cache_seeds.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/seed_vectors.h"
#include "kakeya/cache/pack_cache.h"
#include "kakeya/codecs/kvtc/deflate.h"
#include "support/made_cache.h"
#include "support/made_kvtc.h"

namespace kakeya::fuzz {
namespace {

constexpr std::size_t kDim = 8;
constexpr int kMostLayers = 3, kKvtcLayers = 2;

struct CacheCase {
  std::string_view keys, values;
  CachePolicy policy;
  std::size_t tokens, heads;
  std::optional<SeedKind> kind;  // none: vectors that follow the profile
};

// One codec of every scope and a few beside: what they decode is for the other targets. Kept inputs
// choose codecs by their place: what is new goes to the end, but before kvtc, which not every build
// has.
constexpr std::string_view kLayers = "klt:bits=3,scope=layer,predict=2,page=32",
                           kRestarted = "klt:bits=2,scope=layer,restart=2",
                           kKvtc = "kvtc:bits=2,page=16";
constexpr CacheCase kCases[] = {
    {"identity", "identity", {3, 1, 1, 1}, 3, 2, SeedKind::normal},
    {"identity", "identity", {1, 0, 0, 0}, 1, 1, SeedKind::huge},
    {"e8:q=10", "tq:b=4", {1, 0, 2, 1}, 5, 2, SeedKind::huge},
    {"kivi:b=2,group=8", "kivi:b=4,group=8", {2, 0, 1, 0}, 10, 1, SeedKind::tiny},
    {"kivi:b=1,group=8", "e8:q=4", {1, 0, 0, 1}, 3, 3, SeedKind::normal},
    {"klt:bits=3", "e8:q=4", {3, 1, 0, 1}, 3, 1, std::nullopt},
    {"klt:bits=3", "klt:bits=3", {2, 0, 1, 0}, 2, 1, std::nullopt},
    {kLayers, kLayers, {3, 0, 1, 2}, 36, 1, std::nullopt},
    {kLayers, kLayers, {3, 1, 1, 1}, 4, 1, SeedKind::zeros},
    {kRestarted, kRestarted, {3, 0, 1, 1}, 4, 1, std::nullopt},
    {kKvtc, kKvtc, {2, 0, 1, 2}, 20, 1, SeedKind::normal},
};

std::span<const CacheCase> cases() {
  const std::span<const CacheCase> all = kCases;
  return has_deflate() ? all : all.first(all.size() - 1);
}

KvShape shape_of(const CacheCase& which) {
  return {which.policy.layers, static_cast<int>(which.heads), 4, static_cast<int>(kDim)};
}

CacheFacts facts_of(const CacheCase& which) {
  CacheFacts facts;
  facts.origin.model.name = "made";
  facts.origin.model.sha256 = "ab";
  facts.origin.text.name = "drawn";
  facts.rope_layout = "halves";
  facts.rope_base = 1e4;
  facts.seed = 1;
  facts.tap = which.policy.residual_window > 0 ? TapPoint::post_rope : TapPoint::pre_rope;
  facts.extent = {shape_of(which), which.tokens, which.policy};
  return facts;
}

CacheCodecs codecs_of(const CacheCase& which) {
  return make_cache_codecs({std::string(which.keys), std::string(which.values)},
                           {shape_of(which), which.policy.skipped_layers, &cache_profiles()});
}

KvCache cache_of(const CacheCase& which) {
  if (!which.kind) {
    return testing::made_cache(test::made_profile(kDim, which.policy.layers, 1), which.tokens, 1);
  }
  KvCache cache(shape_of(which), which.tokens);
  for (int layer = 0; layer < which.policy.layers; ++layer) {
    const auto values = seed_vectors(*which.kind, 2 * which.tokens * which.heads, kDim);
    const std::span<const float> all(values);
    cache.store({layer, Part::key}, all.first(all.size() / 2));
    cache.store({layer, Part::value}, all.last(all.size() / 2));
  }
  return cache;
}

std::vector<std::byte> file_of(const CacheCase& which) {
  std::vector<std::int32_t> ids(which.tokens);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(7 * i);
  WorkerPool pool(1);
  return pack_cache(facts_of(which), ids, cache_of(which), codecs_of(which), pool);
}

}  // namespace

const ProfileSource& cache_profiles() {
  static const test::OneProfile profiles(test::made_profile(kDim, kMostLayers, 1),
                                         test::made_kvtc_profile(kDim, kKvtcLayers, 1));
  return profiles;
}

std::span<const CodecPair> cache_pairs() {
  static const std::vector<CodecPair> pairs = [] {
    std::vector<CodecPair> list;
    for (const CacheCase& which : cases()) list.push_back(codecs_of(which).canonical());
    return list;
  }();
  return pairs;
}

Inputs cache_seeds() {
  Inputs seeds;
  for (const CacheCase& which : cases()) {
    const auto file = file_of(which);
    const auto* first = reinterpret_cast<const std::uint8_t*>(file.data());
    seeds.emplace_back(first, first + file.size());
  }
  return seeds;
}

}  // namespace kakeya::fuzz
