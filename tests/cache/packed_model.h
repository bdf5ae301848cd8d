// SPDX-License-Identifier: Apache-2.0
#pragma once

// Live caches in several settings, and a plain model of what they were given.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/random.h"
#include "support/made_cache.h"

namespace kakeya::packed_test {

inline constexpr std::size_t kDim = 32, kHeads = 2, kWidth = kHeads * kDim;
inline constexpr int kLayers = 3;

struct Setting {
  const char* name;
  CodecPair specs;
  CachePolicy policy;
  std::vector<std::size_t> windows = {};
};

inline constexpr CachePolicy kPlain{kLayers, 0, 0, 0}, kUsual{kLayers, 0, 4, 20},
    kSkipped{kLayers, 1, 2, 0};
inline constexpr char kHeadsKlt[] = "klt:bits=3,page=64",
                      kLayersKlt[] = "klt:bits=3,scope=layer,restart=1,page=64";

inline const Setting kSettings[] = {
    {"plain", {"e8:q=10", "tq:b=4"}, kPlain},
    {"usual", {"e8:q=10", "e8:q=10"}, kUsual},
    {"skipped", {"d4:q=38", "fp8"}, kSkipped},
    {"pages", {"ece8:bits=3,page=64,center=mean", "ecz:bits=3,page=128"}, kUsual},
    {"rans", {"e8:q=10,pack=rans,page=64,center=mean", "tq:b=4,pack=rans,page=32"}, kUsual},
    {"head_page",
     {"ece8:bits=3,page=64,per=head-page,classes=channel",
      "ecd4:bits=3,page=32,per=head-page,outliers=2"},
     kUsual},
    {"kivi", {"kivi:b=4", "kivi:b=4"}, kUsual},
    {"klt_heads", {kHeadsKlt, kHeadsKlt}, kUsual},
    {"klt_layers", {kLayersKlt, kLayersKlt}, kUsual},
    {"sliding", {"ece8:bits=3,page=64", "e8:q=10"}, kUsual, {0, 300, 100}},
    {"sliding_head_page",
     {"ece8:bits=3,page=32,per=head-page,center=mean", "klt:bits=3,page=32"},
     kUsual,
     {40, 0, 150}},
    {"sliding_skipped", {"kivi:b=4", "q8_0"}, kSkipped, {100, 0, 300}},
    {"budget",
     {"klt:bits=8,page=64,pages=fixed,budget=4800", "ece8:bits=6,page=64,budget=1100"},
     kUsual},
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

inline Held drawn(std::uint64_t& seed, std::size_t tokens) {
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

inline std::vector<float> flat(const Held& rows) {
  std::vector<float> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

inline std::vector<float> read(const PackedCache& cache, int sequence, KvSite site,
                               TokenRange tokens) {
  std::vector<float> values(tokens.count * kWidth);
  cache.read(sequence, site, tokens, dense_rows(values.data(), tokens.count, kWidth));
  return values;
}

// decode(encode(rows)) of a codec, rounded to bf16; pages of 128 one by one where it has none.
inline void expect_coded(const Codec& codec, Rows<const float> x, Rows<const float> got) {
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
inline void compare(const PackedCache& cache, const CacheCodecs& codecs, int sequence, KvSite site,
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

inline void compare_all(const PackedCache& cache, const CacheCodecs& codecs,
                        const std::map<int, Model>& models) {
  for (const auto& [sequence, model] : models) {
    for (int layer = 0; layer < kLayers; ++layer) {
      for (const Part part : {Part::key, Part::value}) {
        compare(cache, codecs, sequence, {layer, part}, model);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

inline void append(PackedCache& cache, int sequence, int layer, Model& model, const Held& keys,
                   const Held& values) {
  const std::vector<float> k = flat(keys), v = flat(values);
  cache.append(sequence, layer, dense_rows(k.data(), keys.size(), kWidth),
               dense_rows(v.data(), values.size(), kWidth));
  for (const auto& [part, rows] : {std::pair{Part::key, &keys}, {Part::value, &values}}) {
    Held& held = model.parts[{layer, part}];
    held.insert(held.end(), rows->begin(), rows->end());
  }
}

/// Where the tokens of these tests come from, for their files.
inline CacheFacts made_facts() {
  CacheFacts facts;
  facts.origin.model = {"made", std::string(64, 'a')};
  facts.origin.architecture = "none";
  facts.origin.tokenizer = {"bytes", std::string(64, 'd')};
  facts.origin.text = {"drawn", std::string(64, 'e')};
  facts.passage = "seed 1";
  facts.rope_layout = "halves";
  facts.rope_base = 1e4;
  facts.tap = TapPoint::post_rope;
  return facts;
}

inline std::vector<std::byte> saved(const PackedCache& cache, int sequence) {
  std::vector<std::int32_t> ids(cache.tokens(sequence, 0));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * i % 5003);
  return save_sequence(cache, sequence, made_facts(), ids);
}

}  // namespace kakeya::packed_test
