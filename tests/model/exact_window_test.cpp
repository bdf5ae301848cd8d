// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "kakeya/model/model.h"
#include "model/reference_decoder.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"

namespace kakeya {
namespace {

using testing::ReferenceCodec;
using testing::ReferenceDecoder;
using testing::ScratchFolder;
using testing::TinyModel;

constexpr std::size_t kTokens = 37, kVocab = 50;

std::vector<std::int32_t> some_tokens() {
  std::vector<std::int32_t> tokens;
  for (std::size_t i = 0; i < kTokens; ++i)
    tokens.push_back(static_cast<std::int32_t>((i * i * 7 + 3 * i + 11) % kVocab));
  return tokens;
}

/// A codec that no rotation commutes with: which side of RoPE it works on shows.
double coded(std::size_t layer, bool is_key, std::size_t token, std::size_t i, double value) {
  const double gain = 0.4 + 0.2 * static_cast<double>((token + 3 * layer) % 5);
  return gain * value + (is_key ? 0.3 : -0.2) * std::cos(static_cast<double>(i + token));
}

/// Codes `data` and leaves `exact` as it is.
class WindowTap : public KvTap {
 public:
  WindowTap(std::size_t window, TapPoint point) : window_(window), point_(point) {}

  void visit(KvSite site, KvView view) override {
    EXPECT_EQ(view.exact != nullptr, window_ > 0 && site.part != Part::query);
    const std::size_t width = view.heads * view.dim, count = view.tokens * width;
    if (view.exact) {
      EXPECT_EQ(std::memcmp(view.data, view.exact, count * sizeof(float)), 0);
    }
    if (site.part == Part::query) return;
    for (std::size_t i = 0; i < count; ++i)
      view.data[i] = change(site, i / width, i % width, view.data[i]);
  }
  bool wants(KvSite) const override { return true; }
  bool writes(KvSite site) const override { return site.part != Part::query && may_write; }
  TapPoint tap_point() const override { return point_; }
  std::size_t exact_window() const override { return window_; }

  std::function<float(KvSite, std::size_t token, std::size_t i, float value)> change =
      [](KvSite site, std::size_t token, std::size_t i, float value) {
        return static_cast<float>(coded(static_cast<std::size_t>(site.layer),
                                        site.part == Part::key, token, i,
                                        static_cast<double>(value)));
      };
  bool may_write = true;

 private:
  std::size_t window_;
  TapPoint point_;
};

class ExactWindow : public ::testing::Test {
 protected:
  static TinyModel tiny_of(const char* architecture, std::size_t window = 5) {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.window = window;
    return tiny.fill();
  }
  std::unique_ptr<Model> load(const TinyModel& tiny, int block = 16, int threads = 0,
                              const char* dtype = "fp32") {
    tiny.write_hf(scratch_ / "hf");
    ModelOptions options;
    options.block_tokens = block;
    options.threads = threads;
    options.dtype = dtype;
    return load_model(scratch_ / "hf", options);
  }
  std::vector<float> logits(Model& model, KvTap* tap) {
    return model.logits(tokens_, 0, kTokens, tap);
  }
  /// How far logits are from those of plain loops, as a share of the largest of these.
  static double error_of(const std::vector<float>& got,
                         const std::vector<std::vector<double>>& expected) {
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double want = expected[i / kVocab][i % kVocab];
      const double error = std::abs(static_cast<double>(got[i]) - want);
      most = std::isnan(error) ? HUGE_VAL : std::max(most, error);
      largest = std::max(largest, std::abs(want));
    }
    return most / largest;
  }

  ScratchFolder scratch_;
  std::vector<std::int32_t> tokens_ = some_tokens();
};

TEST_F(ExactWindow, IsTheSameForPairs) {
  class Pairs : public WindowTap {
   public:
    using WindowTap::WindowTap;
    bool wants_pairs() const override { return true; }
  };
  const auto model = load(tiny_of("qwen3"));
  for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
    WindowTap single(5, point);
    Pairs pairs(5, point);
    EXPECT_EQ(logits(*model, &pairs), logits(*model, &single));
  }
}

// Windows shorter and longer than a block, than a sliding window, and than the text.
TEST_F(ExactWindow, AgreesWithPlainLoops) {
  for (const TinyModel& tiny : {tiny_of("llama"), tiny_of("qwen3"), tiny_of("gemma3_text", 1),
                                tiny_of("gemma3_text", 5), tiny_of("gemma3_text", 20)}) {
    std::vector<std::unique_ptr<Model>> models;
    for (const int block : {1, 7, 16, 64}) models.push_back(load(tiny, block));
    for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
      const auto expected = [&](std::size_t window) {
        const auto change = [](std::size_t layer, bool is_key, std::size_t token,
                               std::vector<double>& row) {
          for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = coded(layer, is_key, token, i, row[i]);
        };
        return ReferenceDecoder(tiny, {change, window, point == TapPoint::post_rope})
            .logits(tokens_);
      };
      for (const std::size_t window : {0u, 1u, 3u, 4u, 5u, 6u, 15u, 16u, 17u, 20u, 36u, 37u, 99u}) {
        SCOPED_TRACE(tiny.architecture + " sliding " + std::to_string(tiny.window) + " window " +
                     std::to_string(window));
        const auto wanted = expected(window), longer = expected(window + 1);
        for (const auto& model : models) {
          WindowTap tap(window, point);
          const std::vector<float> got = logits(*model, &tap);
          ASSERT_EQ(got.size(), kTokens * kVocab);
          EXPECT_LT(error_of(got, wanted), 2e-5);
          if (window < kTokens) {
            EXPECT_GT(error_of(got, longer), 1e-4);
          }
        }
      }
    }
  }
}

