// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/needle_store.h"

#include <gtest/gtest.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::read_text;
using testing::ScratchFolder;

NeedlePlan plan_of() {
  NeedlePlan plan;
  plan.origin = {{"m", "aa"}, {"t", "bb"}, {"bpe", "cc"}, "llama"};
  plan.dtype = "fp32";
  plan.device = "cpu";
  plan.policy.sinks = 4;
  plan.chat = "plain";
  plan.prefill_chunk = 512;
  plan.more_tokens = 16;
  plan.draws = 2;
  return plan;
}

NeedleSample sample_of(int number, const std::string& codec = "identity") {
  NeedleSample sample;
  sample.key = {codec, codec, "single", 512, 50, number};
  sample.answer_nll = 0.1 * number;
  sample.answer = " 12345";
  sample.generated = " 1\"2\n";
  sample.substring = number % 2;
  sample.live_bytes = 7;
  return sample;
}

template <typename Kind>
std::string refusal(const std::string& folder, const NeedlePlan& plan) {
  try {
    NeedleStore(folder, plan, {}, 5);
  } catch (const Kind& error) {
    return error.what();
  }
  return "";
}

TEST(NeedleStore, KeepsSamplesAndGoesOn) {
  const ScratchFolder scratch;
  const std::string folder = scratch / "out";
  {
    NeedleStore store(folder, plan_of(), {}, 5);
    store.append(sample_of(1));
    store.append_failure({sample_of(2).key, "no \"reason\""});
    store.append_failure({sample_of(3).key, "none"});
    EXPECT_THROW(store.append(sample_of(1)), InputError);
    EXPECT_THROW(NeedleStore(folder, plan_of(), {}, 5), IoError);  // another writes here
  }
  {
    NeedleStore store(folder, plan_of(), {}, 6);
    ASSERT_NE(store.find(sample_of(1).key), nullptr);
    EXPECT_EQ(store.find(sample_of(1).key)->answer_nll, 0.1);
    EXPECT_EQ(store.find(sample_of(2).key), nullptr);
    store.append(sample_of(2));
    NeedleSample infinite = sample_of(4);
    infinite.answer_nll = std::numeric_limits<double>::infinity();
    EXPECT_THROW(store.append(infinite), InputError);
  }
  const NeedleResults results = read_needle_results(folder);
  ASSERT_EQ(results.samples.size(), 2u);
  EXPECT_EQ(results.samples[0].generated, " 1\"2\n");
  EXPECT_EQ(results.samples[1].key, sample_of(2).key);
  ASSERT_EQ(results.failures.size(), 1u);  // the other was measured later
  EXPECT_EQ(results.failures[0].reason, "none");
  EXPECT_EQ(results.runs.size(), 2u);
  EXPECT_EQ(results.cells_planned, 6u);
  EXPECT_EQ(results.plan.policy.sinks, 4);
  EXPECT_EQ(results.plan.origin.text.sha256, "bb");
}

TEST(NeedleStore, DropsALineThatWasCutShort) {
  const ScratchFolder scratch;
  const std::string folder = scratch / "out", path = folder + "/samples.jsonl";
  {
    NeedleStore store(folder, plan_of(), {}, 5);
    store.append(sample_of(1));
    store.append(sample_of(2));
  }
  const std::string whole = read_text(path);
  write_file(path, whole.substr(0, whole.size() - 9));
  {
    NeedleStore store(folder, plan_of(), {}, 5);
    EXPECT_EQ(store.samples().size(), 1u);
    store.append(sample_of(2));
  }
  EXPECT_EQ(read_text(path), whole);
}

TEST(NeedleStore, RefusesOtherSettingsByName) {
  const ScratchFolder scratch;
  const std::string folder = scratch / "out";
  { NeedleStore store(folder, plan_of(), {}, 5); }
  NeedlePlan other = plan_of();
  other.policy.sinks = 5;
  EXPECT_NE(refusal<InputError>(folder, other).find("sinks: 4 stored, 5 asked for"),
            std::string::npos);
  other = plan_of();
  other.tap = TapPoint::post_rope;
  EXPECT_NE(refusal<InputError>(folder, other).find("tap: \"pre-rope\" stored"), std::string::npos);
  other = plan_of();
  other.origin.text.sha256 = "dd";
  EXPECT_NE(refusal<InputError>(folder, other).find("text_sha256"), std::string::npos);
  EXPECT_EQ(refusal<InputError>(folder, plan_of()), "");
}

