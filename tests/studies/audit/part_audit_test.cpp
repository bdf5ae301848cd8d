// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/audit/part_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/lattice/hadamard.h"
#include "kakeya/studies/audit/null_distribution.h"

namespace kakeya {
namespace {

std::vector<float> normal(const AuditShape& shape, std::uint64_t seed) {
  const Random random(seed);
  std::vector<float> values(shape.vectors * shape.heads * shape.dim);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.normal(i));
  return values;
}

double measured(const AuditShape& shape, std::span<const float> values, Measure measure) {
  return value_of(PartMeter(shape).measure(values).value().values, measure);
}

TEST(PartAudit, NormalVectorsHaveTheClosedFormValues) {
  const AuditShape shape{20000, 2, 16};
  const PartAudit audit = PartMeter(shape).measure(normal(shape, 1)).value();
  // A coordinate of a random unit vector: kurtosis 3 D / (D + 2).
  const double excess = 3 * 16.0 / 18 - 3;
  EXPECT_NEAR(value_of(audit.values, Measure::excess_kurtosis), excess, 0.02);
  EXPECT_NEAR(value_of(audit.values, Measure::study_kurtosis), -excess, 0.02);
  EXPECT_LT(value_of(audit.values, Measure::stage_kurtosis), 0.06);
  EXPECT_NEAR(value_of(audit.values, Measure::direct_current), 1.0 / 16, 1e-3);
  EXPECT_LT(value_of(audit.values, Measure::channel_mean), 1e-4);
  EXPECT_LT(value_of(audit.values, Measure::stage_isotropic_ratio), 1.08);
  EXPECT_LT(value_of(audit.values, Measure::stage_hadamard_ratio), 1.08);
  // 2.5758 / 2.326 - 1: what the published W2/sigma says of an exact Gaussian.
  EXPECT_NEAR(value_of(audit.values, Measure::stage_w2), 0.1074, 0.01);
  EXPECT_EQ(value_of(audit.values, Measure::outlier_channels), 0);
  EXPECT_NEAR(value_of(audit.values, Measure::outlier_ratio), 1, 0.03);
  EXPECT_EQ(audit.constant_channels, 0u);
  EXPECT_EQ(audit.channel_ratio.size(), 32u);
}

TEST(PartAudit, LaplaceVectorsHaveTheirKurtosis) {
  const AuditShape shape{50000, 1, 8};
  const Random random(2);
  std::vector<float> values(shape.vectors * shape.dim);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double u = random.uniform(i);
    values[i] = static_cast<float>(u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u)));
  }
  EXPECT_NEAR(measured(shape, values, Measure::stage_kurtosis), 3, 0.3);  // 6 - 3
}

TEST(PartAudit, AConstantShiftIsMeanAndDirectCurrent) {
  const AuditShape shape{20000, 1, 32};
  std::vector<float> values = normal(shape, 3);
  for (float& value : values) value += 1;  // as much energy as the noise has
  const PartAudit audit = PartMeter(shape).measure(values).value();
  EXPECT_NEAR(value_of(audit.values, Measure::channel_mean), 0.5, 0.005);
  EXPECT_NEAR(value_of(audit.values, Measure::direct_current), (32.0 + 1) / 64, 0.005);
  // After the transform one coordinate of unit vectors is near 1/sqrt(2), 4 sigma: of W2^2 /
  // sigma^2 it has 16, spread over 32 coordinates, and the others' variance is halved.
  const double scale = 1 - std::sqrt(0.5);
  EXPECT_NEAR(value_of(audit.values, Measure::w2), std::sqrt(16.0 / 32 + scale * scale), 0.03);
  EXPECT_LT(value_of(audit.values, Measure::w2_shape), 0.06);
  EXPECT_LT(value_of(audit.values, Measure::stage_isotropic_ratio), 1.1);
}

