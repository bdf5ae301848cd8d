// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/report/loss_streams.h"
#include "kakeya/report/stored_streams.h"
#include "kakeya/report/threshold_tables.h"
#include "support/scratch_folder.h"
#include "synthetic.h"
#include "synthetic_streams.h"

namespace kakeya {
namespace {

using testing::message_of;

/// Of the synthetic sweep: rel-MSE of K is 3 x factor x 4^-bits, so that what fp8 (8.51 bits, factor
/// 60) loses needs 8.51 - log2(60) / 2 = 5.557 bits of e8 (factor 1).
struct Sweep {
  explicit Sweep(const std::string& mode)
      : stored{synthetic::results("r", mode)}, groups(group_results(stored)) {}
  std::vector<StoredResults> stored;
  std::vector<ResultGroup> groups;
};

ThresholdQuestion question_of(std::vector<double> factors) {
  ThresholdQuestion question;
  question.reference = "fp8";
  question.factors = std::move(factors);
  return question;
}

const ThresholdAnswer& answer_of(const std::vector<ThresholdAnswer>& answers,
                                 const std::string& metric, const std::string& family,
                                 const std::string& stream, double factor, WithinRule rule,
                                 int strategy = 0) {
  const auto at = std::find_if(answers.begin(), answers.end(), [&](const ThresholdAnswer& each) {
    return each.metric == metric && each.family == family && each.stream == stream &&
           each.factor == factor && each.rule == rule && each.strategy == strategy;
  });
  if (at == answers.end()) throw InputError("no such answer");
  return *at;
}

TEST(LossFamilies, AreOfEachPartAndOfBothTogether) {
  const Sweep sweep("inforward");
  const auto families =
      loss_families(sweep.groups[0], "fp8", std::vector<std::string>{}, ThresholdBits::measured);
  ASSERT_EQ(families.size(), 6);  // d4, e8, tq by two measures of loss
  for (const LossFamily& family : families) {
    EXPECT_EQ(family.streams.size(), family.metric == "rel-MSE" ? 2 : 1);
    for (const LossStream& stream : family.streams) {
      EXPECT_EQ(stream.reference.size(), 8);
      EXPECT_EQ(stream.settings.size(), family.family == "tq" ? 7 : 8);
      EXPECT_NEAR(stream.reference_bits, 8.51, 1e-6);
    }
  }
  const Sweep dump("distortion");
  EXPECT_EQ(
      loss_families(dump.groups[0], "fp8", std::vector<std::string>{"e8"}, ThresholdBits::measured)
          .size(),
      1);
}

TEST(LossFamilies, NominalBitsAreTheFormulas) {
  const Sweep sweep("distortion");
  const auto families =
      loss_families(sweep.groups[0], "fp8", std::vector<std::string>{"e8"}, ThresholdBits::nominal);
  EXPECT_NEAR(families[0].streams[0].reference_bits, 8.25, 1e-9);
  EXPECT_NEAR(families[0].streams[0].settings[0].bits, 26.0 / 8 + 0.5, 1e-9);  // Q=4
}

TEST(LossFamilies, RefuseWhatIsNotThere) {
  Sweep sweep("distortion");
  const auto message = [&](const std::string& reference, std::vector<std::string> families) {
    try {
      loss_families(sweep.groups[0], reference, families, ThresholdBits::measured);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_NE(message("q8_0", {}).find("no samples of q8_0, the reference; there are e8:q=4"),
            std::string::npos)
      << message("q8_0", {});
  EXPECT_NE(message("fp8", {"kivi*"}).find("no family kivi*"), std::string::npos);
  EXPECT_NE(message("fp8", {"fp8"}).find("nothing to compare with fp8"), std::string::npos);
  std::erase_if(sweep.stored[0].samples, [](const Sample& sample) {
    return sample.key.codec_k == "e8:q=10" && sample.key.passage == 3;
  });
  sweep.groups = group_results(sweep.stored);
  EXPECT_NE(message("fp8", {"e8"}).find("e8:q=10: passage 3 is missing"), std::string::npos);
}

TEST(LossFamilies, RefuseASampleWithoutItsDivergence) {
  Sweep sweep("inforward");
  for (Sample& sample : sweep.stored[0].samples) {
    if (sample.key.codec_k == "e8:q=10" && sample.key.passage == 3) sample.kld_mean.reset();
  }
  try {
    loss_families(sweep.groups[0], "fp8", std::vector<std::string>{"e8"}, ThresholdBits::measured);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("e8:q=10: passage 3 has no KL divergence"),
              std::string::npos)
        << error.what();
  }
}

TEST(LossFamilies, NameTheSettingsThatTheyLeaveOut) {
  Sweep sweep("distortion");
  EXPECT_TRUE(mixed_settings(sweep.groups[0], std::vector<std::string>{}).empty());
  for (Sample& sample : sweep.stored[0].samples) {
    if (sample.key.codec_k == "e8:q=10") sample.key.codec_v = "e8:q=22";
  }
  sweep.groups = group_results(sweep.stored);
  const auto left = mixed_settings(sweep.groups[0], std::vector<std::string>{});
  ASSERT_EQ(left.size(), 1);
  EXPECT_NE(left[0].find("e8:q=22"), std::string::npos) << left[0];
  EXPECT_TRUE(mixed_settings(sweep.groups[0], std::vector<std::string>{"tq"}).empty());
}

TEST(Thresholds, OfASweepFollowFromItsLosses) {
  const Sweep sweep("inforward");
  const auto families = loss_families(sweep.groups[0], "fp8", std::vector<std::string>{"e8"},
                                      ThresholdBits::measured);
  const auto answers = answer_thresholds(families, question_of({1, 1.2, 1.3, 1e-9}));
  // 5.375 bits at Q=15, 5.875 at Q=22.
  EXPECT_EQ(answer_of(answers, "rel-MSE", "e8", "K", 1, WithinRule::point).setting, "e8:q=22");
  EXPECT_EQ(answer_of(answers, "rel-MSE", "e8", "V", 1.2, WithinRule::safe).setting, "e8:q=22");
  const ThresholdAnswer& coarse = answer_of(answers, "rel-MSE", "e8", "K", 1.3, WithinRule::point);
  EXPECT_EQ(coarse.setting, "e8:q=15");
  EXPECT_NEAR(coarse.bits, 5.375, 1e-6);
  EXPECT_NEAR(*coarse.ratio, std::exp2(2 * (8.51 - 5.375)) / 60, 1e-6);
  EXPECT_FALSE(answer_of(answers, "rel-MSE", "e8", "K", 1e-9, WithinRule::point).setting);
  // Both strategies, as both parts need the same.
  for (const int strategy : {1, 2}) {
    const ThresholdAnswer& joint =
        answer_of(answers, "rel-MSE", "e8", "all", 1, WithinRule::safe, strategy);
    EXPECT_EQ(joint.setting, strategy == 1 ? "e8:q=22" : "K e8:q=22, V e8:q=22");
    EXPECT_NEAR(joint.bits, 5.875, 1e-6);
  }
  EXPECT_TRUE(answer_of(answers, "KL divergence", "e8", "K and V", 1.3, WithinRule::point).setting);
  EXPECT_THROW(answer_of(answers, "KL divergence", "e8", "all", 1, WithinRule::point, 1),
               InputError);  // one stream alone has no joint answer
}

TEST(Thresholds, WeightsAreThoseGiven) {
  const Sweep sweep("distortion");
  auto families = loss_families(sweep.groups[0], "fp8", std::vector<std::string>{"e8"},
                                ThresholdBits::measured);
  EXPECT_EQ(families[0].streams[0].weight, families[0].streams[1].weight);
  set_weights(std::vector<std::string>{"K=3", "V=20"}, families);
  EXPECT_EQ(families[0].streams[0].weight, 3);
  EXPECT_EQ(families[0].streams[1].weight, 20);
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"K=3"},
                                                {"K=3", "V=0"},
                                                {"K=3", "V=x"},
                                                {"K=3", "V"},
                                                {"K=3", "V=1", "K=4"},
                                                {"K=3", "Q=1"}}) {
    auto copy = families;
    EXPECT_THROW(set_weights(wrong, copy), SpecError) << wrong.back();
  }
}

