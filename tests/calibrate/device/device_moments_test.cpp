// SPDX-License-Identifier: Apache-2.0
// What taps gather where a model computes is what those of the host gather: the same vectors, and
// sums that differ by rounding.
#include "kakeya/calibrate/device_moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kakeya/calibrate/build_profile.h"
#include "kakeya/calibrate/sensitivity.h"
#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/tokenizer.h"
#include "measure/fake_model.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

using testing::FakeModel;
using testing::hashed;

constexpr std::size_t kLayers = 4, kHeads = 2, kDim = 8, kWidth = 2 * kHeads * kDim;

// A part of a passage, drawn.
std::vector<float> drawn(KvSite site, std::uint64_t passage, std::size_t tokens) {
  std::vector<float> part(tokens * kHeads * kDim);
  for (std::size_t i = 0; i < part.size(); ++i) {
    part[i] = 0.3f + hashed(site.index() + 100 * static_cast<std::uint64_t>(site.part), i, passage);
  }
  return part;
}

// Shows passages of 21 and 18 tokens to a tap, where it wants them.
void show(KvTap& tap) {
  std::uint64_t passage = 0;
  for (const std::size_t tokens : {21u, 18u}) {
    ++passage;
    for (int layer = 0; layer < static_cast<int>(kLayers); ++layer) {
      for (const Part part : {Part::key, Part::value, Part::query}) {
        const KvSite site{layer, part};
        if (!tap.wants(site)) continue;
        std::vector<float> values = drawn(site, passage, tokens);
        if (tap.on_device()) {
          tap.visit_device(site, {dense_device_vectors(values.data(), DeviceScalar::fp32, tokens,
                                                       kHeads, kDim)});
        } else {
          tap.visit(site, {values.data(), tokens, kHeads, kDim, 0});
        }
      }
    }
  }
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double within) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], within * std::max(1.0, std::fabs(b[i]))) << i;
}

TEST(DeviceMoments, AreThoseOfTheHost) {
  ModelFacts facts = FakeModel(kLayers, kHeads, kDim).facts();
  const auto algebra = make_device_algebra("cpu");
  constexpr std::size_t kSinks = 3, kTokens = 33, kSamples = 9;
  CacheMoments host(facts, kTokens, kSamples), device(facts, kTokens, kSamples);
  MomentsTap on_host(host, TapPoint::post_rope, kSinks);
  DeviceMomentsTap on_device(facts, *algebra, TapPoint::post_rope, kSinks, kTokens, kSamples);
  EXPECT_EQ(on_device.tap_point(), TapPoint::post_rope);
  show(on_host);
  show(on_device);
  on_device.finish(device);
  for (int layer = 0; layer < static_cast<int>(kLayers); ++layer) {
    for (int head = 0; head < static_cast<int>(kHeads); ++head) {
      expect_near(device.queries(layer, head).matrix(false),
                  host.queries(layer, head).matrix(false), 1e-14);
      EXPECT_EQ(device.queries(layer, head).vectors(), kTokens);
      for (const Part part : {Part::key, Part::value}) {
        const KvSite site{layer, part, head};
        expect_near(device.cache(site).matrix(true), host.cache(site).matrix(true), 1e-14);
        expect_near(device.cache(site).mean(), host.cache(site).mean(), 1e-14);
        EXPECT_EQ(device.samples(site), host.samples(site));
        EXPECT_EQ(device.samples(site).size(), 9 * kDim);
      }
    }
  }
  EXPECT_THROW(show(on_device), InputError);  // more tokens than it has room for
  EXPECT_THROW(on_device.visit({0, Part::key}, {}), InputError);
}