TEST(NeedleStore, RefusesPromptsOfAnotherVersion) {
  const ScratchFolder scratch;
  const std::string folder = scratch / "out", head = folder + "/provenance.json";
  { NeedleStore(folder, plan_of(), {}, 5).append(sample_of(1)); }
  EXPECT_EQ(read_needle_results(folder).plan.draws, 2);
  NeedlePlan other = plan_of();
  other.draws = 3;
  EXPECT_NE(refusal<InputError>(folder, other).find("draws: 2 stored, 3 asked for"),
            std::string::npos);
  // Folders from before it was said are the first version's, and still read.
  std::string stored = read_text(head);
  const std::size_t key = stored.find(",\n    \"draws\": 2");
  ASSERT_NE(key, std::string::npos) << stored;
  write_file(head, stored.erase(key, std::string(",\n    \"draws\": 2").size()));
  EXPECT_EQ(read_needle_results(folder).plan.draws, 1);
  EXPECT_NE(refusal<InputError>(folder, plan_of()).find("draws: nothing stored, 2 asked for"),
            std::string::npos);
}

TEST(NeedleStore, RefusesWhatIsDamagedOrOfAnotherProgram) {
  const ScratchFolder scratch;
  const std::string folder = scratch / "out", samples = folder + "/samples.jsonl",
                    head = folder + "/provenance.json";
  {
    NeedleStore store(folder, plan_of(), {}, 5);
    store.append(sample_of(1));
  }
  const std::string good = read_text(samples), stored = read_text(head);
  for (const std::string& bad :
       {std::string("{}\n"), std::string("[]\n"), std::string("x\n"), good + good,
        "{\"more\":1," + good.substr(1), "{\"codec_k\":5," + good.substr(good.find(',') + 1)}) {
    write_file(samples, bad);
    EXPECT_THROW(read_needle_results(folder), CorruptStream) << bad;
    EXPECT_NE(refusal<CorruptStream>(folder, plan_of()).find("samples.jsonl:"), std::string::npos)
        << bad;
  }
  write_file(samples, good);
  write_file(head, "{\"plan\": {}, \"runs\": []}");
  EXPECT_NE(refusal<InputError>(folder, plan_of()).find("another program"), std::string::npos);
  write_file(head, "{\"kind\": \"needle\", \"runs\": []}");
  EXPECT_THROW(read_needle_results(folder), CorruptStream);
  const std::string no_runs = stored.substr(0, stored.find("\"runs\"")) + "\"runs\": []}";
  write_file(head, no_runs);
  try {
    read_needle_results(folder);
    ADD_FAILURE() << "read: " << no_runs;
  } catch (const CorruptStream& error) {
    EXPECT_EQ(error.what(), head + ": no runs, expected at least one");
  }
  std::filesystem::remove(head);
  EXPECT_NE(refusal<CorruptStream>(folder, plan_of()).find("without provenance.json"),
            std::string::npos);
  EXPECT_THROW(read_needle_results(folder), IoError);
  write_file(head, stored);
  std::filesystem::rename(samples, samples + ".xz");
  EXPECT_NE(refusal<IoError>(folder, plan_of()).find("unpack it first"), std::string::npos);
}

TEST(NeedleStore, SolvedIsOfATaskAtALength) {
  std::vector<NeedleSample> samples;
  for (int i = 0; i < 4; ++i) {
    samples.push_back(sample_of(i));
    samples.push_back(sample_of(i, "fp8"));  // says nothing of it
    samples.back().substring = 0;
  }
  samples[0].substring = samples[4].substring = 1;
  samples.push_back(sample_of(0));
  samples.back().key.length = 1024;
  const std::vector<NeedleSolved> tasks = solved_tasks(samples, 0.8);
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].substring, 1);
  EXPECT_TRUE(tasks[0].solved);
  EXPECT_EQ(tasks[1].length, 1024);
  EXPECT_FALSE(tasks[1].solved);
}

TEST(NeedleStore, SolvedIsNotLostInRounding) {
  std::vector<NeedleSample> samples;
  for (const double share : {1.0, 1.0, 2.0 / 3, 2.0 / 3, 2.0 / 3}) {
    samples.push_back(sample_of(static_cast<int>(samples.size())));
    samples.back().substring = share;
  }
  EXPECT_TRUE(solved_tasks(samples, 0.8)[0].solved);  // 12 of 15 answers
  EXPECT_FALSE(solved_tasks(samples, 0.8001)[0].solved);
}

}  // namespace
}  // namespace kakeya
