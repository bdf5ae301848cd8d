// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/store/planned_cells.h"
#include "kakeya/store/reference_file.h"
#include "kakeya/store/result_store.h"
#include "kakeya/store/sweep_status.h"
#include "stored_sample.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::expect_equal;
using testing::message_of;
using testing::plan;
using testing::provenance;
using testing::read_text;
using testing::sample;
using testing::ScratchFolder;
using testing::write_text;

ResultStore open_shard(const std::string& folder, int index, int count,
                       std::optional<PlannedCells> planned = {}) {
  return {folder, plan(), provenance(), std::nullopt, {{index, count}, std::move(planned), {}}};
}

/// The cells of samples 0 and 1.
PlannedCells two_codecs(int passages) {
  return {{{"e8:q=0", "d4:q=10"}, {"e8:q=1", "d4:q=10"}}, {"inforward"}, 0, passages};
}

TEST(ResultShards, WriteBesideEachOtherAndAreReadTogether) {
  const ScratchFolder folder;
  {
    ResultStore one = open_shard(folder / "r", 1, 3), two = open_shard(folder / "r", 2, 3);
    two.append(sample(2));
    one.append(sample(0));
    one.append(sample(1));
    one.append_failure(sample(2).key, "elsewhere");  // another finished it
    two.append_failure(sample(9).key, "why");
  }
  { open_shard(folder / "r", 2, 3).append(sample(3)); }
  { ResultStore(folder / "r", plan(), provenance()).append(sample(4)); }
  const StoredResults results = read_results(folder / "r");
  const std::vector<int> order = {4, 0, 1, 2, 3};  // the whole sweep's, then shard by shard
  ASSERT_EQ(results.samples.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) expect_equal(results.samples[i], sample(order[i]));
  EXPECT_EQ(results.runs.size(), 4U);
  EXPECT_EQ(results.first_samples, (std::vector<std::size_t>{0, 1, 3, 4}));
  ASSERT_EQ(results.failures.size(), 1U);
  EXPECT_EQ(results.failures[0].reason, "why");
  EXPECT_TRUE(has_shards(folder / "r"));
}

TEST(ResultShards, WhatAnyFileHasIsFinished) {
  const ScratchFolder folder;
  { open_shard(folder / "r", 1, 3).append(sample(0)); }
  { open_shard(folder / "r", 5, 8).append(sample(1)); }
  { ResultStore(folder / "r", plan(), provenance()).append(sample(2)); }
  const ResultStore whole(folder / "r", plan(), provenance());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(whole.contains(sample(i).key)) << i;
  EXPECT_EQ(whole.finished(), 3U);
}

TEST(ResultShards, AFolderHasWritersOfOneDivision) {
  const ScratchFolder folder;
  const ResultStore one = open_shard(folder / "r", 1, 3);
  const auto why = [&](int index, int count) {
    return message_of<IoError>([&] { open_shard(folder / "r", index, count); });
  };
  EXPECT_NE(why(1, 3).find("another process is writing results here (shard 1/3"),
            std::string::npos);
  EXPECT_EQ(why(2, 3), "");
  EXPECT_NE(why(1, 2).find("shard 1/3 of another process"), std::string::npos);
  EXPECT_NE(why(1, 1).find("one number of shards at a time"), std::string::npos);
  const ScratchFolder other;
  const ResultStore whole(other / "r", plan(), provenance());
  EXPECT_NE(message_of<IoError>([&] { open_shard(other / "r", 1, 2); }).find("a whole sweep"),
            std::string::npos);
}

