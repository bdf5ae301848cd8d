// SPDX-License-Identifier: Apache-2.0
// Steps over a cache against forwards of all tokens at once.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/model/model.h"
#include "support/decode_steps.h"
#include "support/plain_step_cache.h"
#include "support/read_tap.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::decode;
using testing::kNearBf16Logits;
using testing::kNearLogits;
using testing::largest_difference;
using testing::message_of;
using testing::PlainStepCache;
using testing::ReadTap;
using testing::ScratchFolder;
using testing::some_tokens;
using testing::TinyModel;

constexpr std::size_t kVocab = 50;
const ModelOptions kOneThread{"cpu", "fp32", 1};

// Every family, with MQA and MHA; windows of one token, shorter and longer than steps, and longer
// than the text.
std::vector<TinyModel> families() {
  std::vector<TinyModel> models;
  for (const char* architecture : {"llama", "mistral", "qwen2", "qwen3"}) {
    models.emplace_back().architecture = architecture;
  }
  models[0].kv_heads = 1;
  models[1].kv_heads = 4;
  for (const std::size_t window : {1u, 5u, 16u, 300u}) {
    TinyModel& tiny = models.emplace_back();
    tiny.architecture = "gemma3_text";
    tiny.window = window;
    tiny.layers = 3;
    tiny.query_scalar = 12;
  }
  for (TinyModel& tiny : models) tiny.fill();
  return models;
}

class Steps : public ::testing::Test {
 protected:
  std::unique_ptr<Model> load(const TinyModel& tiny, const ModelOptions& options = kOneThread) {
    tiny.write_hf(scratch_ / "hf");
    return load_model(scratch_ / "hf", options);
  }
  std::unique_ptr<Model> load(const char* architecture, const ModelOptions& options = kOneThread) {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.context = 2600;
    return load(tiny.fill(), options);
  }
  ScratchFolder scratch_;
};

TEST_F(Steps, OfAnySizeAgreeWithTheWholeForward) {
  const std::vector<std::int32_t> tokens = some_tokens(100);
  for (const TinyModel& tiny : families()) {
    const auto model = load(tiny);
    const std::vector<float> whole = model->logits(tokens, 0, tokens.size(), nullptr);
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      for (const std::size_t chunk : {1u, 3u, 7u, 64u, 100u}) {
        PlainStepCache cache(model->facts().shape, tap);
        EXPECT_LT(largest_difference(decode(*model, cache, tokens, chunk), whole), kNearLogits)
            << tiny.architecture << " window " << tiny.window << " " << tap_name(tap) << " "
            << chunk;
        EXPECT_EQ(cache.tokens(0), tokens.size());
      }
    }
  }
}

TEST_F(Steps, OfARealModel) {
  const std::string root = KAKEYA_SOURCE_DIR;
  const auto model = load_model(root + "/data/models/nano", kOneThread);
  const auto golden = nlohmann::json::parse(std::ifstream(root + "/tests/golden/nano_nll.json"));
  auto tokens = golden["sequences"][0]["tokens"].get<std::vector<std::int32_t>>();
  tokens.resize(100);
  const std::vector<float> whole = model->logits(tokens, 0, tokens.size(), nullptr);
  for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
    for (const std::size_t chunk : {1u, 3u, 7u, 64u, 100u}) {
      PlainStepCache cache(model->facts().shape, tap);
      EXPECT_LT(largest_difference(decode(*model, cache, tokens, chunk), whole), kNearLogits)
          << tap_name(tap) << " " << chunk;
    }
  }
}

