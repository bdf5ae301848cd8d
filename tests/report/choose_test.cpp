// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/choose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kakeya/core/error.h"
#include "report/noiseless.h"

namespace kakeya {
namespace {

using Where = RateAtLoss::Where;

std::vector<ChosenSetting> choose(const std::vector<StoredResults>& stored,
                                  const ChooseOptions& options) {
  return choose_settings(group_results(stored)[0], options);
}

/// A value of the whole cache of the synthetic folder, 4 of whose 30 layers stay bf16.
double whole(double bits) { return (26 * bits + 4 * 16) / 30; }

TEST(Choose, TheCheapestSettingOfEveryFamilyInWholeCacheBits) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  const double kl = 0.02;
  const std::vector<ChosenSetting> answer = choose(stored, {kl, {}, {}});
  ASSERT_EQ(answer.size(), 3u);  // fp8 loses 0.027
  // e8:q=22 loses 0.0174 at 5.875 bits, tq:b=6 0.0105 at 6.51, d4:q=38 0.0057 at 6.73 (d4:q=22, of
  // 5.73 bits, 0.0228).
  EXPECT_EQ(answer[0].codec, "e8:q=22");
  EXPECT_EQ(answer[1].codec, "tq:b=6");
  EXPECT_EQ(answer[2].codec, "d4:q=38");
  EXPECT_NEAR(answer[0].bits, whole(5.875), 1e-6);
  EXPECT_NEAR(answer[1].ratio, whole(6.51) / whole(5.875), 1e-6);
  EXPECT_EQ(answer[0].ratio, 1);
  EXPECT_NEAR(answer[0].kld.mean, 60 * std::exp2(-2 * 5.875), 1e-9);
  EXPECT_TRUE(answer[0].surely);
  // Every passage has as many bytes, so the bits have no spread.
  EXPECT_NEAR(answer[0].interval->low, answer[0].bits, 1e-9);
  EXPECT_NEAR(answer[0].interval->high, answer[0].bits, 1e-9);
  // Interpolated where exactly 0.02 is lost: coded bits log4(60 / kl).
  const double e8 = std::log2(60 / kl) / 2, tq = std::log2(60 * 1.45 / kl) / 2;
  EXPECT_NEAR(answer[0].at_kl.rate, whole(e8), 1e-4);
  EXPECT_NEAR(*answer[1].at_kl_ratio, whole(tq) / whole(e8), 1e-4);
  EXPECT_NEAR(answer[1].at_kl_ratio_range->low, *answer[1].at_kl_ratio, 2e-3);
  EXPECT_NEAR(answer[1].at_kl_ratio_range->high, *answer[1].at_kl_ratio, 2e-3);
  // d4's settings are further apart, but at equal loss it needs fewer bits than tq.
  EXPECT_LT(answer[2].at_kl.rate, answer[1].at_kl.rate);
  EXPECT_EQ(chosen_sentence(answer, {kl, {}, {}}).find("Between measured settings"),
            std::string::npos);
  EXPECT_FALSE(answer[0].encode_us);  // made samples have no times
}

TEST(Choose, TheSettingThatKeepsToItOnAverageAloneIsMarked) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  // e8:q=22: 0.0174 in the mean of passages that are 1 % apart; a limit half of that above it.
  const double mean = 60 * std::exp2(-2 * 5.875);
  const std::vector<ChosenSetting> answer = choose(stored, {mean * 1.001, {}, {}});
  EXPECT_EQ(answer[0].codec, "e8:q=22");
  EXPECT_FALSE(answer[0].surely);
  const Table table = choose_table(answer, {mean * 1.001, {}, {}});
  EXPECT_TRUE(table.rows[0][4].text.ends_with(" *")) << table.rows[0][4].text;
  // Just below it, the next finer setting.
  EXPECT_EQ(choose(stored, {mean * 0.999, {}, {}})[0].codec, "tq:b=6");
}

