// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <stdexcept>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"
#include "kakeya/model/model.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using testing::ScratchFolder;
using testing::TinyModel;

constexpr std::size_t kTokens = 45;

std::vector<std::int32_t> some_tokens(std::size_t count) {
  std::vector<std::int32_t> tokens;
  for (std::size_t i = 0; i < count; ++i)
    tokens.push_back(static_cast<std::int32_t>((i * i * 5 + 11 * i + 3) % 50));
  return tokens;
}

/// Remembers everything it sees, and may change it.
class Recorder : public KvTap {
 public:
  void visit(KvSite site, KvView view) override {
    seen.push_back({site, view, {view.data, view.data + view.tokens * view.heads * view.dim}});
    if (change) change(site, view);
  }
  bool wants(KvSite site) const override { return site.part != Part::query || queries; }
  bool writes(KvSite site) const override { return site.part != Part::query && may_write; }
  TapPoint tap_point() const override { return point; }
  std::size_t replaced_tokens() const override { return replaced; }

  const std::vector<float>& values(int layer, Part part) const {
    for (const Seen& each : seen) {
      if (each.site.layer == layer && each.site.part == part) return each.values;
    }
    throw std::out_of_range("no such visit");
  }

  struct Seen {
    KvSite site;
    KvView view;
    std::vector<float> values;
  };
  std::vector<Seen> seen;
  std::function<void(KvSite, KvView)> change;
  bool queries = false, may_write = true;
  TapPoint point = TapPoint::pre_rope;
  std::size_t replaced = 0;
};

class Tap : public ::testing::Test {
 protected:
  void load(const char* architecture = "qwen3", const char* dtype = "fp32") {
    tiny_.architecture = architecture;
    tiny_.fill().write_hf(scratch_ / "hf");
    ModelOptions options;
    options.block_tokens = 16;
    options.dtype = dtype;
    model_ = load_model(scratch_ / "hf", options);
  }
  std::vector<float> logits(KvTap* tap) { return model_->logits(tokens_, 0, kTokens, tap); }

  ScratchFolder scratch_;
  TinyModel tiny_;
  std::unique_ptr<Model> model_;
  std::vector<std::int32_t> tokens_ = some_tokens(kTokens);
};

TEST_F(Tap, SeesEveryLayerInOrder) {
  load();
  for (const bool queries : {false, true}) {
    for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
      Recorder tap;
      tap.queries = queries;
      tap.point = point;
      logits(&tap);
      const std::size_t parts = queries ? 3 : 2;
      ASSERT_EQ(tap.seen.size(), 2 * parts);
      for (std::size_t i = 0; i < tap.seen.size(); ++i) {
        const auto& [site, view, values] = tap.seen[i];
        EXPECT_EQ(site.layer, static_cast<int>(i / parts));
        EXPECT_EQ(site.part, (std::array{Part::key, Part::value, Part::query})[i % parts]);
        EXPECT_EQ(view.tokens, kTokens);
        EXPECT_EQ(view.heads, site.part == Part::query ? 4u : 2u);
        EXPECT_EQ(view.dim, 8u);
        EXPECT_EQ(view.first_token, 0u);
      }
    }
  }
}