TEST(ResultShards, HaveOnePlanAndOneSplit) {
  const ScratchFolder folder;
  { open_shard(folder / "r", 1, 2).append(sample(0)); }
  SweepPlan other = plan();
  other.context = 7;
  const auto asks = [&](const SweepPlan& asked, Shard shard) {
    ResultStore(folder / "r", asked, provenance(), std::nullopt, {shard, {}, {}});
  };
  EXPECT_NE(message_of<InputError>([&] {
              asks(other, {2, 2});
            }).find("context: 2048 stored, 7"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "r/provenance.2-of-2.json"));
  SweepPlan development = plan();
  development.split = kDevelopment;
  asks(development, {2, 2});  // the folder is one of it from now on
  EXPECT_EQ(read_results(folder / "r").plan.split, kDevelopment);
  EXPECT_THROW(asks(plan(), {1, 2}), InputError);
  const std::string head = folder / "r/provenance.2-of-2.json";
  auto json = nlohmann::ordered_json::parse(read_text(head));
  json["plan"]["seed"] = 1;
  write_text(head, json.dump());
  EXPECT_NE(message_of<CorruptStream>([&] { read_results(folder / "r"); }).find("of another plan"),
            std::string::npos);
  std::filesystem::remove(head);
  write_text(folder / "r/samples.2-of-2.jsonl", read_text(folder / "r/samples.1-of-2.jsonl"));
  EXPECT_NE(message_of<CorruptStream>([&] {
              asks(development, {2, 2});
            }).find("nobody knows"),
            std::string::npos);
}

TEST(ResultShards, MayBeOfSeveralGpusOfAMachine) {
  const ScratchFolder folder;
  const auto of = [](const std::string& device) {
    SweepPlan asked = plan();
    asked.device = device;
    return asked;
  };
  const auto asks = [&](const std::string& device, Shard shard) {
    ResultStore(folder / "r", of(device), provenance(), std::nullopt, {shard, {}, {}});
  };
  asks("cuda:0", {1, 3});
  asks("cuda:1", {2, 3});
  asks("cuda:0,cuda:1", {3, 3});
  EXPECT_EQ(read_results(folder / "r").plan.device, "cuda:0");
  EXPECT_NE(message_of<InputError>([&] {
              asks("cpu", {1, 3});
            }).find("device: \"cuda:0\" stored"),
            std::string::npos);
}

TEST(ResultShards, MayBeOfLayersOnSeveralCpusOfAMachine) {
  const ScratchFolder folder;
  for (const char* device : {"cpu,cpu", "cpu", "cpu,cpu,cpu"}) {
    SweepPlan asked = plan();
    asked.device = device;
    EXPECT_NO_THROW(ResultStore(folder / "r", asked, provenance())) << device;
  }
  EXPECT_EQ(read_results(folder / "r").plan.device, "cpu,cpu");
}

TEST(ResultShards, ACellTwiceIsKeptOnceWhereItIsTheSame) {
  const ScratchFolder folder;
  { open_shard(folder / "r", 1, 2).append(sample(0)); }
  { open_shard(folder / "r", 2, 2).append(sample(1)); }
  const std::string second = folder / "r/samples.2-of-2.jsonl", line = read_text(second);
  auto again = nlohmann::ordered_json::parse(read_text(folder / "r/samples.1-of-2.jsonl"));
  again["encode_seconds"] = 17.0;
  write_text(second, line + again.dump() + "\n");
  EXPECT_EQ(read_results(folder / "r").samples.size(), 2U);
  again["top1_tokens"][5] = 1 - again["top1_tokens"][5].get<int>();
  write_text(second, line + again.dump() + "\n");
  const std::string why = message_of<CorruptStream>([&] { read_results(folder / "r"); });
  EXPECT_NE(why.find("samples.2-of-2.jsonl:2: the cell codec_k e8:q=0"), std::string::npos) << why;
  EXPECT_NE(why.find("samples.1-of-2.jsonl:1 too, with other numbers"), std::string::npos) << why;
  EXPECT_THROW(open_shard(folder / "r", 1, 2), CorruptStream);
}

TEST(ResultShards, ALastLineThatIsCutIsCutAwayByItsOwnerAlone) {
  const ScratchFolder folder;
  { open_shard(folder / "r", 1, 2).append(sample(0)); }
  const std::string path = folder / "r/samples.1-of-2.jsonl", whole = read_text(path);
  write_text(path, whole + whole.substr(0, 40));
  { EXPECT_TRUE(open_shard(folder / "r", 2, 2).contains(sample(0).key)); }
  EXPECT_EQ(read_text(path).size(), whole.size() + 40);  // it may be just being written
  { open_shard(folder / "r", 1, 2); }
  EXPECT_EQ(read_text(path), whole);
}

ControlSample control(int passage) {
  ControlSample made;
  made.control = "bf16";
  made.passage = passage;
  return made;
}

