// SPDX-License-Identifier: Apache-2.0
// A model that decodes over a cache on a GPU, against one over the values that the codec decodes. Without a
// GPU these tests run over the kernels' text on the host, where the model's memory is the device's.
// Compiled alone: two programs have it.
#include "kakeya/generate/device_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "device/device_case.h"
#include "device/klt_heads.h"
#include "generate/coded_steps.h"
#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/plain_step_cache.h"
#include "support/scratch_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokens.h"

namespace kakeya {
namespace {

using testing::largest_difference;
using testing::ScratchFolder;
using testing::some_tokens;
using testing::TinyModel;

constexpr std::size_t kFew = 16;  // from so many new tokens on pages are decoded to bf16
constexpr const char* kTiles = "klt:bits=4,lattice=z,pages=tiles,page=128";
constexpr const char* kBudget = "klt:bits=5,lattice=z,pages=tiles,page=128,budget=2800";

class DeviceSteps : public test::DeviceCase<::testing::Test> {
 protected:
  void load(const char* architecture, std::size_t head_dim = 64, std::size_t layers = 3,
            const char* dtype = "fp32") {
    TinyModel tiny;
    tiny.architecture = architecture;
    tiny.context = 512;
    tiny.layers = layers;
    tiny.head_dim = head_dim;
    tiny.window = window_;
    tiny.fill().write_hf(scratch_ / "hf");
    const char* const device = emulated() ? "cpu" : "cuda";
    model_ = load_model(scratch_ / "hf", {device, dtype, 1});
  }
  const ModelFacts& facts() const { return model_->facts(); }
  // `spec` with a made profile where it needs one, whose vectors are as long as `size` says.
  DeviceCacheCodec codec_of(const char* spec, double size = 4) {
    if (std::string_view(spec).substr(0, 4) != "klt:") return {spec};
    const KvShape& shape = facts().shape;
    profiles_ = std::make_unique<test::OneProfile>(
        test::dense_profile(shape.dim(), shape.layers, shape.kv_heads, 1, size));
    return {spec, profiles_.get()};
  }
  CachePolicy policy_of(int skipped, int sinks, int residual) const {
    return {facts().shape.layers, skipped, sinks, residual, {}};
  }

  // Logits of tokens [first, first + count) of text `text`, which is the sequence's number too.
  std::vector<float> step(StepCache& cache, int sequence, std::size_t first, std::size_t count) {
    const std::vector<std::int32_t> tokens =
        some_tokens(count, first + 1000 * static_cast<std::size_t>(sequence));
    const StepInput input{sequence, tokens, count};
    return model_->step({&input, 1}, cache);
  }

  // Both, step by step: how far apart they are, of the largest logit, the most and in the mean.
  struct Apart {
    double most = 0, mean = 0;
  };
  Apart apart(StepCache& cache, CodedSteps& expected, int sequence, std::size_t first,
              std::size_t end, std::size_t chunk) {
    Apart all;
    expected.rounded = chunk > kFew;
    double sum = 0, count = 0;
    for (std::size_t at = first; at < end; at += chunk) {
      const std::size_t rows = std::min(chunk, end - at);
      const std::vector<float> got = step(cache, sequence, at, rows),
                               right = step(expected, sequence, at, rows);
      double largest = 0;
      for (const float value : right) largest = std::max(largest, std::abs(double{value}));
      for (std::size_t i = 0; i < right.size(); ++i) {
        const double here = std::abs(double{got.at(i)} - double{right[i]}) / largest;
        all.most = std::isnan(here) ? 1e9 : std::max(all.most, here);
        sum += here, count += 1;
      }
    }
    all.mean = sum / count;
    return all;
  }