// A tap that works where the model does sees the model's own parts, and what it writes is gone on
// with. Here both are the host.
TEST_F(Tap, WorksOnTheModelsOwnParts) {
  class OnDevice : public Recorder {
   public:
    bool on_device() const override { return true; }
    void visit_device(KvSite site, const DeviceKvView& shown) override {
      const DeviceVectors& x = shown.values;
      EXPECT_EQ(shown.exact.data != nullptr, site.part != Part::query && exact_window() > 0);
      EXPECT_EQ(shown.stream, nullptr);
      const bool wide = x.type == DeviceScalar::fp32;
      Seen part{site, {nullptr, x.tokens, x.heads, x.dim, shown.first_token}, {}};
      for (std::size_t at = 0; at < x.tokens * x.heads * x.dim; ++at) {
        const std::size_t vector = at / x.dim, i = vector / x.heads * x.token_stride +
                                                   vector % x.heads * x.head_stride + at % x.dim;
        auto* const narrow = static_cast<std::uint16_t*>(x.data) + i;
        auto* const exact = static_cast<float*>(x.data) + i;
        part.values.push_back(wide ? *exact : bfloat16_to_float(*narrow));
        if (site.part == Part::query || !may_write) continue;
        wide ? void(*exact *= 0.5f) : void(*narrow = float_to_bfloat16(part.values.back() * 0.5f));
      }
      seen.push_back(part);
    }
    std::size_t exact_window() const override { return window; }
    std::size_t window = 0;
  };
  for (const char* dtype : {"fp32", "bf16"}) {
    load("qwen3", dtype);
    for (const bool writes : {false, true}) {
      Recorder host;
      OnDevice device;
      host.may_write = device.may_write = writes;
      host.queries = device.queries = true;
      host.change = [&](KvSite site, KvView view) {
        if (site.part == Part::query) return;
        for (std::size_t i = 0; i < view.tokens * view.heads * view.dim; ++i) view.data[i] *= 0.5f;
      };
      EXPECT_EQ(logits(&host), logits(&device)) << dtype << writes;
      ASSERT_EQ(host.seen.size(), device.seen.size());
      for (std::size_t i = 0; i < host.seen.size(); ++i) {
        EXPECT_EQ(host.seen[i].site, device.seen[i].site);
        EXPECT_EQ(host.seen[i].values, device.seen[i].values);
      }
      device.window = 4;
      logits(&device);
    }
  }
  Recorder neither;
  EXPECT_THROW(neither.visit_device({0, Part::key}, {}), InputError);
}

// Keys and values as they are seen one after the other, at once; and what is written to both is
// gone on with.
TEST_F(Tap, SeesPairs) {
  class Pairs : public Recorder {
   public:
    bool wants_pairs() const override { return true; }
    void visit_pair(int layer, KvView keys, KvView values) override {
      EXPECT_NE(keys.data, values.data);
      EXPECT_EQ(keys.exact, nullptr);
      Recorder::visit_pair(layer, keys, values);
    }
  };
  for (const char* dtype : {"fp32", "bf16"}) {
    load("qwen3", dtype);
    for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
      for (const bool writes : {false, true}) {
        Recorder single;
        Pairs pairs;
        for (Recorder* tap : {&single, static_cast<Recorder*>(&pairs)}) {
          tap->queries = true;
          tap->point = point;
          tap->may_write = writes;
          tap->change = [](KvSite site, KvView view) {
            const float factor = site.part == Part::key ? 0.5f : 0.75f;
            for (std::size_t i = 0; i < view.tokens * view.heads * view.dim; ++i) {
              view.data[i] *= factor;
            }
          };
        }
        EXPECT_EQ(logits(&pairs), logits(&single));
        ASSERT_EQ(pairs.seen.size(), single.seen.size());
        for (std::size_t i = 0; i < single.seen.size(); ++i) {
          EXPECT_EQ(pairs.seen[i].site.layer, single.seen[i].site.layer);
          EXPECT_EQ(pairs.seen[i].site.part, single.seen[i].site.part);
          EXPECT_EQ(pairs.seen[i].values, single.seen[i].values);
        }
      }
    }
  }
}

TEST_F(Tap, WatchingChangesNothing) {
  for (const char* dtype : {"fp32", "bf16"}) {
    load("qwen3", dtype);
    const std::vector<float> alone = logits(nullptr);
    for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
      Recorder tap;
      tap.queries = true;
      tap.point = point;
      EXPECT_EQ(logits(&tap), alone);
      EXPECT_EQ(tap.seen.size(), 6u);
    }
  }
}

