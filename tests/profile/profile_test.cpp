// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/profile.h"

#include <gtest/gtest.h>

#include <cmath>

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
  // The first is cut to +1.5, the others to -1.5, and then the mean to 0.
  EXPECT_NEAR(offsets[0] - offsets[2], 3.0, 1e-12);
  EXPECT_NEAR(offsets[0], 2.25, 1e-12);
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
  refused([](Profile& p) { p.layers = 3; });
  refused([](Profile& p) { p.tap = "somewhere"; });
  refused([](Profile& p) { p.variants.clear(); });
  refused([](Profile& p) { p.variants.push_back({false, true}); });
  refused([](Profile& p) { p.parts[1].heads[0].pop_back(); });
  refused([](Profile& p) { p.parts[1].heads[0][0].mean.pop_back(); });
  refused([](Profile& p) { p.parts[3].heads[0][1].forward[5] = NAN; });
  refused([](Profile& p) { p.parts[3].sensitivity = -1; });
  EXPECT_THROW(good.transform({0, true, 0}, {false, true}), InputError);
}

}  // namespace
}  // namespace kakeya