TEST(PartAudit, APlantedOutlierChannelIsFound) {
  const AuditShape shape{3000, 2, 16};
  std::vector<float> values = normal(shape, 4);
  for (std::size_t n = 0; n < shape.vectors; ++n) values[(n * 2 + 1) * 16 + 5] *= 10;
  const PartAudit audit = PartMeter(shape).measure(values).value();
  EXPECT_EQ(value_of(audit.values, Measure::outlier_channels), 1);
  EXPECT_NEAR(value_of(audit.values, Measure::outlier_ratio), 10, 0.5);
  EXPECT_EQ(audit.largest_channel, 16u + 5);
  // Pooled over two heads, one channel has variance (1 + 100) / 2.
  EXPECT_NEAR(value_of(audit.values, Measure::stage_isotropic_ratio), 50.5, 6);
  EXPECT_LT(value_of(audit.values, Measure::stage_hadamard_ratio), 1.3);
}

TEST(PartAudit, TheOrderOfTokensHasNoPartInIt) {
  const AuditShape shape{400, 2, 8};
  const std::vector<float> values = normal(shape, 5);
  std::vector<float> turned;
  for (std::size_t n = shape.vectors; n-- > 0;) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(n * 16);
    turned.insert(turned.end(), from, from + 16);
  }
  const PartMeter meter(shape);
  const MeasureValues a = meter.measure(values).value().values,
                      b = meter.measure(turned).value().values;
  for (const MeasureFacts& facts : measures())
    EXPECT_NEAR(value_of(a, facts.measure), value_of(b, facts.measure), 1e-12) << facts.key;
}

TEST(PartAudit, HeadsOfDifferentMeanAreGaussianEachByItself) {
  // Pooled, a mixture of two far means; by head, exactly as Gaussian as before.
  const AuditShape shape{8000, 2, 8};
  std::vector<float> values = normal(shape, 6);
  for (std::size_t n = 0; n < shape.vectors; ++n) {
    for (std::size_t d = 0; d < 8; ++d) values[(n * 2 + 1) * 8 + d] += 6;
  }
  const PartAudit audit = PartMeter(shape).measure(values).value();
  EXPECT_GT(value_of(audit.values, Measure::stage_kurtosis), 1.5);
  EXPECT_LT(value_of(audit.values, Measure::w2_shape), 0.3);
}

TEST(PartAudit, ScaleHasNoPartInIt) {
  const AuditShape shape{300, 1, 16};
  std::vector<float> values = normal(shape, 7);
  const PartMeter meter(shape);
  const MeasureValues before = meter.measure(values).value().values;
  for (float& value : values) value *= 0.125f;  // exact
  const MeasureValues after = meter.measure(values).value().values;
  for (const MeasureFacts& facts : measures()) {
    const double value = value_of(before, facts.measure);
    EXPECT_NEAR(value_of(after, facts.measure), value, 1e-12 * std::fabs(value)) << facts.key;
  }
}

TEST(PartAudit, ConstantAndZeroChannels) {
  const AuditShape shape{200, 1, 8};
  std::vector<float> values = normal(shape, 8);
  for (std::size_t n = 0; n < shape.vectors; ++n) values[n * 8] = 2, values[n * 8 + 1] = 0;
  const PartAudit audit = PartMeter(shape).measure(values).value();
  EXPECT_EQ(audit.constant_channels, 2u);
  EXPECT_TRUE(std::isinf(value_of(audit.values, Measure::stage_isotropic_ratio)));
  EXPECT_TRUE(std::isfinite(value_of(audit.values, Measure::stage_kurtosis)));
  EXPECT_EQ(audit.channel_ratio[1], 0);
}

TEST(PartAudit, WithoutVariationThereIsNothingToMeasure) {
  const PartMeter meter({3, 2, 2});
  std::vector<float> values(12, 0.0f);
  EXPECT_FALSE(meter.measure(values));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0.1f : -3.0f;
  EXPECT_FALSE(meter.measure(values));
  values[4] = 0.2f;  // one is enough
  EXPECT_TRUE(meter.measure(values));
}