TEST(Choose, AFamilyThatWouldBeCheaperBetweenItsSettingsIsNamed) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  // Without e8:q=22 its next finer setting costs 6.75 bits, more than tq:b=6.
  std::erase_if(stored[0].samples, [](const Sample& s) { return s.key.codec_k == "e8:q=22"; });
  const std::vector<ChosenSetting> answer = choose(stored, {0.02, {}, {}});
  EXPECT_EQ(answer[0].codec, "tq:b=6");
  const std::string text = chosen_sentence(answer, {0.02, {}, {}});
  EXPECT_NE(text.find("Between measured settings e8 would take fewest bits at exactly that KL"),
            std::string::npos)
      << text;
}

TEST(Choose, ALengthPaysForSinksAndProfileOnce) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  stored[0].plan.policy = {.layers = 30, .skipped_layers = 2, .sinks = 4};
  const std::string digest(64, 'c'), suffix = ",profile=" + digest.substr(0, 16);
  std::vector<ProfileUse> uses;
  for (Sample& sample : stored[0].samples) {
    std::string& spec = sample.key.codec_k;
    if (!spec.starts_with("e8:")) continue;
    spec += suffix;
    sample.key.codec_v = spec;
    uses.push_back({spec, 23592960});
  }
  stored[0].runs[0].profiles = {{digest, "other.txt", "", 4, 1024, 4, 23592960, uses}};
  const auto bits_at = [&](double tokens) {
    for (const ChosenSetting& each : choose(stored, {0.02, {}, tokens})) {
      if (each.legend == "e8") return each;
    }
    throw InputError("no e8");
  };
  // By hand: 11520 values a token, 4 of 30 layers and 4 sinks of the others in bf16, the rest at
  // the rate without its sinks; 23592960 bytes of profile.
  for (const double tokens : {2048.0, 131072.0}) {
    const ChosenSetting e8 = bits_at(tokens);
    const double rate = (5.875 * 2112 - 16 * 4) / (2112 - 4);
    const double cache = (4 * 16 * tokens + 26 * (rate * (tokens - 4) + 16 * 4)) / (30 * tokens);
    const double profile = 8 * 23592960 / (11520 * tokens);
    EXPECT_NEAR(e8.bits, cache + profile, 1e-4) << tokens;
    EXPECT_NEAR(e8.profile_bits, profile, 1e-9) << tokens;
    EXPECT_EQ(e8.profile_bytes, 23592960u);
  }
  // 8 bits a value of profile for one cache of 2k tokens: tq is cheaper there, not at 1M.
  EXPECT_EQ(choose(stored, {0.02, {}, 2048.0})[0].legend, "tq");
  EXPECT_EQ(choose(stored, {0.02, {}, 1048576.0})[0].legend, "e8");
  EXPECT_THROW(choose(stored, {0.02, {}, 4.0}), SpecError);
  // Whose profile nobody recorded cannot be asked for at a length.
  stored[0].runs[0].profiles.clear();
  EXPECT_EQ(choose(stored, {0.02, {}, {}})[0].legend, "e8");
  EXPECT_FALSE(choose(stored, {0.02, {}, {}})[0].profile_bytes);
  EXPECT_EQ(choose(stored, {0.02, {}, 1048576.0})[0].legend, "tq");
}

TEST(Choose, ALengthHasAnIntervalAndItsOpenPages) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  const auto at = [&] { return choose(stored, {0.02, {}, 131072.0})[0]; };
  const double same = at().bits;
  EXPECT_NEAR(at().interval->high - at().interval->low, 0, 1e-9);
  for (Sample& sample : stored[0].samples) {  // passages that cost more or less
    sample.bytes_written += sample.key.passage % 2 == 0 ? 20000 : -20000;
    sample.bits_per_value =
        8.0 * static_cast<double>(sample.bytes_written) / static_cast<double>(sample.values);
    sample.ledger_k.reset();
    sample.ledger_v.reset();
  }
  const ChosenSetting uneven = at();
  EXPECT_NEAR(uneven.bits, same, 1e-3);
  EXPECT_GT(uneven.interval->high - uneven.interval->low, 1e-3);
  for (Sample& sample : stored[0].samples) {
    sample.open_page = OpenPages{sample.values / 10, sample.bytes_written / 10, sample.values / 4};
  }
  EXPECT_GT(at().bits, same);
}

