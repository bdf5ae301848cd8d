// SPDX-License-Identifier: Apache-2.0
// A sweep whose codecs work where the model does gives the samples of one whose codecs work on the
// host: every field but the times, to the last bit.
#include <gtest/gtest.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/device/device_vectors.h"
#include "kakeya/measure/device_token_coder.h"
#include "measure/device/same_samples.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeModel;
using testing::kAllModes;
using testing::kContext;
using testing::kScored;
using testing::settings;

constexpr int kLayers = 4, kHeads = 2, kDim = 64;
const CacheInput kCache{{kLayers, kHeads, kHeads, kDim}, 1, nullptr};

std::vector<GridCell> grid_of(const std::string& codec, bool on_device) {
  return testing::device_grid({codec}, kCache, on_device);
}

void expect_same(const std::vector<std::string>& codecs, const ModelSubject::Settings& how,
                 std::size_t passages = 1, const ProfileSource* profiles = nullptr) {
  FakeModel model(kLayers, kHeads, kDim);
  testing::expect_same(model, fake_passages(passages, kContext + kScored), codecs, how, profiles);
}

TEST(DeviceSweep, EveryCodecWithAKernelGivesTheSamplesOfTheHost) {
  expect_same({"e8:q=10", "d4:q=38", "tq:b=4", "fp8", "fp8:scale=fp16", "q4_0", "q5_0", "q8_0",
               "q4_0:rotate=64", "q8_0:rotate=32", "kivi:b=4,group=8", "kivi:b=2,group=16",
               "ece8:bits=4", "ecz:bits=3,center=mean", "ecd4:bits=2.5,classes=channel,rotate=none",
               "ece8:bits=3,per=head-page,page=32", "ecz:step=0.2"},
              settings({EvalMode::in_forward}));
}

TEST(DeviceSweep, KltOfSingleHeadsDoes) {
  const test::OneProfile profile(test::made_profile(kDim, kLayers, kHeads));
  ModelSubject::Settings how = settings(kAllModes, 1, 3);
  how.policy.residual_window = 5;
  expect_same({"klt:bits=3", "klt:bits=2.5,lattice=tcq", "klt:bits=2,lattice=z,page=32",
               "klt:bits=3,pages=fixed,page=32", "klt:bits=3,lattice=z,pages=prefix,page=32"},
              how, 1, &profile);
}

TEST(DeviceSweep, KltOfWholeLayersDoes) {
  const test::OneProfile profile(test::made_profile(kDim, kLayers, kHeads));
  FakeModel model(kLayers, kHeads, kDim);
  const std::vector<Passage> texts = fake_passages(1, kContext + kScored);
  for (const int skipped : {0, 1}) {
    ModelSubject::Settings how = settings(kAllModes, skipped, 3);
    how.policy.residual_window = skipped == 0 ? 5 : 0;
    testing::expect_same(model, texts,
                         {"klt:bits=3,scope=layer,restart=1,page=32",
                          "klt:bits=2,lattice=tcq,scope=layer,restart=1,page=32"},
                         how, &profile);
  }
  testing::expect_same(model, texts,
                       {"klt:bits=2,scope=layer,page=32", "klt:bits=3,scope=layer,predict=1",
                        "klt:bits=2,lattice=z,scope=layer,restart=2"},
                       settings({EvalMode::prefix, EvalMode::snapshot}, 0, 3), &profile);
}