  std::size_t window_ = 100;
  ScratchFolder scratch_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<test::OneProfile> profiles_;
};

// What attention rounds moves keys of the layers above across the middle between two points, so that only a
// model of one layer has the same pages.
TEST_F(DeviceSteps, AreStepsOverWhatTheCodecDecodes) {
  struct Case {
    const char *architecture, *spec;
    int skipped, sinks, residual;
    std::size_t layers, head_dim, chunk, tokens;
  };
  for (const Case& one :
       {Case{"llama", "e8:q=7", 0, 4, 0, 1, 64, 40, 200},
        Case{"llama", "e8:q=7", 0, 2, 0, 1, 64, 130, 130},
        Case{"qwen3", "e8:q=7", 0, 2, 0, 1, 256, 9, 153},
        Case{"qwen3", "tq:b=4", 0, 0, 20, 1, 128, 150, 330},
        Case{"qwen3", "fp8", 0, 4, 20, 1, 64, 150, 330},
        Case{"gemma3_text", "e8:q=7", 0, 4, 30, 1, 64, 50, 300},
        Case{"qwen2", "d4:q=7", 0, 70, 0, 1, 64, 30, 200},
        Case{"gemma3_text", "identity", 0, 0, 0, 3, 64, 70, 210},
        Case{"gemma3_text", "e8:q=7", 0, 4, 30, 2, 64, 50, 300},
        Case{"qwen3", "e8:q=7", 1, 4, 0, 3, 64, 50, 200},
        Case{"llama", kTiles, 0, 4, 0, 1, 64, 40, 300},
        Case{"llama", kTiles, 0, 2, 20, 1, 64, 280, 420},
        Case{"qwen3", kTiles, 0, 4, 0, 1, 128, 9, 270},
        Case{"llama", "klt:bits=4,lattice=z,pages=fixed,page=128", 0, 4, 0, 1, 64, 9, 270},
        Case{"llama", kBudget, 0, 4, 0, 1, 64, 150, 300},
        Case{"qwen3", kTiles, 1, 4, 0, 3, 64, 50, 300},
        Case{"qwen3", kTiles, 0, 4, 0, 2, 64, 50, 300}}) {
    load(one.architecture, one.head_dim, one.layers);
    const CachePolicy policy = policy_of(one.skipped, one.sinks, one.residual);
    const DeviceCacheCodec codec = codec_of(one.spec);
    DeviceCache cache(facts(), policy, codec);
    CodedSteps expected(facts(), policy, codec);
    const int sequence = cache.add_sequence();
    const std::string what = std::string(one.architecture) + " " + one.spec + ", " +
                             std::to_string(one.layers) + " layers";
    const bool exact = one.layers == 1 || std::string_view(one.spec) == "identity";
    for (const auto& [first, end, chunk] :
         {std::array{std::size_t{0}, one.tokens, one.chunk},
          std::array{one.tokens, one.tokens + 3, std::size_t{1}}}) {
      const Apart here = apart(cache, expected, sequence, first, end, chunk);
      EXPECT_LE(here.most, exact ? 3e-3 : 0.3) << what << ", tokens from " << first << " on";
      EXPECT_LE(here.mean, exact ? 2e-4 : 0.01) << what << ", tokens from " << first << " on";
    }
    EXPECT_EQ(cache.tokens(sequence), one.tokens + 3);
  }
}

// Pages of klt that a window has left, and slots that others get.
TEST_F(DeviceSteps, OverTilesBehindAWindowAreStepsOverWhatTheCodecDecodes) {
  window_ = 150;
  load("gemma3_text", 64, 1);
  const CachePolicy policy = policy_of(0, 4, 10);
  const DeviceCacheCodec codec = codec_of(kTiles);
  DeviceCache cache(facts(), policy, codec);
  CodedSteps expected(facts(), policy, codec);
  const int sequence = cache.add_sequence();
  EXPECT_LE(apart(cache, expected, sequence, 0, 440, 55).most, 3e-3);
  EXPECT_LE(apart(cache, expected, sequence, 440, 443, 1).most, 3e-3);
  EXPECT_EQ(cache.first_token(sequence, 0), 4u + 2 * 128);
}

// Slots grow with the longest page; what lies in them already is what it was.
TEST_F(DeviceSteps, LeavePagesAsTheyWereWhereSlotsGrow) {
  load("llama", 64, 1);
  DeviceCache cache(facts(), policy_of(0, 0, 0), codec_of(kTiles));
  const int sequence = cache.add_sequence();
  const auto append = [&](std::size_t first, float size) {
    const KvShape& shape = facts().shape;
    std::vector<float> values(128 * shape.part_width());
    const Random random(first + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = size * static_cast<float>(random.normal(i));
    }
    DeviceBuffer rows(4 * values.size());
    rows.copy_in(values.data(), 4 * values.size());
    const DeviceVectors given =
        dense_device_vectors(rows.data(), DeviceScalar::fp32, 128, shape.heads(), shape.dim());
    const StepPart part{sequence, 0, 128, first};
    cache.begin_step({&part, 1});
    cache.append_rows(0, given, given, nullptr);
    cache.end_step(nullptr);
  };
  const auto read = [&] {
    const DeviceVectors keys = cache.rows(sequence, 0, {0, 128}, nullptr)[0];
    std::vector<std::uint16_t> patterns(128 * facts().shape.part_width());
    device_wait(nullptr);
    device_copy_out(patterns.data(), keys.data, 2 * patterns.size());
    return patterns;
  };
  append(0, 0.5f);
  const std::vector<std::uint16_t> before = read();
  const std::uint64_t pages = cache.live_bytes().pages;
  append(128, 6.0f);
  EXPECT_GT(cache.live_bytes().pages, 2 * pages);  // twice as many, and longer
  EXPECT_EQ(read(), before);
  EXPECT_GT(std::set(before.begin(), before.end()).size(), 100u);
}

// In bf16 a GPU has other kernels for many queries, and for one over layers in bf16.
TEST_F(DeviceSteps, InBf16AreNearThoseOfTheHost) {
  load("qwen3", 64, 2, "bf16");
  for (const char* spec : {"identity", "e8:q=7"}) {
    for (const std::size_t chunk : {1u, 100u}) {
      DeviceCache cache(facts(), policy_of(0, 4, 0), {spec});
      CodedSteps expected(facts(), policy_of(0, 4, 0), {spec});
      const Apart here = apart(cache, expected, cache.add_sequence(), 0, 250, chunk);
      EXPECT_LE(here.mean, 0.02) << spec << ", " << chunk << " tokens a step";
    }
  }
}

// Sequences of other lengths side by side, of which one goes and another takes its place.
TEST_F(DeviceSteps, OfSeveralSequencesAreThoseOfEach) {
  load("llama", 64, 1);
  for (const char* spec : {"e8:q=7", "identity", kTiles}) {
    const CachePolicy policy = policy_of(0, 2, 0);
    const DeviceCacheCodec codec = codec_of(spec);
    DeviceCache cache(facts(), policy, codec, {.sequences = 2, .tokens = 64});
    CodedSteps expected(facts(), policy, codec);
    const int a = cache.add_sequence(), b = cache.add_sequence(), gone = cache.add_sequence();
    const auto go = [&](int sequence, std::size_t tokens, std::size_t chunk) {
      EXPECT_LE(apart(cache, expected, sequence, 0, tokens, chunk).most, 3e-3) << spec;
    };
    go(a, 130, 130);
    go(gone, 90, 45);
    cache.drop(gone);
    EXPECT_THROW(cache.tokens(gone), InputError);
    const int c = cache.add_sequence();
    go(b, 130, 65);
    go(c, 65, 65);
    expected.rounded = false;
    for (const std::vector<int>& sequences : {std::vector{a, b}, std::vector{b, c, a}}) {
      std::vector<std::vector<std::int32_t>> tokens;
      std::vector<StepInput> batch;
      for (const int sequence : sequences) tokens.push_back(some_tokens(1, cache.tokens(sequence)));
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        batch.push_back({sequences[i], tokens[i], 1});
      }
      const std::vector<float> got = model_->step(batch, cache),
                               right = model_->step(batch, expected);
      EXPECT_LE(largest_difference(got, right), 2e-2) << spec;
    }
  }
}

// A windowed layer's pages go to new tokens, so that it needs no more of them than its window has.
TEST_F(DeviceSteps, GivePagesThatAWindowLeftToNewTokens) {
  load("gemma3_text");
  DeviceCache cache(facts(), policy_of(0, 0, 0), {"e8:q=7"});
  const int sequence = cache.add_sequence();
  for (std::size_t at = 0; at < 300; at += 60) step(cache, sequence, at, 60);
  const std::uint64_t pages = cache.live_bytes().pages;
  for (std::size_t at = 300; at < 480; at += 60) step(cache, sequence, at, 60);
  const int windowed = static_cast<int>(facts().windows.layers.size()), all = facts().shape.layers;
  EXPECT_GT(cache.first_token(sequence, facts().windows.layers.front()), 250u);
  // Layers that see everything have three more pages; the others none.
  const std::uint64_t page = 2 * 2 * (64 * 32 + 64 * 4);
  EXPECT_LE(cache.live_bytes().pages - pages,
            static_cast<std::uint64_t>(all - windowed) * 4 * page);
}

// A step that fails is of its own sequences: others go on.
TEST_F(DeviceSteps, ThatFailLeaveOtherSequencesAlone) {
  load("llama", 64, 1);
  const CachePolicy policy = policy_of(0, 0, 0);
  DeviceCache cache(facts(), policy, {"e8:q=7"});
  CodedSteps expected(facts(), policy, {"e8:q=7"});
  const int good = cache.add_sequence(), bad = cache.add_sequence();
  EXPECT_LE(apart(cache, expected, good, 0, 70, 35).most, 3e-3);
  std::vector<float> row(facts().shape.part_width(), std::nanf(""));
  DeviceBuffer rows(4 * row.size());
  rows.copy_in(row.data(), 4 * row.size());
  const DeviceVectors wrong = dense_device_vectors(rows.data(), DeviceScalar::fp32, 1,
                                                   facts().shape.heads(), facts().shape.dim());
  const StepPart part{bad, 0, 1, 0};
  cache.begin_step({&part, 1});
  cache.append_rows(0, wrong, wrong, nullptr);
  try {
    cache.end_step(nullptr);
    ADD_FAILURE() << "expected what is not finite to be refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("a step of sequence " + std::to_string(bad) + ": "),
              0u)
        << error.what();
  }
  EXPECT_THROW(step(cache, bad, 0, 1), InputError);  // until it is dropped
  EXPECT_LE(apart(cache, expected, good, 70, 80, 1).most, 3e-3);
  cache.drop(bad);
  EXPECT_EQ(cache.tokens(cache.add_sequence()), 0u);
}

