// SPDX-License-Identifier: Apache-2.0
// A codec that fails in the middle of an append: the cache is as it was, and goes on.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <vector>

#include "kakeya/cache/packed_cache.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

constexpr std::size_t kDim = 32, kWidth = 2 * kDim;
const KvShape kShape{2, 2, 2, static_cast<int>(kDim)};

// fp8, until it is told to fail.
class FailingCodec final : public Codec {
 public:
  explicit FailingCodec(const bool& fails) : fails_(fails), codec_(make_codec("fp8", {kDim})) {}
  std::string spec() const override { return codec_->spec(); }
  std::size_t dim() const override { return kDim; }
  std::size_t encoded_bound(std::size_t count) const override {
    return codec_->encoded_bound(count);
  }
  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    if (fails_) throw std::bad_alloc();
    return codec_->encode(x, out);
  }
  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    codec_->decode(in, out);
  }
  const RateAccount& account() const override { return codec_->account(); }

 private:
  const bool& fails_;
  std::unique_ptr<Codec> codec_;
};

// Both layers: one that sees everything and one with a sliding window.
struct Caches {
  explicit Caches(bool keys_fail) {
    const std::shared_ptr<const Codec> failing = std::make_shared<FailingCodec>(fails),
                                       other = make_codec("ece8:bits=3,page=256", {kDim});
    CacheCodecs codecs;
    codecs.keys = keys_fail ? failing : other;
    codecs.values = keys_fail ? other : failing;
    const CachePolicy policy{2, 0, 4, 10};
    cache = std::make_unique<PackedCache>(kShape, policy, codecs, std::vector<std::size_t>{90, 0});
    plain = std::make_unique<PackedCache>(kShape, policy, codecs, std::vector<std::size_t>{90, 0});
    cache->add_sequence();
    plain->add_sequence();
  }
  void append(PackedCache& to, std::size_t tokens, std::uint64_t seed) const {
    std::vector<float> x(tokens * kWidth);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(Random(seed).normal(i));
    const auto rows = dense_rows<const float>(x.data(), tokens, kWidth);
    for (int layer = 0; layer < 2; ++layer) to.append(0, layer, rows, rows);
  }
  static std::vector<float> all(const PackedCache& of, KvSite site) {
    const std::size_t first = of.first_token(0, site.layer),
                      count = of.tokens(0, site.layer) - first;
    std::vector<float> values(count * kWidth);
    of.read(0, site, {first, count}, dense_rows(values.data(), count, kWidth));
    return values;
  }
  void expect_same() const {
    for (int layer = 0; layer < 2; ++layer) {
      ASSERT_EQ(cache->tokens(0, layer), plain->tokens(0, layer));
      ASSERT_EQ(cache->first_token(0, layer), plain->first_token(0, layer));
      for (const Part part : {Part::key, Part::value}) {
        EXPECT_EQ(all(*cache, {layer, part}), all(*plain, {layer, part}));
      }
    }
  }
  bool fails = false;
  std::unique_ptr<PackedCache> cache, plain;
};

TEST(PackedCacheFailure, LeavesItAsItWas) {
  for (const bool keys_fail : {true, false}) {
    Caches both(keys_fail);
    std::size_t refused = 0;
    // 1 and 3 tokens lie among the sinks; later ones seal pages of keys, of values, of both.
    for (const std::size_t tokens : {1u, 2u, 3u, 60u, 70u, 140u, 5u, 300u, 129u}) {
      both.fails = true;
      try {
        both.append(*both.cache, tokens, tokens);
        both.fails = false;  // nothing sealed, so nothing failed
      } catch (const std::bad_alloc&) {
        ++refused;
        both.fails = false;
        both.expect_same();
        both.append(*both.cache, tokens, tokens);
      }
      both.append(*both.plain, tokens, tokens);
      both.expect_same();
    }
    EXPECT_GE(refused, 3U);
  }
}

}  // namespace
}  // namespace kakeya