TEST(Thresholds, TablesSayWhatTheyKnow) {
  const Sweep sweep("distortion");
  const auto families = loss_families(sweep.groups[0], "fp8", std::vector<std::string>{"e8"},
                                      ThresholdBits::measured);
  const ThresholdQuestion question = question_of({1, 1e-9});
  const auto answers = answer_thresholds(families, question);
  const Table streams = thresholds_table(answers, question, false);
  const Table joint = thresholds_table(answers, question, true);
  EXPECT_EQ(streams.rows.size(), 8);  // two factors, streams and rules
  EXPECT_EQ(joint.rows.size(), 8);    // two factors, strategies and rules
  EXPECT_EQ(streams.rows[0][5].text, "e8:q=22");
  EXPECT_EQ(streams.rows.back()[5].text, "none within");
  EXPECT_NO_THROW(to_markdown(streams));
  EXPECT_NO_THROW(to_markdown(joint));
  const Table losses = losses_table(families, question);
  EXPECT_EQ(losses.rows.size(), 18);  // fp8 and 8 settings on two streams
  EXPECT_NEAR(*losses.rows[0][5].value, 1, 1e-12);
  EXPECT_NO_THROW(to_markdown(losses));
}

/// Two KV streams of 1 and 3 parts of the cache's values. e8 loses a half and 1.5 of what the
/// reference loses at 7 bits, a sixteenth of that at 9.
struct Streams {
  Streams()
      : stored{synthetic::stream_results("sliding", 0.1, 1),
               synthetic::stream_results("csa", 0.3, 3)} {
    for (StoredResults& each : stored) {
      const double scale = each.folder == "csa" ? 3 : 1;
      for (int passage = 0; passage < 2; ++passage) {
        synthetic::add_sample(each, "e8:q=76", passage, scale * 0.5e-3, 7);
        synthetic::add_sample(each, "e8:q=152", passage, scale * 0.5e-3 / 16, 8);
      }
    }
  }
  std::vector<LossFamily> families() {
    groups = group_results(stored);
    return stream_loss_families(groups, synthetic::kStreamReference, std::vector<std::string>{"e8"},
                                ThresholdBits::measured);
  }
  std::string refusal() {
    try {
      families();
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  }
  std::vector<StoredResults> stored;
  std::vector<ResultGroup> groups;
};

TEST(StreamThresholds, WeighKvStreamsByTheirShares) {
  Streams streams;
  const auto families = streams.families();
  ASSERT_EQ(families.size(), 1);
  ASSERT_EQ(families[0].streams.size(), 2);  // one each: keys are values
  EXPECT_EQ(families[0].streams[0].name, "sliding");
  EXPECT_EQ(families[0].streams[1].name, "csa");
  EXPECT_DOUBLE_EQ(families[0].streams[1].weight, 3 * families[0].streams[0].weight);
  const auto answers = answer_thresholds(families, question_of({1}));
  const auto of = [&](const std::string& stream, int strategy) {
    return answer_of(answers, "rel-MSE", "e8", stream, 1, WithinRule::safe, strategy);
  };
  EXPECT_EQ(of("sliding", 0).setting, "e8:q=76");
  EXPECT_EQ(of("csa", 0).setting, "e8:q=152");
  EXPECT_EQ(of("all", 1).setting, "e8:q=152");
  EXPECT_DOUBLE_EQ(of("all", 1).bits, 8);
  EXPECT_EQ(of("all", 2).setting, "sliding e8:q=76, csa e8:q=152");
  EXPECT_DOUBLE_EQ(of("all", 2).bits, 0.25 * 7 + 0.75 * 8);
  EXPECT_DOUBLE_EQ(of("all", 2).reference_bits, 9);
  EXPECT_NEAR(*of("all", 2).ratio, 0.25 * 0.5 + 0.75 * 1.5 / 16, 1e-12);
}

TEST(StreamThresholds, AFolderOfAStreamAloneHasOneStream) {
  Streams streams;
  streams.groups = group_results(streams.stored);
  const auto families = loss_families(streams.groups[1], synthetic::kStreamReference,
                                      std::vector<std::string>{}, ThresholdBits::measured);
  ASSERT_EQ(families.size(), 1);
  ASSERT_EQ(families[0].streams.size(), 1);
  EXPECT_EQ(families[0].streams[0].name, "csa");
}

TEST(StreamThresholds, RefuseWhatDoesNotBelongTogether) {
  Streams streams;
  std::erase_if(streams.stored[1].samples,
                [](const Sample& each) { return each.key.codec_k.starts_with("e8"); });
  synthetic::add_sample(streams.stored[1], "e8:q=4,rule=published", 0, 1, 4);
  EXPECT_NE(streams.refusal().find("e8"), std::string::npos) << streams.refusal();
  streams = {};
  streams.stored[1].plan.stream->weights = "BF16";
  EXPECT_NE(streams.refusal().find("expected the same model"), std::string::npos);
  streams.stored[1].plan.stream.reset();
  EXPECT_NE(streams.refusal().find("csa: of keys and values, expected of a KV stream"),
            std::string::npos)
      << streams.refusal();
}

TEST(StreamThresholds, RefuseOtherPassages) {
  Streams streams;
  for (Sample& each : streams.stored[1].samples) each.key.passage += 1;  // 1 and 2 beside 0 and 1
  EXPECT_NE(streams.refusal().find(
                "thresholds: csa: stream csa has no passage 0 of the reference: expected "
                "the 2 passages that stream sliding has"),
            std::string::npos)
      << streams.refusal();
}

/// A dump of a stream, coded as often as it has passages: e8 loses half of what fp8 does.
SourceResult measured_stream(const std::string& name, std::size_t passages) {
  SourceResult result;
  result.facts.name = result.facts.title = name;
  result.facts.byte_share = 0.5;
  for (const auto& [spec, loss] : {std::pair{"fp8", 2e-3}, {"e8:q=38", 1e-3}}) {
    RatePoint point;
    point.spec = spec;
    const float original[] = {1}, decoded[] = {1.5};
    point.distortion.add(original, decoded);
    point.ledger.values = 1;
    point.batch_rel_mse.assign(passages, loss);
    result.points.push_back(point);
  }
  return result;
}

TEST(StreamThresholds, RefuseDumpsOfOtherPassages) {
  std::vector<SourceResult> both = {measured_stream("sliding", 3), measured_stream("csa", 3)};
  EXPECT_EQ(loss_families(both, "fp8", ThresholdBits::measured)[0].streams.size(), 2);
  both[1] = measured_stream("csa", 2);
  const std::string refusal =
      message_of<InputError>([&] { loss_families(both, "fp8", ThresholdBits::measured); });
  EXPECT_NE(refusal.find("thresholds: csa: stream csa has no passage 2 of the reference"),
            std::string::npos)
      << refusal;
  both[1].facts.byte_share.reset();  // keys and values of another dump are not paired with these
  EXPECT_NO_THROW(loss_families(both, "fp8", ThresholdBits::measured));
}

}  // namespace
}  // namespace kakeya