// Over several tiles, which are bounded and read once.
TEST_F(Steps, ReadTilesOnce) {
  const std::vector<std::int32_t> tokens = some_tokens(2100);
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    const auto model = load(architecture);
    const std::vector<float> whole = model->logits(tokens, 0, tokens.size(), nullptr);
    PlainStepCache cache(model->facts().shape, TapPoint::pre_rope);
    std::vector<float> got =
        decode(*model, cache, std::span(tokens).first(2050), 410);  // blocks of queries, and a rest
    cache.reads.clear();
    const std::vector<float> last = decode(*model, cache, std::span(tokens).subspan(2050), 50);
    got.insert(got.end(), last.begin(), last.end());
    EXPECT_LT(largest_difference(got, whole), kNearLogits) << architecture;

    // Of each head of each site: the token that is to be read next.
    std::map<std::pair<std::size_t, int>, std::size_t> next;
    for (const auto& [site, range] : cache.reads) {
      const bool windowed = model->facts().windows.covers(site.layer);
      const std::size_t from = windowed ? 2050 - 4 : 0;
      const std::pair head{site.index(), site.head};
      EXPECT_EQ(range.first, next.try_emplace(head, from).first->second);
      EXPECT_LE(range.count, 1024u);
      next[head] += range.count;
    }
    ASSERT_EQ(next.size(), 4u * static_cast<std::size_t>(model->facts().shape.kv_heads));
    for (const auto& [site, end] : next) EXPECT_EQ(end, tokens.size());
  }
}

// Page by page and head by head, or in tiles of all heads, as codecs of whole tokens want it.
TEST_F(Steps, OfFewTokensDoNotDependOnHowTheyAreRead) {
  const std::vector<std::int32_t> tokens = some_tokens(150);
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    const auto model = load(architecture);
    PlainStepCache tiles(model->facts().shape, TapPoint::pre_rope);
    tiles.apart = false;
    const std::vector<float> expected = decode(*model, tiles, tokens, 3);
    for (const std::size_t run : {1u, 7u, 64u, 1000u}) {
      PlainStepCache pages(model->facts().shape, TapPoint::pre_rope);
      pages.run = run;
      EXPECT_LT(largest_difference(decode(*model, pages, tokens, 3), expected), kNearLogits)
          << architecture << " " << run;
      EXPECT_NE(pages.reads.front().site.head, KvSite::kAllHeads);
    }
  }
}

TEST_F(Steps, OfSeveralSequencesAreEachAlone) {
  for (const char* architecture : {"qwen3", "gemma3_text"}) {
    const auto model = load(architecture);
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      PlainStepCache together(model->facts().shape, tap), alone(model->facts().shape, tap);
      std::vector<std::vector<std::int32_t>> texts;
      for (const std::size_t length : {40u, 9u, 1u, 77u})
        texts.push_back(some_tokens(length, 31 * length));
      // Sequence 7 s has all but the last s + 1 tokens of text s first.
      std::vector<StepInput> batch;
      std::vector<float> expected;
      for (std::size_t s = 0; s < texts.size(); ++s) {
        const std::span<const std::int32_t> text = texts[s];
        const int sequence = 7 * static_cast<int>(s);
        const std::size_t rest = std::min(s + 1, text.size()),
                          scored = std::min<std::size_t>(s, rest);
        decode(*model, together, text.first(text.size() - rest), 100, sequence);
        decode(*model, alone, text.first(text.size() - rest), 100, sequence);
        batch.push_back({sequence, text.last(rest), scored});
        const std::vector<float> own = model->step({&batch.back(), 1}, alone);
        ASSERT_EQ(own.size(), scored * kVocab);
        const std::vector<float> whole = model->logits(text, text.size() - scored, scored, nullptr);
        EXPECT_LT(largest_difference(own, whole), kNearLogits);
        expected.insert(expected.end(), own.begin(), own.end());
      }
      EXPECT_LT(largest_difference(model->step(batch, together), expected), kNearLogits)
          << architecture << " " << tap_name(tap);
    }
  }
}