// The emulated devices cannot touch one another's memory.
TEST(DeviceSweep, LayersOnTwoDevicesDo) {
  const test::OneProfile profile(test::made_profile(kDim, kLayers, kHeads));
  const std::vector<Passage> texts = fake_passages(1, kContext + kScored);
  ModelSubject::Settings how = settings(kAllModes, 1, 3);
  how.policy.residual_window = 5;
  for (const std::vector<int>& devices :
       {std::vector<int>{0, 0, 1, 1}, {1, 1, 1, 0}, {0, 1, 1, 1}}) {
    FakeModel model(kLayers, kHeads, kDim);
    model.spread(devices);
    testing::expect_same(model, texts,
                         {"e8:q=10", "q4_0", "kivi:b=2,group=8", "ece8:bits=4", "klt:bits=3",
                          "klt:bits=3,scope=layer,restart=1,page=32"},
                         how, &profile);
    testing::expect_same(model, texts,
                         {"klt:bits=2,scope=layer,page=32", "klt:bits=3,scope=layer,predict=1",
                          "klt:bits=2,lattice=z,scope=layer,restart=2"},
                         settings({EvalMode::prefix, EvalMode::snapshot}, 0, 3), &profile);
  }
  EXPECT_EQ(current_device(), 0);
}

TEST(DeviceSweep, EveryModeDoes) { expect_same({"tq:b=3"}, settings(kAllModes), 2); }

TEST(DeviceSweep, SinksResidualWindowAndSkippedLayersDo) {
  for (const int skipped : {0, 1}) {
    ModelSubject::Settings how = settings(kAllModes, skipped, 3);
    how.policy.residual_window = 5;
    expect_same({"kivi:b=2,group=8"}, how);
  }
}

TEST(DeviceSweep, KeysAndValuesMayHaveCodecsOfTheirOwn) {
  std::vector<GridCell> grid = build_grid(expand_grid({{}, {"e8:q=4"}, {"q4_0"}}), kCache);
  add_device_codecs(grid, kCache);
  EXPECT_EQ(grid[1].device->keys.at(1).spec(), "e8:q=4");
  EXPECT_EQ(grid[1].device->values.at(2).spec(), "q4_0");
}

