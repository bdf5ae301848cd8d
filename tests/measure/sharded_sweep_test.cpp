// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "fake_sweep.h"
#include "kakeya/measure/shared_references.h"
#include "kakeya/measure/sweep.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::fake_plan;
using testing::FakeModel;
using testing::grid_of;
using testing::kContext;
using testing::kScored;
using testing::message_of;
using testing::ScratchFolder;

const std::vector<std::string> kCodecs = {"e8:q=10", "e8:q=22", "fp8", "tq:b=4"};
constexpr int kPassages = 3;

ModelSubject::Settings both_kinds() {
  return testing::settings({EvalMode::in_forward, EvalMode::prefix});
}

struct Ran {
  SweepOutcome outcome;
  int forwards = 0;
  std::size_t computed = 0, read = 0;
  std::vector<std::string> said;
};

Ran run_shard(const std::string& folder, Shard shard, const std::string& maker = "test",
              const std::function<bool()>& stopped = {},
              std::size_t most_logit_bytes = SharedReferences::kMostLogitBytes) {
  Ran ran;
  FakeModel model;
  const std::vector<Passage> passages = fake_passages(kPassages, kContext + kScored);
  WorkerPool pool{1};
  ModelSubject subject(model, passages, both_kinds(), pool);
  Provenance provenance = make_provenance({"test"}, 1);
  provenance.device = maker;
  ResultStore store(folder, fake_plan(), provenance, std::nullopt, {shard, {}, {}});
  SharedReferences references(
      folder, fake_plan(), provenance, {},
      [&](const std::string& text) { ran.said.push_back(text); }, most_logit_bytes);
  if (!shard.whole()) subject.share_references(&references);
  ran.outcome = run_sweep(subject, grid_of(kCodecs), store, {}, stopped);
  ran.forwards = model.forwards;
  ran.computed = references.computed();
  ran.read = references.read();
  return ran;
}

std::map<CellKey, std::vector<double>> numbers_in(const std::string& folder) {
  std::map<CellKey, std::vector<double>> cells;
  for (const Sample& s : read_results(folder).samples) {
    std::vector<double> numbers = {*s.kld_mean, *s.nll, s.rel_mse_k,
                                   static_cast<double>(s.bytes_written)};
    numbers.insert(numbers.end(), s.kld_tokens.begin(), s.kld_tokens.end());
    cells[s.key] = numbers;
  }
  return cells;
}

TEST(ShardedSweep, EqualsOneProcess) {
  const ScratchFolder folder;
  run_shard(folder / "whole", {});
  std::size_t finished = 0, computed = 0;
  for (int index = 1; index <= 3; ++index) {
    const Ran ran = run_shard(folder / "r", {index, 3});
    EXPECT_EQ(ran.outcome.total, ran.outcome.finished);
    EXPECT_GT(ran.outcome.finished, 0U) << index;
    finished += ran.outcome.finished;
    computed += ran.computed;
  }
  EXPECT_EQ(finished, kPassages * 2 * (kCodecs.size() + 1));
  EXPECT_EQ(computed, static_cast<std::size_t>(kPassages));  // once a passage
  EXPECT_EQ(numbers_in(folder / "r"), numbers_in(folder / "whole"));
}

// Rows of 40 logits.
TEST(ShardedSweep, APassOfManyLogitsIsEachShardsOwn) {
  constexpr std::size_t kBytes = kScored * 40 * sizeof(float);
  const ScratchFolder whole;
  run_shard(whole / "out", {});
  for (const bool shared : {true, false}) {
    const ScratchFolder scratch;
    const std::size_t most = shared ? kBytes : kBytes - 1;
    const Ran first = run_shard(scratch / "out", {1, 2}, "test", {}, most),
              second = run_shard(scratch / "out", {2, 2}, "test", {}, most);
    EXPECT_EQ(first.computed + second.computed > 0, shared);
    EXPECT_EQ(second.read > 0, shared);
    EXPECT_EQ(numbers_in(scratch / "out"), numbers_in(whole / "out"));
  }
}