// What nobody sees as coded need not even be a number.
TEST_F(ExactWindow, OverAllTokensNoCodecChangesAnything) {
  for (const char* architecture : {"llama", "qwen3", "gemma3_text"}) {
    for (const char* dtype : {"fp32", "bf16"}) {
      const auto model = load(tiny_of(architecture), 16, 0, dtype);
      const std::vector<float> alone = logits(*model, nullptr);
      for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
        for (const std::size_t window : {kTokens, kTokens + 1, ~std::size_t{0}}) {
          WindowTap tap(window, point);
          tap.change = [](KvSite, std::size_t, std::size_t, float) {
            return std::numeric_limits<float>::quiet_NaN();
          };
          EXPECT_EQ(logits(*model, &tap), alone) << architecture << " " << dtype << " " << window;
        }
      }
    }
  }
}

TEST_F(ExactWindow, NobodySeesTheLastTokensCoded) {
  for (const std::size_t window : {1u, 3u, 20u}) {
    const auto model = load(tiny_of("gemma3_text"));
    WindowTap tap(window, TapPoint::pre_rope);
    const std::vector<float> before = logits(*model, &tap);
    const auto change = tap.change;
    std::size_t first = kTokens - window;
    tap.change = [&](KvSite site, std::size_t token, std::size_t i, float value) {
      return token >= first ? std::numeric_limits<float>::quiet_NaN()
                            : change(site, token, i, value);
    };
    EXPECT_EQ(logits(*model, &tap), before) << window;
    --first;  // the last query sees this one
    const std::vector<float> after = logits(*model, &tap);
    EXPECT_TRUE(std::isnan(after.back()));
  }
}

// A tap that writes the same into both versions, or nothing at all, has a window that does not
// matter but for the order in which products are summed.
TEST_F(ExactWindow, OfEqualVersionsIsNone) {
  for (const char* architecture : {"llama", "gemma3_text"}) {
    const auto model = load(tiny_of(architecture));
    const std::vector<float> alone = logits(*model, nullptr);
    for (const std::size_t window : {1u, 3u, 17u}) {
      WindowTap same(window, TapPoint::pre_rope), silent(window, TapPoint::pre_rope);
      same.change = [](KvSite, std::size_t, std::size_t, float value) { return value; };
      silent.may_write = false;
      const std::vector<float> got = logits(*model, &same);
      EXPECT_EQ(logits(*model, &silent), got);
      double most = 0;
      for (std::size_t i = 0; i < got.size(); ++i)
        most = std::max(most, static_cast<double>(std::abs(got[i] - alone[i])));
      EXPECT_LT(most, 2e-5) << architecture << " " << window;
    }
  }
}

TEST_F(ExactWindow, ThreadsAndRowsAskedForChangeNothing) {
  const TinyModel tiny = tiny_of("gemma3_text", 20);
  WindowTap tap(5, TapPoint::pre_rope);
  const std::vector<float> alone = logits(*load(tiny, 8, 1), &tap);
  for (const int threads : {2, 5}) EXPECT_EQ(logits(*load(tiny, 8, threads), &tap), alone);
  const std::vector<float> part = load(tiny, 8)->logits(tokens_, 30, 7, &tap);
  ASSERT_EQ(part.size(), 7 * kVocab);
  for (std::size_t i = 0; i < part.size(); ++i)
    EXPECT_NEAR(part[i], alone[30 * kVocab + i], 2e-5) << i;
}

TEST_F(ExactWindow, Bf16IsNearFp32) {
  const TinyModel tiny = tiny_of("gemma3_text");
  for (const std::size_t window : {1u, 3u, 20u}) {
    WindowTap tap(window, TapPoint::pre_rope);
    const std::vector<double> wide = load(tiny)->nll(tokens_, 1, &tap),
                              narrow = load(tiny, 16, 0, "bf16")->nll(tokens_, 1, &tap);
    double difference = 0;
    for (std::size_t i = 0; i < wide.size(); ++i)
      difference += std::abs(wide[i] - narrow[i]) / static_cast<double>(wide.size());
    EXPECT_LT(difference, 0.1) << window;
    EXPECT_GT(difference, 1e-5) << window;
  }
}

}  // namespace
}  // namespace kakeya
