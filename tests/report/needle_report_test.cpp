// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/needle_report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

/// Four prompts of each of two tasks at two depths and lengths: "single" is solved, "multi-value" at 512 tokens alone.
NeedleResults made_results() {
  NeedleResults results;
  results.folder = "made";
  results.plan.origin = {{"model-x", "aa"}, {"wiki.txt", "0123456789abcdef0123"}, {}, "llama"};
  results.plan.chat = "plain";
  results.runs.emplace_back();
  results.runs.back().command = {"kakeya-needle", "--text", "a b"};
  for (const std::string codec : {"identity", "fp8", "tq:b=2"}) {
    for (const std::string task : {"multi-value", "single"}) {
      for (const int length : {1024, 512}) {
        for (const int depth : {100, 0}) {
          for (const int i : {0, 1}) {
            NeedleSample sample;
            sample.key = {codec, codec, task, length, depth, i};
            const bool solved = task == "single" || length == 512;
            sample.answer_nll_reference = 0.25 + 0.5 * i;
            sample.answer_nll = sample.answer_nll_reference;
            if (codec == "fp8") sample.answer_nll += i == 0 ? 0.25 : -0.125;
            if (codec == "tq:b=2") sample.answer_nll += 1;
            sample.substring = codec == "tq:b=2" ? 0 : solved ? 1 : 0.5;
            sample.bits_per_value_whole_cache = codec == "identity" ? 16.5 : 9;
            results.samples.push_back(sample);
          }
        }
      }
    }
  }
  return results;
}

TEST(NeedleReport, KeepsApartWhatTheModelDoesNotSolve) {
  const NeedleReport report = make_needle_report(made_results(), 0.8);
  EXPECT_EQ(report.codecs, 3u);
  EXPECT_EQ(report.prompts, 16u);
  EXPECT_EQ(report.solved, 3u);
  EXPECT_EQ(report.unsolved, 1u);
  EXPECT_TRUE(report.warnings.empty());
  const std::string& page = report.details;
  const auto row = [&](const std::string& begin, std::size_t from = 0) {
    const std::size_t at = page.find(begin, from);
    return at == std::string::npos ? "" : page.substr(at, page.find('\n', at) - at);
  };
  // Three tasks of four prompts are pooled.
  const std::size_t pooled = page.find("## Codecs over all solved tasks");
  ASSERT_NE(pooled, std::string::npos);
  const std::string fp8 = row("| `fp8`", pooled), tq = row("| `tq:b=2`", pooled);
  EXPECT_NE(fp8.find("|      12 |"), std::string::npos) << fp8;
  EXPECT_NE(fp8.find("+0.06 ± 0.12"), std::string::npos) << fp8;
  EXPECT_NE(fp8.find("100 |"), std::string::npos) << fp8;
  EXPECT_NE(tq.find(" 9.00 |"), std::string::npos) << tq;
  EXPECT_NE(tq.find(" 0 |"), std::string::npos) << tq;
  const std::size_t apart = page.find("## Tasks that the model does not solve");
  ASSERT_NE(apart, std::string::npos);
  const std::string other = page.substr(apart, page.find("## Depth by length") - apart);
  EXPECT_NE(other.find("multi-value |   1024"), std::string::npos) << other;
  EXPECT_EQ(other.find("single"), std::string::npos) << other;
  EXPECT_EQ(page.substr(0, apart).find("| multi-value |   1024 | `fp8`"), std::string::npos);
  EXPECT_NE(page.find("sha256 0123456789abcdef)"), std::string::npos);
  EXPECT_NE(page.find("`kakeya-needle --text 'a b'`"), std::string::npos) << page;
  EXPECT_NE(report.csv.find("0.0625"), std::string::npos);
  // With another threshold the same task is solved.
  EXPECT_EQ(make_needle_report(made_results(), 0.5).solved, 4u);
}

TEST(NeedleReport, MapsDepthByLength) {
  const NeedleReport report = make_needle_report(made_results(), 0.8);
  ASSERT_EQ(report.heat_maps.size(), 4u);
  const HeatMap& map = report.heat_maps[0];
  EXPECT_EQ(map.name, "nll_single");
  EXPECT_EQ(map.rows, (std::vector<std::string>{"0", "100"}));
  EXPECT_EQ(map.column_names, (std::vector<std::string>{"512", "1024"}));
  ASSERT_EQ(map.panels.size(), 2u);
  EXPECT_EQ(map.panels[0].title, "fp8");
  EXPECT_EQ(map.panels[0].values, (std::vector<double>(4, 0.0625)));
  EXPECT_EQ(map.high, 1);
  EXPECT_EQ(report.heat_maps[3].name, "substring_multi-value");
  ASSERT_EQ(report.heat_maps[3].panels.size(), 3u);
  EXPECT_EQ(report.heat_maps[3].panels[0].values[0], 1);
  EXPECT_EQ(report.heat_maps[3].panels[0].values[2], 1);
}

