// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/measure_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/measure/synthetic.h"
#include "kakeya/report/rate_distortion/families.h"
#include "kakeya/report/rate_distortion/ladder.h"
#include "kakeya/report/result_group.h"
#include "kakeya/stats/rate_distortion.h"

namespace kakeya {
namespace {

/// Three slabs of two heads; head 1 has twice the deviation and a mean of (6, 0, 0, ...).
class TwoHeads : public VectorSource {
 public:
  explicit TwoHeads(bool with_nan = false) : with_nan_(with_nan) {
    facts_.name = "k";
    facts_.title = "K of two heads";
    facts_.dim = kDim;
    facts_.slabs = 3;
    facts_.batches = 3;
    facts_.places = 2;
  }
  const SourceFacts& facts() const override { return facts_; }
  Slab slab(std::size_t index) const override {
    Slab slab;
    slab.vectors = kVectors;
    slab.heads = 2;
    slab.dim = kDim;
    slab.batch = index;
    const Random random(9, index);
    for (std::size_t i = 0; i < kVectors * 2 * kDim; ++i) {
      const bool second = i / kDim % 2 == 1;
      const double mean = second && i % kDim == 0 ? 6 : 0;
      slab.values.push_back(static_cast<float>(mean + (second ? 2 : 1) * random.normal(i)));
    }
    if (with_nan_ && index == 1) slab.values[5] = std::numeric_limits<float>::quiet_NaN();
    return slab;
  }
  static constexpr std::size_t kDim = 16, kVectors = 400;