TEST(DeviceLayerMoments, AreThoseOfTheHost) {
  for (const int together : {1, 2}) {
    Profile profile = test::made_profile(kDim, kLayers);
    profile.sinks = 3;
    profile.layer_group = together;
    const auto algebra = make_device_algebra("cpu");
    WorkerPool pool(2);
    const std::size_t groups = kLayers / static_cast<std::size_t>(together),
                      width = kWidth * static_cast<std::size_t>(together);
    LayerMoments host(groups, width), device(groups, width);
    LayerMomentsTap on_host(profile, host, TapPoint::pre_rope, 33, 9, pool);
    DeviceLayerMomentsTap on_device(profile, *algebra, device, TapPoint::pre_rope, 33, 9);
    show(on_host);
    show(on_device);
    on_device.finish();
    for (std::size_t group = 0; group < groups; ++group) {
      for (std::size_t back = 0; back <= std::min<std::size_t>(group, kMostOrder); ++back) {
        expect_near(device.product(group, back), host.product(group, back), 1e-5);
      }
      const std::vector<float>&kept = device.samples(group), &expected = host.samples(group);
      ASSERT_EQ(kept.size(), expected.size());
      EXPECT_EQ(kept.size(), 9 * width);
      for (std::size_t i = 0; i < kept.size(); ++i) ASSERT_NEAR(kept[i], expected[i], 1e-5f);
    }
  }
}

TEST(DeviceWholeTokens, AreThoseOfTheHost) {
  const ModelFacts facts = FakeModel(kLayers, kHeads, kDim).facts();
  const auto algebra = make_device_algebra("cpu");
  constexpr std::size_t kSinks = 3, kTokens = 33, kSamples = 9;
  WorkerPool pool(2);
  WholeTokenTap on_host(facts, TapPoint::pre_rope, kSinks, kTokens, kSamples, pool);
  DeviceWholeTokenTap on_device(facts, *algebra, TapPoint::pre_rope, kSinks, kTokens, kSamples);
  EXPECT_EQ(on_device.tap_point(), TapPoint::pre_rope);
  EXPECT_FALSE(on_device.wants({0, Part::query}));
  show(on_host);
  show(on_device);
  const auto host = on_host.take(), device = on_device.take();
  for (std::size_t part = 0; part < 2; ++part) {
    expect_near(device[part].mean, host[part].mean, 1e-14);
    ASSERT_EQ(device[part].covariance.size(), host[part].covariance.size());
    for (std::size_t i = 0; i < host[part].covariance.size(); ++i) {
      ASSERT_NEAR(device[part].covariance[i], host[part].covariance[i], 1e-6f) << i;
    }
    EXPECT_EQ(device[part].samples, host[part].samples);
    EXPECT_EQ(device[part].samples.size(), 9 * kLayers * kHeads * kDim);
  }
  EXPECT_THROW(on_device.visit({0, Part::key}, {}), InputError);
}

// Both kinds, of every part of the shipped model, to the last bit.
TEST(DeviceSensitivities, AreThoseOfTheHost) {
  const std::string folder = KAKEYA_SOURCE_DIR "/data/models/nano";
  const std::vector<Passage> passages =
      read_passages(KAKEYA_SOURCE_DIR "/data/text", *load_tokenizer(folder),
                    {160, 1, Cut::tokens, "--ctx 160", false});
  const auto model = load_model(folder, {.threads = 2});
  WorkerPool pool(2);
  CacheMoments moments(model->facts(), 156, 156);
  MomentsTap tap(moments, TapPoint::pre_rope, 4);
  model->prefill(passages[0].tokens, tap);
  const Profile made = build_profile(*model, moments, TapPoint::pre_rope, {{true, true}},
                                     MatrixFormat::fp16, pool, [](int) {});
  const std::vector<std::span<const std::int32_t>> texts = {passages[0].tokens};
  for (const auto method : {measure_sensitivities, measure_prefix_sensitivities}) {
    std::vector<double> found[2];
    for (const bool on_device : {false, true}) {
      Profile profile = made;
      SensitivitySettings settings;
      settings.bits = 1;
      settings.context = 48;
      settings.scored = 8;
      settings.on_device = on_device;
      method(*model, texts, settings, profile, pool, [](std::size_t) {});
      for (const PartProfile& part : profile.parts) {
        found[on_device].push_back(part.sensitivity + part.prefix_sensitivity);
      }
      EXPECT_GT(*std::max_element(found[on_device].begin(), found[on_device].end()), 0);
    }
    EXPECT_EQ(found[0], found[1]);
  }
}

}  // namespace
}  // namespace kakeya
