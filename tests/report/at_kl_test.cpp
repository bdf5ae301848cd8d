// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/at_kl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kakeya/core/error.h"
#include "report/noiseless.h"

namespace kakeya {
namespace {

using Where = RateAtLoss::Where;

const FamilyAtKl& of(const std::vector<FamilyAtKl>& answer, const std::string& family) {
  for (const FamilyAtKl& each : answer) {
    if (each.family == family) return each;
  }
  throw InputError("no answer for " + family);
}

/// Bits at which a family of this factor has a KL divergence of `kl` in the noiseless grid.
double bits_at(double kl, double factor) { return std::log2(60 * factor / kl) / 2; }

TEST(AtKl, BitsRatiosAndTheNearestSetting) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::vector<ResultGroup> groups = group_results(stored);
  const double kl = 0.02;
  const std::vector<FamilyAtKl> answer = families_at_kl(groups[0], kl);
  std::vector<std::string> order;
  for (const FamilyAtKl& family : answer) order.push_back(family.family);
  // fp8, whose KL divergence at 8.51 bits is 0.027, does not reach it.
  EXPECT_EQ(order, (std::vector<std::string>{"e8", "d4", "tq", "fp8"}));
  const double first = bits_at(kl, 1.0);
  for (const auto& [family, factor] :
       std::vector<std::pair<std::string, double>>{{"e8", 1.0}, {"d4", 1.07}, {"tq", 1.45}}) {
    const FamilyAtKl& each = of(answer, family);
    EXPECT_EQ(each.bits.where, Where::inside) << family;
    EXPECT_NEAR(each.bits.rate, bits_at(kl, factor), 1e-4) << family;
    EXPECT_NEAR(*each.ratio, bits_at(kl, factor) / first, 1e-4) << family;
    ASSERT_TRUE(each.interval) << family;
    // Half of the passages lose 1 % more and half 1 % less: log4(1.01) = 0.0072 bits either way.
    EXPECT_LT(each.interval->low, each.bits.rate) << family;
    EXPECT_GT(each.interval->high, each.bits.rate) << family;
    EXPECT_NEAR(each.interval->low, each.bits.rate, 0.0073) << family;
    EXPECT_NEAR(each.interval->high, each.bits.rate, 0.0073) << family;
    EXPECT_EQ(each.profile_bytes, 0u) << family;
  }
  // Paired: what the passages share is no difference between families. The ratio moves with the
  // first family's bits alone.
  const FamilyAtKl& tq = of(answer, "tq");
  EXPECT_NEAR(tq.ratio_interval->low, *tq.ratio, 1e-3);
  EXPECT_NEAR(tq.ratio_interval->high, *tq.ratio, 1e-3);
  EXPECT_FALSE(of(answer, "e8").ratio_interval);
  // tq:b=5, 5.51 bits: 0.0419; tq:b=6, 6.51 bits: 0.0105. ln(0.0419 / 0.02) > ln(0.02 / 0.0105).
  EXPECT_EQ(tq.nearest, "tq:b=6");
  EXPECT_NEAR(tq.nearest_kl, 60 * 1.45 * std::exp2(-2 * 6.51), 1e-6);
  EXPECT_NEAR(tq.nearest_bits, 6.51, 1e-6);
  EXPECT_NEAR(tq.measured_bits.low, 2.51, 1e-6);
  EXPECT_NEAR(tq.measured_bits.high, 8.51, 1e-6);
  EXPECT_EQ(not_reached(answer), "");
}

TEST(AtKl, NothingIsExtrapolated) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::vector<ResultGroup> groups = group_results(stored);
  // fp8 has one setting, of 0.027.
  const FamilyAtKl fine = of(families_at_kl(groups[0], 0.05), "fp8");
  EXPECT_EQ(fine.bits.where, Where::too_fine);
  EXPECT_TRUE(fine.reached());
  const FamilyAtKl lossy = of(families_at_kl(groups[0], 0.02), "fp8");
  EXPECT_EQ(lossy.bits.where, Where::too_lossy);
  EXPECT_FALSE(lossy.reached());
  for (const FamilyAtKl& each : {fine, lossy}) {
    EXPECT_NEAR(each.bits.rate, 8.51, 1e-6);
    EXPECT_FALSE(each.interval);
    EXPECT_FALSE(each.ratio);
    EXPECT_EQ(each.nearest, "fp8");
  }
  const Table table = at_kl_table(std::vector<FamilyAtKl>{fine, lossy});
  EXPECT_EQ(table.rows[0][1].text, "< 8.510: below what was measured");
  EXPECT_EQ(table.rows[1][1].text, "> 8.510: above what was measured");
  EXPECT_FALSE(table.rows[0][1].value || table.rows[1][1].value);
}