TEST(ResultShards, ControlsKnowTheirRun) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append_control(control(0)); }
  {
    ResultStore two = open_shard(folder / "r", 2, 2);
    EXPECT_TRUE(two.contains_control("bf16", 0));
    two.append_control(control(1));
  }
  const StoredResults results = read_results(folder / "r");
  ASSERT_EQ(results.controls.size(), 2U);
  EXPECT_EQ(results.controls[0].run, 0);
  EXPECT_EQ(results.controls[1].run, 1);
}

TEST(ResultShards, WhatIsMissingHasAName) {
  const ScratchFolder folder;
  { open_shard(folder / "r", 1, 2, two_codecs(6)).append(sample(1)); }  // of passage 1
  { open_shard(folder / "r", 2, 2, two_codecs(1)); }
  const StoredResults results = read_results(folder / "r");
  const std::vector<MissingCells> missing = missing_cells(results);
  ASSERT_EQ(missing.size(), 2U);
  EXPECT_EQ(missing[0].passages, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(missing[1].passages, (std::vector<int>{0, 2, 3, 4, 5}));
  EXPECT_EQ(missing_text(missing),
            "K e8:q=0, V d4:q=10 inforward: 6 passages (0 to 5); "
            "K e8:q=1, V d4:q=10 inforward: 5 passages (0, 2 to 5)");
  EXPECT_EQ(missing_text(missing, 1),
            "K e8:q=0, V d4:q=10 inforward: 6 passages (0 to 5); and 1 more codecs");
}

TEST(SweepStatus, CountsEveryCellOnce) {
  const ScratchFolder folder;
  const auto status = [&] { return sweep_status(folder / "r"); };
  Sample timed = sample(1);
  timed.cell_seconds = 2;
  {
    ResultStore one = open_shard(folder / "r", 1, 2, two_codecs(6));
    one.append(timed);
    one.append_failure({"e8:q=0", "d4:q=10", 2, "inforward"}, "why");
    one.tell("e8:q=0 inforward passage 3", 2, 6);
    const SweepStatus now = status();
    EXPECT_EQ(now.cells, 12U);
    EXPECT_EQ(now.done, 1U);
    EXPECT_EQ(now.failed, 1U);
    EXPECT_EQ(now.running, 1U);
    EXPECT_EQ(now.missing, 9U);
    ASSERT_EQ(now.writers.size(), 1U);
    EXPECT_TRUE(now.writers[0].lives);
    EXPECT_EQ(now.writers[0].owner.now, "e8:q=0 inforward passage 3");
    ASSERT_EQ(now.idle, (std::vector<Shard>{{2, 2}}));
    EXPECT_EQ(now.idle_cells + now.writers[0].missing, 10U);
    EXPECT_DOUBLE_EQ(*now.work_seconds_left, 20);
    EXPECT_DOUBLE_EQ(*now.seconds_left, 2 * static_cast<double>(now.writers[0].missing));
  }
  const SweepStatus after = status();
  EXPECT_EQ(after.running, 0U);
  EXPECT_EQ(after.missing, 10U);
  EXPECT_FALSE(after.seconds_left);
  EXPECT_TRUE(after.writers.empty());
}

TEST(SweepStatus, OfAnOlderFolderKnowsHowMany) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance(), 14).append(sample(0)); }
  EXPECT_EQ(sweep_status(folder / "r").cells, 14U);
  EXPECT_EQ(sweep_status(folder / "r").missing, 13U);
}

TEST(ReferenceFile, EveryBitComesBackAndDamageIsNamed) {
  const ScratchFolder folder;
  const std::string path = folder / "a.ref";
  const StoredReference made{{1.5F, -0.0F, 3e-40F}, {0x3f80, 0xffff}};
  write_reference(path, made);
  const StoredReference back = read_reference(path);
  EXPECT_EQ(back.logits, made.logits);
  EXPECT_EQ(back.cache, made.cache);
  const std::string whole = read_text(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_text(path, whole.substr(0, length));
    EXPECT_THROW(read_reference(path), CorruptStream) << length;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    write_text(path, changed);
    EXPECT_THROW(read_reference(path), CorruptStream) << at;
  }
  EXPECT_THROW(read_reference(folder / "none.ref"), IoError);
}

}  // namespace
}  // namespace kakeya