 private:
  bool with_nan_;
  SourceFacts facts_;
};

std::vector<std::unique_ptr<Codec>> codecs(const std::vector<std::string>& specs, std::size_t dim) {
  std::vector<std::unique_ptr<Codec>> made;
  for (const std::string& spec : specs) made.push_back(make_codec(spec, {dim}));
  return made;
}

TEST(Measure, SumsFramesAsTheyAreWritten) {
  const TwoHeads source;
  const auto built = codecs({"tq:b=4", "identity"}, TwoHeads::kDim);
  const SourceResult result = measure(source, built, 1);
  EXPECT_EQ(result.vectors, 2400u);
  EXPECT_EQ(result.values, 38400u);
  EXPECT_EQ(result.frames, 6u);
  ASSERT_EQ(result.points.size(), 2u);

  Distortion distortion;
  std::uint64_t bytes = 0;
  std::vector<double> passages;
  for (std::size_t index = 0; index < 3; ++index) {
    const Slab slab = source.slab(index);
    Distortion passage;
    for (std::size_t head = 0; head < 2; ++head) {
      const Rows<const float> rows = slab.frame(head);
      std::vector<std::byte> frame(built[0]->encoded_bound(rows.count));
      frame.resize(built[0]->encode(rows, frame));
      bytes += frame.size();
      std::vector<float> back(rows.values());
      built[0]->decode(frame, dense_rows(back.data(), rows.count, rows.dim));
      for (std::size_t row = 0; row < rows.count; ++row)
        passage.add(rows[row], std::span<const float>(back).subspan(row * rows.dim, rows.dim));
    }
    passages.push_back(passage.rel_mse());
    distortion.merge(passage);
  }
  const RatePoint& point = result.points[0];
  EXPECT_EQ(point.spec, "tq:b=4");
  EXPECT_NEAR(point.distortion.rel_mse(), distortion.rel_mse(), 1e-15);
  EXPECT_EQ(point.ledger.written_bits(), 8 * bytes);
  EXPECT_DOUBLE_EQ(point.measured_bits_per_value(), 8.0 * static_cast<double>(bytes) / 38400);
  EXPECT_DOUBLE_EQ(*point.rates().nominal, 4 + 32.0 / 16);
  EXPECT_EQ(point.rel_mse.count, 3u);
  EXPECT_NEAR(point.rel_mse.mean, (passages[0] + passages[1] + passages[2]) / 3, 1e-15);
  EXPECT_NEAR(point.gap_db(), shannon_gap_db(distortion.rel_mse(), point.measured_bits_per_value()),
              1e-12);
  EXPECT_FALSE(result.points[1].rates().entropy.has_value());  // bf16 has no indices
}

// Head 0 is white with variance 1, head 1 with variance 4 and one mean of 6: second moments 1 and
// (4 * 16 + 36) / 16 = 6.25. Centred, at a rate that codes everything: sqrt(1 * 4) 2^(-2R).
TEST(Measure, PoolsTheSpectraOfThePlaces) {
  const SourceResult result = measure(TwoHeads(), {}, 2);
  EXPECT_NEAR(result.mean_square, (1 + 6.25) / 2, 0.05);
  ASSERT_TRUE(result.spectrum.has_value());
  EXPECT_NEAR(result.spectrum->mean_share, 36.0 / 16 / 7.25, 0.01);
  const double mean_square = (1 + 6.25) / 2;
  EXPECT_NEAR(*result.water_filling_rel_mse(5, true) * mean_square / (2 * std::exp2(-10)), 1, 0.02);
  // One of 32 components is 4 + 36 instead of 4.
  EXPECT_NEAR(*result.water_filling_rel_mse(5, false) * mean_square /
                  (2 * std::pow(10, 1.0 / 32) * std::exp2(-10)),
              1, 0.02);
  EXPECT_DOUBLE_EQ(*result.water_filling_rel_mse(0, false), 1);
  EXPECT_FALSE(result.shannon_lower_rel_mse(3).has_value());
}

TEST(Measure, SourcesOfIndependentValuesHaveShannonsLowerBound) {
  const SourceResult result = measure(*make_synthetic("laplace", 16, 100, 1), {}, 1);
  EXPECT_FALSE(result.spectrum.has_value());
  EXPECT_NEAR(*result.shannon_lower_rel_mse(3), std::exp(1.0) / std::acos(-1.0) / 64, 1e-12);
  EXPECT_FALSE(result.water_filling_rel_mse(3, true).has_value());
}

TEST(Measure, DoesNotDependOnThreads) {
  const auto built = codecs({"e8:q=10", "tq:b=3", "fp8", "d4:q=4"}, TwoHeads::kDim);
  const SourceResult one = measure(TwoHeads(), built, 1);
  std::size_t calls = 0;
  const SourceResult three =
      measure(TwoHeads(), built, 3, [&](std::size_t done, std::size_t total, const std::string&) {
        EXPECT_EQ(done, ++calls);
        EXPECT_EQ(total, 12u);
      });
  EXPECT_EQ(calls, 12u);
  for (std::size_t i = 0; i < built.size(); ++i) {
    EXPECT_EQ(one.points[i].distortion.rel_mse(), three.points[i].distortion.rel_mse());
    EXPECT_EQ(one.points[i].ledger.written_bits(), three.points[i].ledger.written_bits());
    EXPECT_EQ(one.points[i].rates().entropy, three.points[i].rates().entropy);
  }
  EXPECT_EQ(one.water_filling_rel_mse(2, true), three.water_filling_rel_mse(2, true));
}

TEST(Measure, NamesCodecSourceAndSlab) {
  const auto built = codecs({"tq:b=4"}, TwoHeads::kDim);
  try {
    measure(TwoHeads(true), built, 2);
    FAIL() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("tq:b=4: K of two heads, slab 1: "), 0u)
        << error.what();
  }
  EXPECT_THROW(measure(TwoHeads(), codecs({"tq:b=4"}, 32), 1), InputError);
}

TEST(Codecs, AreBuiltOnceOrNamed) {
  SourceFacts facts;
  facts.title = "x";
  facts.dim = 64;
  std::vector<LeftOut> left_out;
  const std::vector<std::string> specs = {"e8:q=4,rule=bounded", "e8:q=4", "fp8:block=128",
                                          "nosuch"};
  const auto built = build_codecs(specs, facts, left_out);
  ASSERT_EQ(built.size(), 1u);
  EXPECT_EQ(built[0]->spec(), "e8:q=4");
  ASSERT_EQ(left_out.size(), 2u);
  EXPECT_EQ(left_out[0].source, "x");
  EXPECT_EQ(left_out[0].spec, "fp8:block=128");
  EXPECT_NE(left_out[0].reason.find("128"), std::string::npos) << left_out[0].reason;
  EXPECT_EQ(left_out[1].spec, "nosuch");
}

// Channels that are constant over the tokens: exact by channel, not by token.
TEST(Codecs, AreOfKeysWhereTheSourceIs) {
  SourceFacts facts;
  facts.dim = 64;
  std::vector<float> x(32 * facts.dim), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % facts.dim);
  for (const Part part : {Part::key, Part::value}) {
    facts.part = part;
    std::vector<LeftOut> left_out;
    const std::vector<std::string> specs = {"kivi:b=2"};
    const auto built = build_codecs(specs, facts, left_out);
    ASSERT_EQ(built.size(), 1u);
    std::vector<std::byte> frame(built[0]->encoded_bound(32));
    frame.resize(built[0]->encode(dense_rows<const float>(x.data(), 32, facts.dim), frame));
    built[0]->decode(frame, dense_rows(y.data(), 32, facts.dim));
    EXPECT_EQ(x == y, part == Part::key);
  }
}