TEST(AtKl, AKlThatNothingReachesIsNamedWithTheMeasuredRange) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<FamilyAtKl> answer = families_at_kl(groups[0], 1e-9);
  EXPECT_EQ(answer.size(), 4u);
  const std::string text = not_reached(answer);
  for (const char* part :
       {"a, in-forward: no family reaches a KL divergence of 1e-09", "(e8)", "(tq)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_THROW(families_at_kl(groups[0], 0), SpecError);
  EXPECT_THROW(families_at_kl(groups[0], -0.1), SpecError);
  EXPECT_THROW(families_at_kl(groups[0], std::numeric_limits<double>::infinity()), SpecError);
}

TEST(AtKl, FewPassagesGiveNoInterval) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "inforward", 7)};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<FamilyAtKl> answer = families_at_kl(groups[0], 0.02);
  EXPECT_FALSE(of(answer, "e8").interval);
  EXPECT_FALSE(of(answer, "tq").ratio_interval);
  EXPECT_TRUE(of(answer, "tq").ratio);
}

TEST(AtKl, DumpsHaveNoAnswer) {
  const std::vector<StoredResults> stored = {synthetic::results("a", "distortion")};
  EXPECT_TRUE(families_at_kl(group_results(stored)[0], 0.02).empty());
}

TEST(AtKl, ProfilesAreThoseThatTheFamilyNames) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::string known(64, 'c'), unknown(64, 'd');
  for (Sample& sample : stored[0].samples) {
    std::string& spec = sample.key.codec_k;
    if (spec.starts_with("d4:")) spec += ",profile=" + known.substr(0, 16);
    if (spec.starts_with("tq:")) spec += ",profile=" + unknown.substr(0, 16);
    sample.key.codec_v = spec;
  }
  stored[0].runs[0].profiles = {{known, "other.txt", "", 4, 1024, 4, 23592960}};
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<FamilyAtKl> answer = families_at_kl(groups[0], 0.02);
  const FamilyAtKl& d4 = of(answer, "d4:profile=" + known.substr(0, 16));
  EXPECT_EQ(d4.legend, "d4");
  EXPECT_EQ(d4.profile_bytes, 23592960u);
  // 30 layers x 2 x 3 heads x 64 = 11520 values a token, and 23592960 = 11520 x 2048 bytes.
  EXPECT_DOUBLE_EQ(d4.profile_bits[0], 8.0);
  EXPECT_DOUBLE_EQ(d4.profile_bits[1], 0.5);
  EXPECT_DOUBLE_EQ(d4.profile_bits[2], 0.125);
  EXPECT_EQ(of(answer, "e8").profile_bytes, 0u);
  EXPECT_FALSE(of(answer, "tq:profile=" + unknown.substr(0, 16)).profile_bytes);
}

TEST(AtKl, AProfileCostsWhatTheSettingsOfTheFamilyReadOfIt) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::string digest(64, 'c'), suffix = ",profile=" + digest.substr(0, 16);
  std::vector<ProfileUse> uses;
  for (Sample& sample : stored[0].samples) {
    std::string& spec = sample.key.codec_k;
    if (!spec.starts_with("d4:") && !spec.starts_with("tq:")) continue;
    spec += suffix;
    sample.key.codec_v = spec;
    uses.push_back({spec, spec.starts_with("d4:") ? 2949120u : 23592960u});
  }
  stored[0].runs[0].profiles = {{digest, "other.txt", "", 4, 1024, 4, 23592960, uses}};
  stored[0].plan.policy.skipped_layers = 3;
  const std::vector<ResultGroup> groups = group_results(stored);
  const std::vector<FamilyAtKl> answer = families_at_kl(groups[0], 0.02);
  const FamilyAtKl& d4 = of(answer, "d4:profile=" + digest.substr(0, 16));
  EXPECT_EQ(d4.profile_bytes, 2949120u);
  EXPECT_DOUBLE_EQ(d4.profile_bits[0], 1.25);  // over 24 of 30 layers
  EXPECT_EQ(of(answer, "tq:profile=" + digest.substr(0, 16)).profile_bytes, 23592960u);
}

}  // namespace
}  // namespace kakeya