TEST(ShardedSweep, AtTheSameTimeToo) {
  const ScratchFolder folder;
  run_shard(folder / "whole", {});
  std::atomic<std::size_t> computed = 0;
  std::vector<std::thread> threads;
  for (int index = 1; index <= 4; ++index) {
    threads.emplace_back([&, index] { computed += run_shard(folder / "r", {index, 4}).computed; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(computed, static_cast<std::size_t>(kPassages));
  EXPECT_EQ(numbers_in(folder / "r"), numbers_in(folder / "whole"));
}

// A machine of another kind sums in another order: it computes its own passes.
TEST(ShardedSweep, AnotherKindOfMachineSharesNoPass) {
  const ScratchFolder folder;
  EXPECT_GT(run_shard(folder / "r", {1, 2}, "this").computed, 0U);
  const Ran other = run_shard(folder / "r", {2, 2}, "that");
  EXPECT_EQ(other.computed, static_cast<std::size_t>(kPassages));
  EXPECT_EQ(other.read, 0U);
}

TEST(ShardedSweep, GpusShareAPassWhereTheyAreKnownToBeAlike) {
  const ScratchFolder folder;
  for (const std::string name : {"", ": NVIDIA H100"}) {
    const std::string of = folder / ("r" + name.substr(0, 1));
    EXPECT_GT(run_shard(of, {1, 2}, "cuda:0" + name).computed, 0U);
    const Ran other = run_shard(of, {2, 2}, "cuda:1" + name);
    EXPECT_EQ(other.read == 0, name.empty()) << name;
  }
}

TEST(ShardedSweep, APassThatDoesNotRepeatStopsIt) {
  const ScratchFolder folder;
  run_shard(folder / "r", {1, 2});
  for (const auto& entry : std::filesystem::directory_iterator(folder / "r/references")) {
    StoredReference reference = read_reference(entry.path().string());
    reference.logits[7] += 0.01F;
    write_reference(entry.path().string(), reference);
  }
  EXPECT_NE(message_of<Error>([&] {
              run_shard(folder / "r", {2, 2});
            }).find("expected"),
            std::string::npos);
  for (const Sample& sample : read_results(folder / "r").samples)
    EXPECT_TRUE((Shard{1, 2}.has(sample.key)));
}

// The first pass that a shard needs is mostly its own: one that it reads later is looked at too.
TEST(ShardedSweep, APassThatIsReadAfterItsOwnStopsItToo) {
  for (int kept = 0; kept < kPassages; ++kept) {
    const ScratchFolder folder;
    run_shard(folder / "r", {1, 2});
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "r/references"))
      files.push_back(entry.path().string());
    ASSERT_EQ(files.size(), static_cast<std::size_t>(kPassages));
    for (int i = 0; i < kPassages; ++i) {
      if (i != kept) std::filesystem::remove(files[static_cast<std::size_t>(i)]);
    }
    StoredReference reference = read_reference(files[static_cast<std::size_t>(kept)]);
    reference.logits[7] += 0.01F;
    write_reference(files[static_cast<std::size_t>(kept)], reference);
    EXPECT_NE(message_of<Error>([&] {
                run_shard(folder / "r", {2, 2});
              }).find("expected"),
              std::string::npos)
        << kept;
  }
}

TEST(ShardedSweep, OneOfTheWrongLengthIsDamage) {
  const ScratchFolder folder;
  run_shard(folder / "r", {1, 2});
  for (const auto& entry : std::filesystem::directory_iterator(folder / "r/references")) {
    StoredReference reference = read_reference(entry.path().string());
    reference.cache.pop_back();
    write_reference(entry.path().string(), reference);
  }
  EXPECT_THROW(run_shard(folder / "r", {2, 2}), CorruptStream);
}

TEST(ShardedSweep, StopsBeforeACellAndGoesOn) {
  const ScratchFolder folder;
  run_shard(folder / "whole", {});
  int asked = 0;
  const Ran first = run_shard(folder / "r", {}, "test", [&] { return ++asked > 5; });
  EXPECT_TRUE(first.outcome.stopped);
  EXPECT_EQ(first.outcome.finished, 4U);  // asked before the reference pass too
  EXPECT_TRUE(first.outcome.failed.empty());
  const Ran rest = run_shard(folder / "r", {});
  EXPECT_FALSE(rest.outcome.stopped);
  EXPECT_EQ(rest.outcome.already, 4U);
  EXPECT_EQ(numbers_in(folder / "r"), numbers_in(folder / "whole"));
}

TEST(ShardedSweep, ReferencesMayBeRemoved) {
  const ScratchFolder folder;
  run_shard(folder / "r", {1, 2});
  remove_references(folder / "r");
  EXPECT_FALSE(std::filesystem::exists(folder / "r/references"));
  EXPECT_EQ(run_shard(folder / "r", {2, 2}).computed, static_cast<std::size_t>(kPassages));
}

}  // namespace
}  // namespace kakeya
