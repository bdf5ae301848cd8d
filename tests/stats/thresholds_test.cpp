// SPDX-License-Identifier: Apache-2.0
#include "kakeya/stats/thresholds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

TEST(Thresholds, ExcessIsPairedOverPassages) {
  // Losses 1.1, 2.1, 2.8 against 1, 2, 3: excess 0.1, 0.1, -0.2 at factor 1; mean 0.
  const std::vector<double> losses = {1.1, 2.1, 2.8}, reference = {1, 2, 3};
  const Interval one = excess_over(losses, reference, 1);
  EXPECT_NEAR(one.mean, 0, 1e-15);
  EXPECT_NEAR(one.standard_error, std::sqrt(0.06 / 2 / 3), 1e-12);
  // At factor 1.5: -0.4, -0.9, -1.7; mean -1, standard deviation sqrt(0.43).
  const Interval more = excess_over(losses, reference, 1.5);
  EXPECT_NEAR(more.mean, -1, 1e-12);
  EXPECT_NEAR(more.half_width, 4.302653 * std::sqrt(0.43 / 3), 1e-5);
  EXPECT_FALSE(is_within(losses, reference, 1.5, WithinRule::safe));  // -1 + 1.63 > 0
  EXPECT_TRUE(is_within(losses, reference, 1.5, WithinRule::point));
  // -1, -1, -1.1: mean -1.033, half width 0.143.
  EXPECT_TRUE(
      is_within(std::vector{1.0, 1.1, 0.9}, std::vector{2.0, 2.1, 2.0}, 1, WithinRule::safe));
}

TEST(Thresholds, PairingTellsWhatMeansAloneCannot) {
  // Passages differ by a factor of 100, yet the codec loses 10 % less on each of them.
  const std::vector<double> reference = {1, 10, 100}, losses = {0.9, 9.0, 90.0};
  EXPECT_TRUE(is_within(losses, reference, 1, WithinRule::point));
  EXPECT_FALSE(is_within(losses, reference, 1, WithinRule::safe));  // the large one decides
  const LossRatio ratio = loss_ratio(losses, reference);
  EXPECT_NEAR(ratio.of_means, 0.9, 1e-12);
  EXPECT_NEAR(ratio.paired.mean, 0.9, 1e-12);
  EXPECT_NEAR(ratio.paired.half_width, 0, 1e-12);
}

TEST(Thresholds, OnePassageIsNeverSafe) {
  EXPECT_TRUE(is_within(std::vector{0.1}, std::vector{1.0}, 1, WithinRule::point));
  EXPECT_FALSE(is_within(std::vector{0.1}, std::vector{1.0}, 1, WithinRule::safe));
}

/// Two passages; the loss of `q` is 1 / q^2 times `scale`, on the second passage `noise` more.
LossSetting setting(int q, double bits, double scale = 1, double noise = 0) {
  const double loss = scale / (q * q);
  return {"q=" + std::to_string(q), bits, {loss, loss + noise}};
}

LossStream stream_of(double scale, double weight) {
  LossStream stream{"s", weight, {0.01, 0.01}, 8, {}};
  for (const auto& [q, bits] : {std::pair{20, 6.0}, {8, 4.0}, {10, 5.0}, {12, 5.5}}) {
    stream.settings.push_back(setting(q, bits, scale));
  }
  return stream;
}

TEST(Thresholds, TheSmallestRateThatIsWithin) {
  const LossStream stream = stream_of(1, 1);  // in no order
  const auto name = [&](double factor) {
    const Threshold found = find_threshold(stream, factor, WithinRule::point);
    return found.setting ? stream.settings[*found.setting].name : "none";
  };
  EXPECT_EQ(name(1), "q=10");  // 1 / 100, exactly
  EXPECT_EQ(name(1.57), "q=8");
  EXPECT_EQ(name(0.99), "q=12");
  EXPECT_EQ(name(0.2), "none");
  EXPECT_TRUE(find_threshold(stream, 1, WithinRule::point).fails_above.empty());
}

TEST(Thresholds, ALargerRateThatFailsIsTold) {
  LossStream stream = stream_of(1, 1);
  stream.settings[3].losses = {0.02, 0.03};  // q=12
  const Threshold found = find_threshold(stream, 1, WithinRule::point);
  ASSERT_TRUE(found.setting);
  EXPECT_EQ(stream.settings[*found.setting].name, "q=10");
  EXPECT_EQ(found.fails_above, std::vector<std::size_t>{3});
}

TEST(Thresholds, SafeNeedsMoreWherePassagesDiffer) {
  LossStream stream = stream_of(1, 1);
  stream.settings[2].losses = {0.0099, 0.0101};  // q=10: mean 0.01, but one passage above it
  const auto safe = find_threshold(stream, 1, WithinRule::safe);
  ASSERT_TRUE(safe.setting);
  EXPECT_EQ(stream.settings[*safe.setting].name, "q=12");
  EXPECT_EQ(stream.settings[*find_threshold(stream, 1, WithinRule::point).setting].name, "q=10");
}

TEST(Thresholds, JointAnswersByWeight) {
  // The second stream loses 1.4 times as much: it needs q=12 where the first needs q=10.
  const std::vector<LossStream> streams = {stream_of(1, 3), stream_of(1.4, 1)};
  const JointThreshold one = one_setting_for_all(streams, 1, WithinRule::point);
  ASSERT_TRUE(one.found);
  EXPECT_EQ(streams[0].settings[one.settings[0]].name, "q=12");
  EXPECT_EQ(one.bits, 5.5);
  EXPECT_EQ(one.reference_bits, 8);
  const JointThreshold two = a_setting_a_stream(streams, 1, WithinRule::point);
  ASSERT_TRUE(two.found);
  EXPECT_EQ(two.bits, (3 * 5.0 + 5.5) / 4);
  EXPECT_NEAR(two.ratio.mean, (3 * 1 + 1.4 / 1.44) / 4, 1e-12);
  EXPECT_EQ(two.ratio.count, 2);
  EXPECT_FALSE(one_setting_for_all(streams, 0.01, WithinRule::point).found);
  EXPECT_FALSE(a_setting_a_stream(streams, 0.01, WithinRule::point).found);
}

TEST(Thresholds, OneSettingHasToBeInEveryStream) {
  std::vector<LossStream> streams = {stream_of(1, 1), stream_of(1, 1)};
  std::erase_if(streams[1].settings, [](const LossSetting& each) { return each.name == "q=10"; });
  const JointThreshold one = one_setting_for_all(streams, 1, WithinRule::point);
  ASSERT_TRUE(one.found);
  EXPECT_EQ(streams[0].settings[one.settings[0]].name, "q=12");
}

TEST(Thresholds, WhatCannotBeComparedIsRefused) {
  const std::vector<double> two = {1, 2}, one = {1}, none;
  EXPECT_THROW(excess_over(two, one, 1), InputError);
  EXPECT_THROW(excess_over(none, none, 1), InputError);
  EXPECT_THROW(loss_ratio(one, std::vector{0.0}), InputError);
  EXPECT_THROW(one_setting_for_all({}, 1, WithinRule::point), InputError);
  std::vector<LossStream> weightless = {stream_of(1, 0)};
  EXPECT_THROW(a_setting_a_stream(weightless, 1, WithinRule::point), InputError);
}

}  // namespace
}  // namespace kakeya