// Layer 0 by hand: x = embedding, K = QK-norm(W_k rms_norm(x)), V = W_v rms_norm(x); after RoPE
// each pair is turned by its angle.
TEST_F(Tap, SeesKeysAfterNormBeforeOrAfterRope) {
  load();
  Recorder before, after;
  after.point = TapPoint::post_rope;
  logits(&before);
  logits(&after);
  const auto tensor = [&](const char* name) -> const std::vector<float>& {
    return tiny_.tensors.at(name).values;
  };
  const auto normed = [](std::vector<double> x, const std::vector<float>& weight) {
    double square = 0;
    for (const double value : x) square += value * value;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] *=
          static_cast<double>(weight[i]) / std::sqrt(square / static_cast<double>(x.size()) + 1e-5);
    }
    return x;
  };
  for (const std::size_t t : {0u, 1u, 44u}) {
    std::vector<double> x;
    for (std::size_t i = 0; i < 24; ++i) {
      x.push_back(static_cast<double>(
          tensor("model.embed_tokens.weight")[static_cast<std::size_t>(tokens_[t]) * 24 + i]));
    }
    x = normed(x, tensor("model.layers.0.input_layernorm.weight"));
    for (std::size_t head = 0; head < 2; ++head) {
      std::vector<double> k(8), v(8);
      for (std::size_t d = 0; d < 8; ++d) {
        for (std::size_t i = 0; i < 24; ++i) {
          k[d] += x[i] * static_cast<double>(tensor(
                             "model.layers.0.self_attn.k_proj.weight")[(head * 8 + d) * 24 + i]);
          v[d] += x[i] * static_cast<double>(tensor(
                             "model.layers.0.self_attn.v_proj.weight")[(head * 8 + d) * 24 + i]);
        }
      }
      k = normed(k, tensor("model.layers.0.self_attn.k_norm.weight"));
      for (std::size_t d = 0; d < 8; ++d) {
        const std::size_t at = (t * 2 + head) * 8 + d;
        EXPECT_NEAR(static_cast<double>(before.values(0, Part::key)[at]), k[d], 1e-5);
        EXPECT_NEAR(static_cast<double>(before.values(0, Part::value)[at]), v[d], 1e-5);
        EXPECT_NEAR(static_cast<double>(after.values(0, Part::value)[at]), v[d], 1e-5);
        const double angle =
            static_cast<double>(t) * std::pow(10000.0, -2.0 * static_cast<double>(d % 4) / 8);
        const double other = d < 4 ? -k[d + 4] : k[d - 4];
        EXPECT_NEAR(static_cast<double>(after.values(0, Part::key)[at]),
                    k[d] * std::cos(angle) + other * std::sin(angle), 1e-5);
      }
    }
  }
}

TEST_F(Tap, WhatItWritesTakesEffect) {
  load();
  const std::vector<float> alone = logits(nullptr);
  const auto scale_by = [](float factor) {
    return [factor](KvSite, KvView view) {
      for (std::size_t i = 0; i < view.tokens * view.heads * view.dim; ++i) view.data[i] *= factor;
    };
  };
  for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
    Recorder tap;
    tap.point = point;
    tap.change = scale_by(1);
    EXPECT_EQ(logits(&tap), alone);
    tap.change = scale_by(0.5f);
    const std::vector<float> halved = logits(&tap);
    EXPECT_NE(halved, alone);
    tap.may_write = false;  // says it will not write: what it did is not taken over
    EXPECT_EQ(logits(&tap), alone);
    // Halving K before RoPE is halving it after: RoPE is linear.
    Recorder other;
    other.point = point == TapPoint::pre_rope ? TapPoint::post_rope : TapPoint::pre_rope;
    other.change = scale_by(0.5f);
    EXPECT_EQ(logits(&other), halved);
  }
}

// Tokens whose K and V a tap sets cost nothing, and the others come out the same to the last bit.
TEST_F(Tap, ReplacedTokensAreNotComputed) {
  constexpr std::size_t kReplaced = 40, kFirst = 36, kBegin = 32;  // whole blocks of 16
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    load(architecture);
    for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
      Recorder clean, tap;
      clean.point = tap.point = point;
      const auto expected = model_->logits(tokens_, kFirst, kTokens - kFirst, &clean);
      tap.replaced = kReplaced;
      tap.change = [&](KvSite site, KvView view) {
        std::copy_n(clean.values(site.layer, site.part).data(), kReplaced * view.heads * view.dim,
                    view.data);
      };
      EXPECT_EQ(model_->logits(tokens_, kFirst, kTokens - kFirst, &tap), expected);
      ASSERT_EQ(tap.seen.size(), clean.seen.size());
      for (std::size_t i = 0; i < tap.seen.size(); ++i) {
        const auto& seen = tap.seen[i].values;
        const auto begin = static_cast<std::ptrdiff_t>(kBegin * seen.size() / kTokens);
        EXPECT_EQ(std::count(seen.begin(), seen.begin() + begin, 0.0f), begin);
        EXPECT_TRUE(
            std::equal(seen.begin() + begin, seen.end(), clean.seen[i].values.begin() + begin));
      }
      // Logits of a replaced token need it.
      EXPECT_EQ(model_->logits(tokens_, 3, 1, &tap), model_->logits(tokens_, 3, 1, &clean));
    }
  }
}

