// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/whole_cache.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kakeya/core/error.h"
#include "stored_sample.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::plan;
using testing::provenance;
using testing::read_text;
using testing::sample;
using testing::ScratchFolder;
using testing::write_text;

TEST(WholeCache, OlderSamplesLackTheOpenPageAndTheWholeCachesBits) {
  const ScratchFolder folder;
  Sample newer = sample(1);
  newer.key.passage = 9;
  newer.open_page = OpenPages{30, 15, 64};
  newer.cache_values = 160;
  newer.cache_bytes = 200;
  newer.whole_cache_bits_per_value = whole_cache_bits(newer);
  newer.profile_bytes = 77;
  EXPECT_DOUBLE_EQ(*newer.whole_cache_bits_per_value, 8 * (200 - 15 + 60) / 160.0);
  {
    ResultStore store(folder / "r", plan(), provenance());
    store.append(sample(1));
    store.append(newer);
  }
  const std::string text = read_text(folder / "r/samples.jsonl");
  const auto line = nlohmann::json::parse(text.substr(0, text.find('\n')));
  for (const char* key : {"open_page", "whole_cache_bits_per_value", "bits_per_value_whole_cache",
                          "profile_bytes", "split"})
    EXPECT_FALSE(line.contains(key)) << key;
  const auto second = nlohmann::json::parse(text.substr(text.find('\n') + 1));
  EXPECT_EQ(second.at("bits_per_value_whole_cache"), second.at("whole_cache_bits_per_value"));
  EXPECT_EQ(second.at("profile_bytes"), 77);
  const std::vector<Sample> back = read_results(folder / "r").samples;
  EXPECT_FALSE(back[0].open_page || back[0].whole_cache_bits_per_value);
  EXPECT_FALSE(knows_open_page(back[0]));
  EXPECT_EQ(back[1].open_page, newer.open_page);
  EXPECT_EQ(back[1].whole_cache_bits_per_value, newer.whole_cache_bits_per_value);
  EXPECT_EQ(back[1].profile_bytes, 77u);
  EXPECT_TRUE(knows_open_page(back[1]));
}

TEST(WholeCache, ACacheThatGrowsMayFillNoPage) {
  Sample open = sample(1);
  open.key.mode = "inforward";
  open.values = 100;
  open.ledger_k = open.ledger_v = RateLedger{};
  open.ledger_k->exact_token_bits = 16 * 10;
  open.open_page = OpenPages{90, 30, 400};
  EXPECT_TRUE(fills_no_page(open));
  open.open_page->values = 89;  // one value lies in a page that is full
  EXPECT_FALSE(fills_no_page(open));
  open.open_page = OpenPages{0, 0, 0};  // of a codec whose vectors stand alone
  EXPECT_FALSE(fills_no_page(open));
  open.open_page = OpenPages{90, 30, 400};
  open.key.mode = "prefix";  // a finished cache: its last page is as long as it is
  EXPECT_FALSE(fills_no_page(open));
  open.key.mode = "decode";
  open.open_page.reset();
  EXPECT_FALSE(fills_no_page(open));
}

TEST(Splits, AFolderHoldsOneSplit) {
  const ScratchFolder folder;
  SweepPlan development = plan(), held_out = plan();
  development.split = kDevelopment;
  held_out.split = kHeldOut;
  ResultStore(folder / "r", held_out, provenance()).append(sample(1));
  EXPECT_EQ(read_results(folder / "r").plan, held_out);
  EXPECT_EQ(read_results(folder / "r").samples.at(0).split, "held-out");
  const auto why = [&](const char* name, const SweepPlan& asked) {
    return message_of<InputError>([&] { ResultStore(folder / name, asked, provenance()); });
  };
  EXPECT_NE(why("r", development)
                .find("r: holds the split held-out, asked for the split "
                      "development: a folder holds one: give another"),
            std::string::npos)
      << why("r", development);
  EXPECT_NE(why("r", plan()).find("asked for passages of no named split"), std::string::npos);
  EXPECT_EQ(why("r", held_out), "");

  // One of before splits is of development where that is said, and cannot be held out.
  ResultStore(folder / "old", plan(), provenance()).append(sample(1));
  EXPECT_NE(why("old", held_out).find("holds passages of no named split"), std::string::npos);
  EXPECT_EQ(why("old", development), "");
  EXPECT_EQ(read_results(folder / "old").plan.split, "development");
  EXPECT_EQ(read_results(folder / "old").samples.at(0).split, "");
  EXPECT_NE(why("old", plan()).find("holds the split development"), std::string::npos);

  // Lines of another folder, and a word that is no split.
  write_text(folder / "old/samples.jsonl", read_text(folder / "r/samples.jsonl"));
  EXPECT_NE(message_of<CorruptStream>([&] {
              read_results(folder / "old");
            }).find("of the split held-out, in a folder of the split development"),
            std::string::npos);
  std::string head = read_text(folder / "r/provenance.json");
  head.replace(head.find("held-out"), 8, "test-set");
  write_text(folder / "r/provenance.json", head);
  EXPECT_NE(message_of<CorruptStream>([&] {
              read_results(folder / "r");
            }).find("expected development or held-out"),
            std::string::npos);
}

}  // namespace
}  // namespace kakeya