// The numbers that were kept, in a forward of all tokens at once.
TEST_F(Steps, OverABf16CacheAreAForwardOverItsNumbers) {
  const std::vector<std::int32_t> tokens = some_tokens(80);
  for (const TinyModel& tiny : families()) {
    const auto model = load(tiny);
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      PlainStepCache cache(model->facts().shape, tap, true);
      const std::vector<float> got = decode(*model, cache, tokens, 7);
      ReadTap read(cache, 0);
      EXPECT_LT(largest_difference(got, model->logits(tokens, 0, tokens.size(), &read)),
                kNearLogits)
          << tiny.architecture << " " << tap_name(tap);
      EXPECT_GT(largest_difference(got, model->logits(tokens, 0, tokens.size(), nullptr)),
                10 * kNearLogits);
    }
  }
}

// Gives back something else than it was given.
class OtherCache : public PlainStepCache {
 public:
  using PlainStepCache::PlainStepCache;
  void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const override {
    PlainStepCache::read(sequence, site, tokens, out);
    for (std::size_t row = 0; row < out.count; ++row) change(site, out[row]);
  }
  static void change(KvSite site, std::span<float> values) {
    for (float& value : values) value *= site.part == Part::key ? 0.5f : -0.75f;
  }
};
class OtherTap : public KvTap {
 public:
  explicit OtherTap(TapPoint tap) : tap_(tap) {}
  void visit(KvSite site, KvView view) override {
    OtherCache::change(site, {view.data, view.tokens * view.heads * view.dim});
  }
  TapPoint tap_point() const override { return tap_; }

 private:
  TapPoint tap_;
};

TEST_F(Steps, SeeWhatTheCacheGivesBack) {
  const std::vector<std::int32_t> tokens = some_tokens(60);
  for (const char* architecture : {"qwen2", "gemma3_text"}) {
    const auto model = load(architecture);
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      OtherTap other(tap);
      const std::vector<float> whole = model->logits(tokens, 0, tokens.size(), &other);
      for (const std::size_t chunk : {1u, 64u}) {
        OtherCache cache(model->facts().shape, tap);
        EXPECT_LT(largest_difference(decode(*model, cache, tokens, chunk), whole), kNearLogits);
      }
    }
  }
}

// Products of activations in bf16 round again what float32 sums in another order: what is between steps and the
// whole forward is compared with what is between bf16 and float32.
TEST_F(Steps, InBf16AreNearTheWholeForward) {
  const ModelOptions bf16{"cpu", "bf16", 1};
  const std::vector<std::int32_t> tokens = some_tokens(100);
  const auto mean = [](const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    return sum / static_cast<double>(a.size());
  };
  const auto check = [&](Model& model, Model& wide, const std::string& name) {
    const std::vector<float> whole = model.logits(tokens, 0, tokens.size(), nullptr),
                             exact = wide.logits(tokens, 0, tokens.size(), nullptr);
    double most = 0;
    for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
      for (const std::size_t chunk : {1u, 3u, 7u, 64u, 100u}) {
        PlainStepCache cache(model.facts().shape, tap);
        const std::vector<float> steps = decode(model, cache, tokens, chunk);
        most = std::max(most, largest_difference(steps, whole));
        EXPECT_LT(mean(steps, whole), mean(whole, exact))
            << name << " " << tap_name(tap) << " " << chunk;
      }
    }
    EXPECT_LT(most, kNearBf16Logits) << name;
    RecordProperty(name, std::to_string(most));
  };
  for (const TinyModel& tiny : families()) {
    const auto model = load(tiny, bf16), wide = load(tiny);
    check(*model, *wide, tiny.architecture + "_" + std::to_string(tiny.window));
  }
  const std::string nano = std::string(KAKEYA_SOURCE_DIR) + "/data/models/nano";
  check(*load_model(nano, bf16), *load_model(nano, kOneThread), "nano");
}

TEST_F(Steps, DoNotDependOnThreads) {
  const std::vector<std::int32_t> tokens = some_tokens(150);
  std::vector<std::vector<float>> got;
  for (const int threads : {1, 2, 5}) {
    ModelOptions options;
    options.threads = threads;
    const auto model = load("gemma3_text", options);
    PlainStepCache cache(model->facts().shape, TapPoint::pre_rope);
    got.push_back(decode(*model, cache, std::span(tokens).first(128), 128));
    const std::vector<float> last = decode(*model, cache, std::span(tokens).last(22), 1);
    got.back().insert(got.back().end(), last.begin(), last.end());
  }
  EXPECT_EQ(got[1], got[0]);
  EXPECT_EQ(got[2], got[0]);
}