// With V zero in every layer nothing flows between tokens: each position depends on its own token
// alone.
TEST_F(Tap, ValuesOfZeroIsolateTokens) {
  load("llama");
  Recorder tap;
  tap.change = [](KvSite site, KvView view) {
    if (site.part == Part::value) std::fill_n(view.data, view.tokens * view.heads * view.dim, 0.0f);
  };
  const std::vector<float> first = logits(&tap);
  for (std::size_t i = 0; i + 1 < kTokens; ++i) tokens_[i] = (tokens_[i] + 1) % 50;
  const std::vector<float> second = logits(&tap);
  EXPECT_TRUE(std::equal(first.end() - 50, first.end(), second.end() - 50));
  EXPECT_FALSE(std::equal(first.begin(), first.begin() + 50, second.begin()));
}

TEST_F(Tap, WritesBf16AsTheModelHoldsIt) {
  load("llama", "bf16");
  Recorder tap;
  tap.queries = true;
  logits(&tap);
  for (const auto& seen : tap.seen) {
    for (const float value : seen.values) {
      ASSERT_EQ(bits_of(value) & 0xffffu, 0u);  // a bf16 number
    }
  }
}

TEST_F(Tap, PrefillShowsTheSame) {
  load();
  Recorder scored, prefilled;
  scored.queries = prefilled.queries = true;
  logits(&scored);
  model_->prefill(tokens_, prefilled);
  ASSERT_EQ(prefilled.seen.size(), scored.seen.size());
  for (std::size_t i = 0; i < scored.seen.size(); ++i)
    EXPECT_EQ(prefilled.seen[i].values, scored.seen[i].values);
}

TEST_F(Tap, FailuresComeThrough) {
  load();
  Recorder tap;
  tap.change = [](KvSite site, KvView) {
    if (site.layer == 1) throw std::runtime_error("from the tap");
  };
  EXPECT_THROW(logits(&tap), std::runtime_error);
  EXPECT_EQ(logits(nullptr).size(), kTokens * 50);  // and the model still works
}

// What a tap costs beside the forward: two copies of K and V, a few percent of a model of ordinary
// width. Processor time, the least of as many runs as it takes to show it: other work on the
// machine can only add.
TEST(TapCost, IsSmall) {
  ScratchFolder scratch;
  TinyModel tiny;
  tiny.layers = 4;
  tiny.query_heads = 8;
  tiny.kv_heads = 4;
  tiny.head_dim = 64;
  tiny.hidden = 512;
  tiny.ffn = 1024;
  tiny.context = 512;
  tiny.fill().write_hf(scratch / "hf");
  const auto model = load_model(scratch / "hf", {});
  class Touch : public KvTap {
   public:
    void visit(KvSite, KvView view) override { view.data[0] += 1; }
  } tap;
  const std::vector<std::int32_t> tokens = some_tokens(512);
  const auto cost = [&](KvTap* with) {
    const std::clock_t start = std::clock();
    model->logits(tokens, 511, 1, with);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  constexpr double kMostCost = 1.1;
  double alone = 1e9, tapped = 1e9;
  for (int run = 0; run < 4 || (run < 60 && tapped > kMostCost * alone); ++run) {
    alone = std::min(alone, cost(nullptr));
    tapped = std::min(tapped, cost(&tap));
  }
  EXPECT_LT(tapped, kMostCost * alone) << alone * 1e3 << " ms alone";
}

}  // namespace
}  // namespace kakeya