// Nothing of the ladder is left out where vectors are a power of two, and no codec is forgotten.
TEST(Ladder, CoversEveryCodec) {
  SourceFacts facts;
  facts.dim = 128;
  std::vector<LeftOut> left_out;
  const auto built = build_codecs(default_ladder(), facts, left_out);
  for (const LeftOut& each : left_out) ADD_FAILURE() << each.spec << ": " << each.reason;
  std::vector<std::string> canonical;
  for (const auto& codec : built) canonical.push_back(codec->spec());
  EXPECT_EQ(canonical, default_ladder());
  for (const CodecDescriptor* codec : builtin_codecs()) {
    // For one model alone, or of whole tokens.
    if (codec->calibrated() || codec->scope == VectorScope::token) continue;
    std::size_t points = 0;
    for (const auto& each : built) points += Spec::parse(each->spec()).name() == codec->name;
    const bool rated = std::any_of(codec->keys.begin(), codec->keys.end(),
                                   [](const CodecKey& key) { return key.rate; });
    EXPECT_GE(points, rated ? 3u : 1u) << codec->name;
  }
}

TEST(Ladder, HidesOnlyVariantsFromCrowdedCharts) {
  for (const CodecDescriptor* codec : builtin_codecs()) {
    if (codec->calibrated() || codec->scope == VectorScope::token) continue;
    bool shown = false;
    for (const std::string& spec : default_ladder()) {
      const Spec parsed = Spec::parse(spec);
      shown |= parsed.name() == codec->name && charted_among_many(parsed.family());
    }
    EXPECT_TRUE(shown) << codec->name;
  }
  EXPECT_FALSE(charted_among_many("d4:pack=rans,scales=one"));
  EXPECT_TRUE(charted_among_many("d4:pack=rans"));  // not of the ladder: asked for by name
}

RatePoint point(const std::string& spec, std::uint64_t bits, float copy) {
  RatePoint made;
  made.spec = spec;
  const std::vector<float> one = {1}, back = {copy};
  made.distortion.add(one, back);
  made.ledger.vectors = made.ledger.values = 1;
  made.ledger.payload_bits = bits;
  return made;
}

TEST(Families, SortByRateAndInterpolateBetweenTheirOwnPoints) {
  SourceResult result;
  result.points = {point("e8:q=38,pack=joint", 6, 1.125F), point("e8:q=4,pack=joint", 3, 1.5F),
                   point("e8:q=10", 5, 1.25F), point("identity", 16, 1.0F)};
  const std::vector<Family> families = families_of(result);
  ASSERT_EQ(families.size(), 2u);  // an exact copy has no place
  EXPECT_EQ(families[0].name, "e8:pack=joint");
  EXPECT_EQ(families[0].rate_key, "q");
  EXPECT_EQ(families[0].rates, (std::vector<std::string>{"4", "38"}));
  // rel-MSE 2^-2 at 3 bits and 2^-6 at 6: gaps of 4 and 6 bits' decibels, 5 half-way.
  const double bit = 20 * std::log10(2.0);
  EXPECT_NEAR(*gap_at(families[0], 3), 2 * bit, 1e-12);
  EXPECT_NEAR(*gap_at(families[0], 4.5), 2.5 * bit, 1e-12);
  EXPECT_NEAR(*gap_at(families[0], 6), 3 * bit, 1e-12);
  EXPECT_FALSE(gap_at(families[0], 2.99).has_value());
  EXPECT_FALSE(gap_at(families[0], 6.01).has_value());
  EXPECT_FALSE(gap_at(families[1], 5).has_value());  // one point
}

}  // namespace
}  // namespace kakeya
