// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/made_int8.h"
#include "support/made_profile.h"

namespace kakeya {
namespace {

TEST(Profile, OffsetsAreHalfTheLogarithmOfSensitivities) {
  Profile profile = test::made_profile(16);
  EXPECT_EQ(profile.rate_offsets(), (std::vector<double>{-0.5, 0.5, -0.5, 0.5}));
  profile.parts[0].sensitivity = 16;
  const auto offsets = profile.rate_offsets();
  EXPECT_NEAR(offsets[0] - offsets[1], 1.0, 1e-12);
  EXPECT_NEAR(offsets[0] + offsets[1] + offsets[2] + offsets[3], 0.0, 1e-12);
}

TEST(Profile, OffsetsAreLimited) {
  Profile profile = test::made_profile(16);
  profile.parts[0].sensitivity = 1e12;
  const auto offsets = profile.rate_offsets();
  // The first is cut to +3, the others to -3, and then the mean to 0.
  EXPECT_NEAR(offsets[0] - offsets[2], 6.0, 1e-12);
  EXPECT_NEAR(offsets[0], 4.5, 1e-12);
  profile.parts[1].sensitivity = 0;
  EXPECT_THROW(profile.rate_offsets(), InputError);
}

TEST(Profile, WhatDoesNotFitIsRefused) {
  const Profile good = test::made_profile(16);
  EXPECT_NO_THROW(check_profile(good, "p"));
  EXPECT_EQ(good.reader_bytes(), 4 * (2 * (16 * 4 + 2 * 256 + 16) + 4));
  const auto refused = [&](auto change) {
    Profile bad = good;
    change(bad);
    EXPECT_THROW(check_profile(bad, "p"), InputError);
  };
  refused([](Profile& p) { p.shape.layers = 3; });
  refused([](Profile& p) { p.variants.clear(); });
  refused([](Profile& p) { p.variants.push_back({false, true}); });
  refused([](Profile& p) { p.parts[1].heads[0].pop_back(); });
  refused([](Profile& p) { p.parts[1].heads[0][0].mean.pop_back(); });
  refused([](Profile& p) { p.parts[3].heads[0][1].forward[5] = NAN; });
  refused([](Profile& p) { p.parts[3].sensitivity = -1; });
  EXPECT_THROW(good.transform({0, Part::key, 0}, {false, true}), InputError);
}

TEST(Profile, TransformsOfLayersThatDoNotFitAreRefused) {
  const Profile good = test::made_profile(8, 3);
  EXPECT_NO_THROW(check_profile(good, "p"));
  ASSERT_EQ(good.layer_transforms.size(), 3u);
  const auto refused = [&](auto change) {
    Profile bad = good;
    change(bad);
    EXPECT_THROW(check_profile(bad, "p"), InputError);
  };
  refused([](Profile& p) { p.layer_transforms.emplace_back(); });
  refused([](Profile& p) { p.layer_transforms[1].pop_back(); });
  refused([](Profile& p) { p.layer_octaves.pop_back(); });
  refused([](Profile& p) { p.layer_octaves[0] = 64; });
  refused([](Profile& p) { p.layer_octaves[5] = NAN; });
  refused([](Profile& p) { p.layer_transforms[0][2].rotation.pop_back(); });
  refused([](Profile& p) { p.layer_transforms[2][2].predictor.pop_back(); });
  refused([](Profile& p) { p.layer_transforms[0][0].predictor.push_back(0); });
  refused([](Profile& p) { p.layer_transforms[1][1].classes.pop_back(); });
  refused([](Profile& p) { p.layer_transforms[1][1].deviations.pop_back(); });
  refused([](Profile& p) { p.layer_transforms[1][1].deviations[7] = 33; });
  refused([](Profile& p) { p.layer_transforms[2][2].deviations[0] = -128; });
  refused([](Profile& p) { p.layer_group = 2; });
  refused([](Profile& p) { p.layer_group = 0; });
  refused([](Profile& p) { p.layer_shaping = 1.5; });
  refused([](Profile& p) { p.layer_shaping = NAN; });
  refused([](Profile& p) { p.layer_transforms[2][2].rotation[7] = 0x7c00; });   // infinity
  refused([](Profile& p) { p.layer_transforms[1][2].predictor[7] = 0xfe00; });  // NaN
  Profile without = good;
  without.layer_transforms.clear();
  EXPECT_NO_THROW(check_profile(without, "p"));
}

TEST(Profile, MatricesOfAByteAValue) {
  Profile good = test::made_profile(8, 3);
  test::round_matrices(good);
  EXPECT_NO_THROW(check_profile(good, "p"));
  EXPECT_EQ(good.reader_bytes(), 6 * (2 * (8 * 4 + 64 + 8 * 4 + 8) + 4));
  const std::size_t octaves = 6 * 4, classes = 8 * 32, matrix = 32 * 32, scale = 32 * 4;
  EXPECT_EQ(good.layer_reader_bytes(0), octaves + 3 * (matrix + scale + classes));
  EXPECT_EQ(good.layer_reader_bytes(2),
            octaves + 3 * (matrix + scale + classes) + 3 * matrix + 2 * scale);
  const auto refused = [&](auto change) {
    Profile bad = good;
    change(bad);
    EXPECT_THROW(check_profile(bad, "p"), InputError);
  };
  refused([](Profile& p) { p.matrices = MatrixFormat::fp16; });
  refused([](Profile& p) { p.parts[1].heads[0][1].forward[3] += 1e-3f; });
  refused([](Profile& p) { p.parts[1].heads[0][1].stored_forward.steps.pop_back(); });
  refused([](Profile& p) { p.layer_transforms[1][1].stored_predictor.scale.pop_back(); });
  refused([](Profile& p) { p.layer_transforms[0][1].stored_rotation.scale[4] = NAN; });
  refused([](Profile& p) { p.layer_transforms[2][2].stored_rotation = {}; });
}

TEST(Profile, TransformsOfLayersByOrderAndLayer) {
  const Profile profile = test::made_profile(8, 3);
  EXPECT_EQ(&profile.layer_transform(2, 2), &profile.layer_transforms[2][2]);
  EXPECT_EQ(profile.layer_width(), 32u);
  for (const auto& [order, layer] : {std::pair(3, 2), std::pair(1, 0), std::pair(0, 3)}) {
    EXPECT_THROW(profile.layer_transform(order, layer), InputError) << order << " " << layer;
  }
  // Octaves; then a rotation, deviations and classes of each layer, and the predictors of as many
  // as there are before it.
  const std::size_t each = 2 * 32 * 32 + 8 * 32, octaves = 4 * 6;
  EXPECT_EQ(profile.layer_reader_bytes(0), octaves + 3 * each);
  EXPECT_EQ(profile.layer_reader_bytes(1), octaves + 3 * each + 2 * (2 * 32 * 32));
  EXPECT_EQ(profile.layer_reader_bytes(2), octaves + 3 * each + 3 * (2 * 32 * 32));
}

TEST(Profile, TransformsOfGroupsOfLayers) {
  Profile profile = test::made_profile(8, 6);
  test::add_made_groups(profile);
  EXPECT_NO_THROW(check_profile(profile, "p"));
  EXPECT_EQ(profile.layer_groups(), 3);
  EXPECT_EQ(profile.group_width(), 64u);
  const std::size_t each = 2 * 64 * 64 + 8 * 64;
  EXPECT_EQ(profile.layer_reader_bytes(1), 4u * 12 + 3 * each + 2 * (2 * 64 * 64));
  for (const auto& [order, group] : {std::pair(2, 2), std::pair(1, 0), std::pair(0, 3)}) {
    EXPECT_THROW(profile.layer_transform(order, group), InputError) << order << " " << group;
  }
  profile.layer_group = 3;
  EXPECT_THROW(check_profile(profile, "p"), InputError);
}

TEST(Profile, ShapingGivesWeakCoordinatesFinerSteps) {
  EXPECT_EQ(shaping_gain(-8, 0.0), 0);
  EXPECT_EQ(shaping_gain(-8, 0.25), 2);
  EXPECT_EQ(shaping_gain(12, 0.25), -3);
  EXPECT_EQ(shaping_gain(-17, 1.0), 17);
}

}  // namespace
}  // namespace kakeya