TEST(PartAudit, Refuses) {
  EXPECT_THROW(PartMeter({100, 1, 12}), InputError);
  EXPECT_THROW(PartMeter({1, 1, 8}), InputError);
  EXPECT_THROW(PartMeter({100, 0, 8}), InputError);
  const PartMeter meter({2, 1, 2});
  const std::vector<float> three = {1, 2, 3}, wild = {1, 2, 3, INFINITY};
  EXPECT_THROW(meter.measure(three), InputError);
  EXPECT_THROW(meter.measure(wild), InputError);
}

TEST(NullDistribution, PublishedGatesFireOnNoise) {
  // An independent program measured .73, 11.6, 13.6 and .16 of one draw of 16 vectors of 512, and
  // .16, 1.59, 1.44 and .105 of one of 512.
  WorkerPool pool(2);
  const NullDistribution few = simulate_null(PartMeter({16, 1, 512}), 20, 0, pool);
  const auto middle = [](const NullDistribution& null, Measure m) {
    return null.of(m)[null.replicates / 2];
  };
  EXPECT_NEAR(middle(few, Measure::stage_kurtosis), 0.73, 0.05);
  EXPECT_NEAR(middle(few, Measure::stage_isotropic_ratio), 12.6, 3);
  EXPECT_NEAR(middle(few, Measure::stage_hadamard_ratio), 12.6, 3);
  EXPECT_NEAR(middle(few, Measure::stage_w2), 0.16, 0.02);
  const NullDistribution many = simulate_null(PartMeter({512, 1, 512}), 20, 0, pool);
  EXPECT_NEAR(middle(many, Measure::stage_kurtosis), 0.16, 0.02);
  EXPECT_NEAR(middle(many, Measure::stage_isotropic_ratio), 1.5, 0.12);
  EXPECT_NEAR(middle(many, Measure::stage_w2), 0.105, 0.01);
  for (const MeasureFacts& facts : measures()) {
    if (facts.measure < Measure::stage_kurtosis || !facts.gate) continue;
    EXPECT_EQ(few.share_above(facts.measure, *facts.gate), 1) << facts.key;
  }
  EXPECT_EQ(many.share_above(Measure::stage_kurtosis, 0.5), 0);
  EXPECT_EQ(many.share_above(Measure::stage_w2, 0.05), 1);
}

TEST(NullDistribution, ThreadsAndNumberOfReplicatesDoNotChangeADraw) {
  const PartMeter meter({50, 2, 8});
  WorkerPool one(1), three(3);
  const NullDistribution a = simulate_null(meter, 7, 5, one), b = simulate_null(meter, 7, 5, three);
  EXPECT_EQ(a.sorted, b.sorted);
  EXPECT_NE(a.sorted, simulate_null(meter, 7, 6, one).sorted);
  const NullDistribution more = simulate_null(meter, 9, 5, three);
  for (const double value : a.of(Measure::w2)) {
    EXPECT_TRUE(
        std::binary_search(more.of(Measure::w2).begin(), more.of(Measure::w2).end(), value));
  }
  EXPECT_THROW(simulate_null(meter, 0, 5, one), InputError);
}

TEST(NullDistribution, PValues) {
  NullDistribution null;
  null.replicates = 4;
  for (auto& values : null.sorted) values = {1, 2, 3, 4};
  const MeasureFacts& upper = measures()[static_cast<std::size_t>(Measure::w2)];
  const MeasureFacts& both = measures()[static_cast<std::size_t>(Measure::excess_kurtosis)];
  EXPECT_DOUBLE_EQ(null.p_value(upper, 5), 0.2);
  EXPECT_DOUBLE_EQ(null.p_value(upper, 4), 0.4);
  EXPECT_DOUBLE_EQ(null.p_value(upper, 0), 1);
  EXPECT_DOUBLE_EQ(null.p_value(both, 5), 0.4);
  EXPECT_DOUBLE_EQ(null.p_value(both, 0), 0.4);
  EXPECT_DOUBLE_EQ(null.p_value(both, 2.5), 1);
  EXPECT_DOUBLE_EQ(null.share_above(Measure::w2, 2), 0.5);
}

}  // namespace
}  // namespace kakeya
