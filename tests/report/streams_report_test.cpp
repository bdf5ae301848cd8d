// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/streams_report.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "kakeya/core/index_set.h"
#include "support/scratch_folder.h"
#include "synthetic_streams.h"

namespace kakeya {
namespace {

using testing::message_of;

constexpr const char* kReference = synthetic::kStreamReference;
const auto results = synthetic::stream_results;

class StreamsReports : public ::testing::Test {
 protected:
  std::vector<StoredResults> both_ = {results("sliding", 0.1, 1), results("csa", 0.3, 3)};
};

TEST_F(StreamsReports, AverageStreamsByTheirShares) {
  synthetic::set_bits(both_[1].samples[2], 7);  // e8 of passage 0
  const StreamsReport report = make_streams_report(both_, kReference);
  EXPECT_EQ(report.streams, (std::vector<std::string>{"sliding", "csa"}));
  EXPECT_DOUBLE_EQ(report.shares[0], 0.25);
  EXPECT_EQ(report.passages, 2u);
  ASSERT_EQ(report.codecs.size(), 2u);
  const StreamsCodec& e8 = report.codecs[0];  // fewer bits first
  EXPECT_EQ(e8.spec, "e8:q=38");
  EXPECT_DOUBLE_EQ(e8.bits[1], 6.5);
  EXPECT_DOUBLE_EQ(e8.all_bits, 0.25 * 6 + 0.75 * 6.5);
  EXPECT_DOUBLE_EQ(e8.ratios[0].mean, 1.5);
  EXPECT_DOUBLE_EQ(e8.ratios[1].mean, 4.5);
  EXPECT_DOUBLE_EQ(e8.all_ratio.mean, 0.25 * 1.5 + 0.75 * 4.5);
  // passages 1 and 2 times (0.25 + 2.25): the streams' errors move together
  EXPECT_DOUBLE_EQ(e8.all_ratio.standard_error, 0.5 * 2.5);
  EXPECT_DOUBLE_EQ(report.codecs[1].all_ratio.mean, 1);
  EXPECT_NE(report.csv.find("ratios"), std::string::npos);
}

TEST_F(StreamsReports, SayThatWeightsAreRandom) {
  const std::string page = make_streams_report(both_, kReference).markdown;
  EXPECT_NE(page.find("The weights are not the model's: random, seed 7."), std::string::npos);
  EXPECT_EQ(make_streams_report(both_, kReference).weights, "random, seed 7");
  const std::string csv = make_streams_report(both_, kReference).csv;
  for (std::size_t begin = csv.find('\n') + 1, end = 0; begin < csv.size(); begin = end + 1) {
    end = csv.find('\n', begin);
    EXPECT_NE(csv.substr(begin, end - begin).find("random, seed 7"), std::string::npos);
  }
  for (StoredResults& each : both_) each.plan.stream->weights = "BF16, F8_E4M3";
  const std::string own = make_streams_report(both_, kReference).markdown;
  EXPECT_EQ(own.find("not the model's"), std::string::npos);
  EXPECT_NE(own.find("Weights of the model's files (BF16, F8_E4M3)"), std::string::npos);
  EXPECT_NE(own.find("no forward of the model was run"), std::string::npos);
}

TEST_F(StreamsReports, HaveTheThresholdsOfFamiliesOfSeveralSettings) {
  EXPECT_EQ(make_streams_report(both_, kReference).markdown.find("## Fewest bits"),
            std::string::npos);
  for (StoredResults& each : both_) {
    const double of_q38[] = {each.samples[2].rel_mse_k, each.samples[5].rel_mse_k};
    for (int passage = 0; passage < 2; ++passage)
      synthetic::add_sample(each, "e8:q=76", passage, of_q38[passage] / 3, 7);
  }
  const StreamsReport report = make_streams_report(both_, kReference);
  EXPECT_NE(report.markdown.find("## Fewest bits within a multiple of the rel-MSE of"),
            std::string::npos);
  // sliding 1.5, then 0.5 of the reference's; csa 4.5, then 1.5
  EXPECT_NE(report.csv.find(",e8 | 1 | point,setting (sliding),,,,e8:q=76"), std::string::npos)
      << report.csv;
  EXPECT_NE(report.csv.find(",e8 | 1.2 | point,setting (csa),,,,none within"), std::string::npos);
}

TEST_F(StreamsReports, LeaveOutWhatIsNotEverywhere) {
  both_[1].samples.pop_back();
  const StreamsReport report = make_streams_report(both_, kReference);
  EXPECT_EQ(report.left_out, std::vector<std::string>{"e8:q=38"});
  EXPECT_EQ(report.codecs.size(), 1u);
  EXPECT_NE(report.details.find("Left out"), std::string::npos);
}

TEST_F(StreamsReports, RefuseWhatDoesNotBelongTogether) {
  const auto refusal = [&](const std::string& reference = kReference) {
    return message_of<InputError>([&] { make_streams_report(both_, reference); });
  };
  EXPECT_NE(refusal("fp8").find("sliding: no samples of fp8, the reference"), std::string::npos);
  EXPECT_NE(refusal("identity").find("loses nothing"), std::string::npos);
  both_[1].plan.stream->name = "sliding";
  EXPECT_NE(refusal().find("stream sliding is given twice"), std::string::npos);
  both_[1] = results("csa", 0.3, 3);
  both_[1].plan.origin.text.name = "other.npy";
  EXPECT_NE(refusal().find("expected the same model, hidden states"), std::string::npos);
  both_[1] = results("csa", 0.3, 3);
  std::erase_if(both_[1].samples, [](const Sample& each) { return each.key.passage == 1; });
  EXPECT_NE(refusal().find("csa: stream csa has no passage 1 of the reference: expected the 2 "
                           "passages that stream sliding has"),
            std::string::npos)
      << refusal();
  both_[1].plan.stream.reset();
  EXPECT_NE(refusal().find("of keys and values, expected of a KV stream"), std::string::npos);
  both_.clear();
  EXPECT_THROW(make_streams_report(both_, kReference), InputError);
}

// As many passages are not the same ones: ratios of one stream would stand beside those of another.
TEST_F(StreamsReports, RefuseOtherPassages) {
  for (Sample& each : both_[1].samples) each.key.passage += 1;  // 1 and 2 beside 0 and 1
  const auto refusal = [&] {
    return message_of<InputError>([&] { make_streams_report(both_, kReference); });
  };
  EXPECT_NE(refusal().find("csa: stream csa has no passage 0 of the reference"), std::string::npos)
      << refusal();
  both_[1] = results("csa", 0.3, 3);
  synthetic::add_sample(both_[1], kReference, 2, 1e-3, 9);
  EXPECT_NE(refusal().find("csa: stream sliding has no passage 2 of the reference: expected the 3 "
                           "passages that stream csa has"),
            std::string::npos)
      << refusal();
}

TEST_F(StreamsReports, SayWhichLayersAreCodedOfThoseCaptured) {
  const auto layers = [&] {
    const std::string csv = make_streams_report(both_, kReference).csv;
    const std::string name = ",csa,layers coded,";
    const std::size_t row = csv.find(name);
    if (row == std::string::npos) return csv;
    return csv.substr(row + name.size(), csv.find('\n', row) - row - name.size());
  };
  StoredResults& csa = both_[1];
  csa.plan.shape.layers = 4;
  csa.plan.stream->layers = "2,4-6";
  EXPECT_EQ(layers(), ",,,\"2,4-6\"");
  csa.plan.policy.skipped_layers = 1;
  EXPECT_EQ(layers(), ",,,\"4,5\"");
  csa.plan.policy.skipped_layers = 0;
  csa.plan.policy.skipped = IndexSet::parse("1", "layers");
  EXPECT_EQ(layers(), ",,,\"2,5,6\"");
  csa.plan.stream->layers = "2,4";
  const auto refusal = [&] {
    return message_of<InputError>([&] { make_streams_report(both_, kReference); });
  };
  EXPECT_NE(refusal().find("csa: stream_layers 2,4: 2 layers, expected the 4 of its sweep"),
            std::string::npos)
      << refusal();
  csa.plan.stream->layers = "2;4";
  EXPECT_NE(refusal().find("csa: stream_layers"), std::string::npos) << refusal();
}

}  // namespace
}  // namespace kakeya