TEST(NeedleReport, MapsNothingThatIsNotSolved) {
  NeedleResults results = made_results();
  for (NeedleSample& sample : results.samples) {
    const NeedleKey& key = sample.key;
    if (key.is_identity() || key.task == "single" || key.length == 512) continue;
    sample.answer_nll = sample.answer_nll_reference + 40;  // of what is not solved
  }
  const NeedleReport report = make_needle_report(results, 0.8);
  ASSERT_EQ(report.heat_maps.size(), 4u);
  for (const std::size_t map : {2, 3}) {
    for (const HeatPanel& panel : report.heat_maps[map].panels) {
      EXPECT_FALSE(std::isnan(panel.values[0])) << panel.title;
      EXPECT_TRUE(std::isnan(panel.values[1])) << panel.title;
      EXPECT_TRUE(std::isnan(panel.values[3])) << panel.title;
    }
  }
  EXPECT_EQ(report.heat_maps[2].high, 1);
  for (NeedleSample& sample : results.samples) {
    if (sample.key.task == "multi-value") sample.substring = 0;
  }
  EXPECT_EQ(make_needle_report(results, 0.8).heat_maps.size(), 2u);
}

TEST(NeedleReport, SaysWhatIsMissing) {
  NeedleResults results = made_results();
  std::erase_if(results.samples, [](const NeedleSample& sample) {
    const NeedleKey& key = sample.key;
    return (key.codec_k == "fp8" && key.task == "single" && key.length == 512 && key.depth == 0) ||
           (key.codec_k == "tq:b=2" && key.task == "multi-value" &&
            key.length == 1024);  // skipped: not solved
  });
  results.failures.push_back({results.samples[0].key, "why"});
  const NeedleReport report = make_needle_report(results, 0.8);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_NE(report.warnings[0].find("1 cells failed"), std::string::npos);
  EXPECT_EQ(report.warnings[1], "`fp8`, single at 512 tokens: 2 of 4 prompts");
  EXPECT_NE(report.markdown.find("**Warning:** `fp8`"), std::string::npos);
  EXPECT_TRUE(std::isnan(report.heat_maps[0].panels[0].values[0]));
}

TEST(NeedleReport, WarnsOfPagesThatAreNeverFull) {
  NeedleResults results = made_results();
  for (NeedleSample& sample : results.samples) {
    if (sample.key.codec_k == "fp8" && sample.key.length == 512)
      sample.bits_per_value_whole_cache = 16.75;
  }
  const NeedleReport report = make_needle_report(results, 0.8);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(report.warnings[0].starts_with("`fp8` at 512 tokens: takes no less than bf16"));
}

TEST(NeedleReport, PoolsNothingThatIsNeverFull) {
  NeedleResults results = made_results();
  for (NeedleSample& sample : results.samples) {
    const NeedleKey& key = sample.key;
    const bool open = key.codec_k == "tq:b=2" || (key.codec_k == "fp8" && key.length == 512);
    if (open) sample.bits_per_value_whole_cache = 16.5;  // of the bf16 cache
    if (open) sample.answer_nll = sample.answer_nll_reference;
  }
  const NeedleReport report = make_needle_report(results, 0.8);
  const std::string& page = report.details;
  const std::size_t pooled = page.find("## Codecs over all solved tasks");
  const auto row = [&](const std::string& begin) {
    const std::size_t at = page.find(begin, pooled);
    return page.substr(at, page.find('\n', at) - at);
  };
  // Of three solved tasks "single" at 1024 tokens alone filled a page.
  EXPECT_NE(row("| `fp8`").find("|       4 |"), std::string::npos) << row("| `fp8`");
  EXPECT_NE(row("| `fp8`").find(" 9.00 |"), std::string::npos) << row("| `fp8`");
  EXPECT_NE(row("| `tq:b=2`").find("never full"), std::string::npos) << row("| `tq:b=2`");
  EXPECT_NE(row("| single      |    512 | `fp8`").find("never full"), std::string::npos) << page;
  EXPECT_EQ(row("| single      |   1024 | `fp8`").find("never full"), std::string::npos) << page;
  const std::vector<HeatPanel>& panels = report.heat_maps[0].panels;
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].title, "fp8: never full at 512");
  EXPECT_TRUE(std::isnan(panels[0].values[0]));
  EXPECT_EQ(panels[0].values[1], 0.0625);
  EXPECT_EQ(panels[1].title, "tq:b=2: never full at 512, 1024");
  EXPECT_TRUE(std::isnan(panels[1].values[3]));
}

TEST(NeedleReport, RefusesWhatHasNoReference) {
  NeedleResults results = made_results();
  results.runs.clear();
  EXPECT_THROW(make_needle_report(results, 0.8), InputError);
  results = made_results();
  std::erase_if(results.samples,
                [](const NeedleSample& sample) { return sample.key.is_identity(); });
  EXPECT_THROW(make_needle_report(results, 0.8), InputError);
  EXPECT_THROW(make_needle_report(made_results(), 1.5), SpecError);
}

}  // namespace
}  // namespace kakeya