TEST_F(Steps, RefuseWhatCannotBe) {
  TinyModel tiny;
  const auto model = load(tiny.fill());
  PlainStepCache cache(model->facts().shape, TapPoint::pre_rope);
  const std::vector<std::int32_t> four = {1, 2, 3, 4}, low = {1, -1}, high = {50};
  const auto fails = [&](std::vector<StepInput> batch) {
    return message_of<InputError>([&] { model->step(batch, cache); });
  };
  EXPECT_EQ(fails({}), "a step of no sequences, expected at least one");
  EXPECT_EQ(fails({{0, four}, {3, {}, 0}}), "sequence 3: no tokens, expected at least one");
  EXPECT_EQ(fails({{2, four}, {0, four}, {2, four}}), "sequence 2: twice in a step, expected once");
  EXPECT_EQ(fails({{0, four, 5}}), "sequence 0: logits of the last 5 tokens asked for, of 4");
  EXPECT_EQ(fails({{0, four}, {1, low}}), "sequence 1: token 1 is -1, expected 0 to 49");
  EXPECT_EQ(fails({{0, high}}), "sequence 0: token 0 is 50, expected 0 to 49");
  EXPECT_EQ(fails({{5, some_tokens(129)}}),
            "sequence 5: 129 tokens behind 0, expected at most 128, the model's context");
  EXPECT_TRUE(cache.empty());

  decode(*model, cache, some_tokens(126), 126);
  EXPECT_EQ(fails({{0, four}}),
            "sequence 0: 4 tokens behind 126, expected at most 128, the model's context");
  EXPECT_EQ(fails({{0, low}}), "sequence 0: token 127 is -1, expected 0 to 49");
  EXPECT_EQ(cache.tokens(0), 126u);
  EXPECT_EQ(decode(*model, cache, std::span(four).first(2), 1).size(), 2 * kVocab);
}

TEST_F(Steps, NameWhatACacheHasDropped) {
  const auto model = load("gemma3_text");  // a window of 5 in layer 0
  const std::vector<std::int32_t> tokens = some_tokens(20);
  PlainStepCache cache(model->facts().shape, TapPoint::pre_rope);
  decode(*model, cache, std::span(tokens).first(10), 10);
  const auto step_with = [&](int layer, std::size_t first, std::size_t token) {
    cache.first = {{layer, first}};
    return message_of<InputError>(
        [&] { decode(*model, cache, std::span(tokens).subspan(token, 1), 1); });
  };
  EXPECT_EQ(step_with(0, 6, 10), "");
  EXPECT_EQ(
      step_with(0, 8, 11),
      "sequence 0: layer 0: the cache has dropped tokens before 8, expected all from 7 on, which "
      "token 11 sees");
  EXPECT_EQ(cache.tokens(0), 11u);  // of the last layer
  PlainStepCache other(model->facts().shape, TapPoint::pre_rope);
  other.first = {{1, 1}};
  EXPECT_NE(message_of<InputError>([&] { decode(*model, other, tokens, 20); }).find("layer 1"),
            std::string::npos);
}

TEST_F(Steps, PassOnWhatACacheThrows) {
  const auto model = load("qwen3");
  PlainStepCache cache(model->facts().shape, TapPoint::pre_rope);
  const std::vector<std::int32_t> tokens = some_tokens(20);
  decode(*model, cache, std::span(tokens).first(10), 10);
  cache.fail_at = 1;
  EXPECT_THROW(decode(*model, cache, std::span(tokens).last(10), 10), std::runtime_error);
  EXPECT_EQ(cache.tokens(0), 10u);
}

}  // namespace
}  // namespace kakeya