// What is so far from a profile that its code would be dearer than bf16 has no place in a page of klt.
TEST_F(DeviceSteps, RefuseVectorsThatAProfileDoesNotKnow) {
  load("llama", 64, 1);
  DeviceCache cache(facts(), policy_of(0, 0, 0), codec_of(kTiles, 0.1));
  const int sequence = cache.add_sequence();
  try {
    step(cache, sequence, 0, 130);
    ADD_FAILURE() << "expected a refusal";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("have to be in bf16"), std::string::npos)
        << error.what();
  }
}

TEST_F(DeviceSteps, RefuseWhatTheyCannotKeep) {
  load("llama");
  for (const char* spec :
       {"klt:bits=3", "klt:bits=3,lattice=z,page=128", "klt:bits=3,scope=layer"}) {
    EXPECT_THROW(DeviceCache(facts(), policy_of(0, 0, 0), codec_of(spec)), SpecError) << spec;
  }
  EXPECT_THROW(DeviceCache(facts(), policy_of(0, 0, 0), {kTiles}), InputError);  // no profile
  EXPECT_THROW(DeviceCache(facts(), policy_of(0, 0, 0), {"q8_0"}), NoKernelError);
  EXPECT_THROW(DeviceCache(facts(), policy_of(0, 0, 0), {"e8:q=10"}), NoKernelError);
  DeviceCache cache(facts(), policy_of(0, 0, 0), {"e8:q=7"});
  const int sequence = cache.add_sequence();
  EXPECT_THROW(step(cache, sequence + 1, 0, 3), InputError);
  std::vector<float> row(facts().shape.part_width());
  const Rows<float> rows = dense_rows(row.data(), 1, row.size());
  EXPECT_THROW(cache.read(sequence, {0, Part::key}, {0, 1}, rows), InputError);
  load("gemma3_text");
  EXPECT_THROW(DeviceCache(facts(), policy_of(0, 0, 40), {"e8:q=7"}), InputError);
}

}  // namespace
}  // namespace kakeya