TEST(Choose, TiersAreModesAndTimesAreATokens) {
  std::vector<StoredResults> stored = {synthetic::results("a", "prefix")};
  EXPECT_FALSE(choose(stored, {0.02, Tier::cold, {}}).empty());
  EXPECT_TRUE(choose(stored, {0.02, Tier::hot, {}}).empty());
  EXPECT_FALSE(choose(stored, {0.02, {}, {}}).empty());
  EXPECT_TRUE(choose({synthetic::results("a", "distortion")}, {0.02, {}, {}}).empty());
  for (Sample& sample : stored[0].samples) {
    sample.encode_seconds = 2.112;
    sample.decode_seconds = 1.056;
  }
  const std::vector<ChosenSetting> answer = choose(stored, {0.02, Tier::cold, {}});
  EXPECT_NEAR(*answer[0].encode_us, 1000, 1e-6);  // of 2112 tokens
  EXPECT_NEAR(*answer[0].decode_us, 500, 1e-6);
  EXPECT_NE(chosen_sentence(answer, {0.02, Tier::cold, {}}).find("1000 us a token to encode"),
            std::string::npos)
      << chosen_sentence(answer, {0.02, Tier::cold, {}});
}

TEST(Choose, WhatNothingKeepsToIsNamed) {
  const std::vector<StoredResults> stored = {synthetic::noiseless()};
  const std::vector<ResultGroup> groups = group_results(stored);
  EXPECT_TRUE(choose_settings(groups[0], {1e-9, {}, {}}).empty());
  const std::string text = nothing_chosen(groups[0], {1e-9, {}, {}});
  EXPECT_NE(text.find("no setting keeps to a KL divergence of 1e-09"), std::string::npos) << text;
  EXPECT_NE(text.find("(e8:q=152)"), std::string::npos) << text;
  for (const double kl : {0.0, -1.0, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(choose_settings(groups[0], {kl, {}, {}}), SpecError) << kl;
  std::vector<StoredResults> silent = stored;
  for (Sample& sample : silent[0].samples) sample.cache_values = 0;
  EXPECT_THROW(choose(silent, {0.02, {}, {}}), InputError);
}

TEST(Choose, BitsWithoutOpenPagesAreMarked) {
  std::vector<StoredResults> stored = {synthetic::noiseless()};
  EXPECT_FALSE(choose(stored, {0.02, {}, {}})[0].open_page_known);
  EXPECT_TRUE(choose_table(choose(stored, {0.02, {}, {}}), {0.02, {}, {}})
                  .rows[0][2]
                  .text.starts_with("≥ 7.225"));
  for (Sample& sample : stored[0].samples) sample.open_page = OpenPages{};
  EXPECT_TRUE(choose(stored, {0.02, {}, {}})[0].open_page_known);
  EXPECT_TRUE(choose_table(choose(stored, {0.02, {}, {}}), {0.02, {}, {}})
                  .rows[0][2]
                  .text.starts_with("7.225"));
  EXPECT_TRUE(choose({synthetic::results("a", "prefix")}, {0.02, {}, {}})[0].open_page_known);
}

TEST(Choose, FewPassagesGiveNoInterval) {
  const std::vector<ChosenSetting> answer =
      choose({synthetic::results("a", "inforward", 7)}, {0.02, {}, {}});
  EXPECT_FALSE(answer[0].interval);
  EXPECT_FALSE(answer[0].at_kl_interval);
}

}  // namespace
}  // namespace kakeya