// What add_device_codecs() says of a codec.
std::string refusal(const std::string& codec) {
  try {
    grid_of(codec, true);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceSweep, RefusesCodecsWithoutAKernelBeforeAnyCell) {
  for (const std::string codec :
       {"d4:q=4,outliers=2", "e8:q=10,rule=published", "tq:b=4,pack=joint"}) {
    const std::string text = refusal(codec);
    EXPECT_NE(text.find(codec.substr(0, codec.find(':'))), std::string::npos) << text;
    EXPECT_NE(text.find("--codec-device cpu"), std::string::npos) << text;
  }
  EXPECT_THROW(DeviceSiteCodecs("klt:bits=2,scope=layer", kCache, Part::key), SpecError);
  EXPECT_EQ(refusal("fp8"), "");
  // A cell without codecs of the device fails, and is never measured on the host in silence.
  FakeModel model(kLayers, kHeads, kDim);
  const std::vector<Passage> texts = fake_passages(1, kContext + kScored);
  WorkerPool pool(1);
  ModelSubject::Settings how = settings({EvalMode::in_forward});
  how.on_device = true;
  ModelSubject subject(model, texts, how, pool);
  subject.start_passage(0, {"inforward"});
  EXPECT_THROW(subject.measure(grid_of("fp8", false)[1], "inforward"), InputError);
}

TEST(DeviceSweep, CodesOnTheHostWhatHasNoKernelWhereThatIsAskedFor) {
  const std::vector<std::string> codecs{"fp8", "tq:b=4,pack=joint", "e8:q=10,rule=published"};
  std::vector<GridCell> grid = build_grid(expand_grid({codecs, {}, {}}), kCache);
  add_device_codecs(grid, kCache, true);
  EXPECT_EQ(host_codecs(grid),
            (std::vector<std::string>{"tq:b=4,pack=joint", "e8:q=10,rule=published"}));
  FakeModel model(kLayers, kHeads, kDim);
  const std::vector<Passage> texts = fake_passages(2, kContext + kScored);
  ModelSubject::Settings how = settings(kAllModes, 1, 3);
  how.policy.residual_window = 5;
  const std::vector<std::string> on_host =
      testing::lines_of(model, texts, codecs, how, false, nullptr);
  EXPECT_EQ(testing::lines_of(model, texts, codecs, how, true, nullptr, true), on_host);
}

// The packed cache is on the host, wherever the model and the codecs of other modes are.
TEST(DeviceSweep, DecodesOverACacheOnTheHost) {
  expect_same({"kivi:b=4,group=16", "ece8:bits=4,page=32"},
              settings({EvalMode::in_forward, EvalMode::decode}), 2);
}

TEST(DeviceSweep, NamesThePlaceOfWhatIsNotFinite) {
  const std::size_t tokens = 16;
  std::vector<float> part(tokens * kHeads * kDim, 1.0f);
  part[(5 * kHeads + 1) * kDim + 7] = std::numeric_limits<float>::infinity();
  const std::vector<GridCell> grid = grid_of("fp8", true);
  DeviceWorkspace workspace;
  WorkerPool pool(1);
  DevicePartCoder coder(grid[1], *grid[1].device, {.layers = kLayers, .skipped_layers = 1},
                        workspace, pool);
  const DeviceVectors view =
      dense_device_vectors(part.data(), DeviceScalar::fp32, tokens, kHeads, kDim);
  coder.code({1, Part::value}, view, tokens, nullptr);
  try {
    coder.finish();
    ADD_FAILURE() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("layer 1 values"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("head 1"), std::string::npos) << error.what();
  }
  EXPECT_THROW(coder.code({0, Part::key}, view, tokens, nullptr), InputError);
}

TEST(DeviceSweep, AsksForTheTokensThatAPolicyKeeps) {
  const std::vector<GridCell> grid = grid_of("fp8", true);
  DeviceWorkspace workspace;
  WorkerPool pool(1);
  EXPECT_EQ(testing::message_of<InputError>([&] {
              DevicePartCoder(grid[1], *grid[1].device, {.layers = kLayers, .sinks = -1}, workspace,
                              pool);
            }),
            "a codec on a GPU: sinks -1, residual window 0: expected 0 or more tokens");
  const test::OneProfile profile(test::made_profile(kDim, kLayers, kHeads));
  const CacheInput cache{kCache.shape, 0, &profile};
  const std::vector<GridCell> of_layers =
      testing::device_grid({"klt:bits=3,scope=layer,restart=1,page=32"}, cache, /*on_device=*/true);
  EXPECT_EQ(testing::message_of<InputError>([&] {
              DeviceTokenCoder(*of_layers[1].tokens, *of_layers[1].device_tokens,
                               {.layers = kLayers, .residual_window = -1}, workspace, pool);
            }),
            "a codec on a GPU: sinks 0, residual window -1: expected 0 or more tokens");
}

TEST(DeviceKvCacheTest, KeepsPartsAsBf16) {
  const std::size_t tokens = 5;
  DeviceKvCache cache(2, tokens, kHeads, kDim);
  std::vector<float> part(tokens * kHeads * kDim), back(part.size(), -1.0f);
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<float>(i) / 3;
  const auto view = [&](std::vector<float>& of, std::size_t count) {
    return dense_device_vectors(of.data(), DeviceScalar::fp32, count, kHeads, kDim);
  };
  EXPECT_THROW(cache.load({1, Part::value}, view(back, tokens), nullptr), InputError);
  cache.store({1, Part::value}, view(part, tokens), nullptr);
  cache.load({1, Part::value}, view(back, 3), nullptr);
  round_to_bf16(part);
  for (std::size_t i = 0; i < part.size(); ++i) {
    EXPECT_EQ(back[i], i < 3 * kHeads * kDim ? part[i] : -1.0f);
  }
  EXPECT_THROW(cache.load({2, Part::key}, view(back, 3), nullptr), InputError);
  EXPECT_THROW(cache.store({1, Part::query}, view(part, tokens), nullptr), InputError);
  EXPECT_THROW(cache.store({1, Part::key}, view(part, 4), nullptr), InputError);
}

}  // namespace
}  // namespace kakeya
