// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/model_sweep.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "fake_codec.h"
#include "fake_sweep.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using testing::fake_cell;
using testing::fake_passages;
using testing::FakeCodec;
using testing::FakeModel;
using testing::FakeSweep;
using testing::grid_of;
using testing::kAllModes;
using testing::kContext;
using testing::kScored;
using testing::sample_of;
using testing::ScratchFolder;
using testing::settings;

TEST(ModelSweep, IdentityIsExactlyZeroInEveryMode) {
  ScratchFolder folder;
  FakeSweep run;
  const SweepOutcome outcome = run(folder / "out", grid_of({"identity"}), settings(kAllModes));
  EXPECT_EQ(outcome.finished, 9u);
  const StoredResults results = read_results(folder / "out");
  ASSERT_EQ(results.samples.size(), 9u);
  for (const Sample& sample : results.samples) {
    EXPECT_EQ(sample.kld_max, 0.0);
    EXPECT_EQ(sample.delta_ppl, 0.0);
    EXPECT_EQ(sample.top1, 1.0);
    EXPECT_EQ(sample.rel_mse_k, 0.0);
    EXPECT_EQ(sample.rel_mse_v, 0.0);
    EXPECT_EQ(sample.nll, sample.nll_reference);
    EXPECT_EQ(sample.nll_tokens.size(), kScored);
    EXPECT_GT(sample.bits_per_value, 16.0);  // frames have headers
    EXPECT_EQ(sample.nominal_bits_per_value, 16.0);
  }
}

TEST(ModelSweep, FinerCodecsAreCloserInEveryMode) {
  ScratchFolder folder;
  FakeSweep run;
  run(folder / "out", grid_of({"e8:q={2,8,64}"}), settings(kAllModes));
  const StoredResults results = read_results(folder / "out");
  for (const EvalMode mode : kAllModes) {
    for (int passage = 0; passage < 3; ++passage) {
      const std::string name(mode_name(mode));
      const Sample &coarse = sample_of(results, "e8:q=2", name, passage),
                   &middle = sample_of(results, "e8:q=8", name, passage),
                   &fine = sample_of(results, "e8:q=64", name, passage);
      EXPECT_GT(*coarse.kld_mean, *middle.kld_mean);
      EXPECT_GT(*middle.kld_mean, *fine.kld_mean);
      EXPECT_GT(*fine.kld_mean, 0);
      EXPECT_GT(coarse.rel_mse_k, fine.rel_mse_k);
      EXPECT_LT(coarse.bits_per_value, fine.bits_per_value);
      EXPECT_EQ(coarse.visits, 8u);  // K and V of 6 - 2 layers
      EXPECT_EQ(coarse.values, 8 * 32 * (mode == EvalMode::prefix ? kContext : kContext + kScored));
      EXPECT_EQ(coarse.layers.size(), 4u);
      EXPECT_NEAR(*coarse.kld_max,
                  *std::max_element(coarse.kld_tokens.begin(), coarse.kld_tokens.end()), 0);
    }
  }
}

TEST(ModelSweep, KeysAndValuesMayHaveCodecsOfTheirOwn) {
  ScratchFolder folder;
  FakeSweep run;
  run(folder / "out", build_grid(expand_grid({{}, {"e8:q=4"}, {}}), {{.head_dim = 16}}),
      settings({EvalMode::snapshot}));
  const StoredResults results = read_results(folder / "out");
  ASSERT_EQ(results.samples.size(), 6u);
  const Sample& sample = results.samples[1];
  EXPECT_EQ(sample.key, (CellKey{"e8:q=4", "identity", 0, "snapshot"}));
  EXPECT_GT(sample.rel_mse_k, 0);
  EXPECT_EQ(sample.rel_mse_v, 0);
  EXPECT_GT(*sample.kld_mean, 0);
}

// 32 tokens, 4 of them sinks, do not fill a page of 32: all of a growing cache is
// bf16, whatever was written.
TEST(ModelSweep, WhatIsInAnOpenPageCountsAsBf16WhileTheCacheGrows) {
  const ScratchFolder folder;
  FakeSweep sweep;
  sweep(folder / "r", grid_of({"ece8:bits=2,page=32", "e8:q=10"}), settings(kAllModes, 1, 4));
  const StoredResults results = read_results(folder / "r");
  const Sample grown = sample_of(results, "ece8:bits=2,page=32", "inforward", 1),
               plain = sample_of(results, "e8:q=10", "inforward", 1),
               finished = sample_of(results, "ece8:bits=2,page=32", "prefix", 1);
  const std::uint64_t tokens = kContext + kScored;
  ASSERT_TRUE(grown.open_page && plain.open_page && finished.open_page);
  EXPECT_EQ(grown.open_page->values, grown.values / tokens * (tokens - 4));
  EXPECT_EQ(grown.open_page->page_values, grown.values / tokens * 32);
  EXPECT_NE(grown.bits_per_value, 16);
  EXPECT_DOUBLE_EQ(*grown.whole_cache_bits_per_value, 16);
  EXPECT_EQ(*plain.open_page, OpenPages{});
  for (const Sample& sample : {plain, finished}) {
    EXPECT_DOUBLE_EQ(
        *sample.whole_cache_bits_per_value,
        8.0 * static_cast<double>(sample.cache_bytes) / static_cast<double>(sample.cache_values));
  }
}

TEST(ModelSweep, PassagesKeepTheirNumbers) {
  const ScratchFolder folder;
  FakeSweep sweep;
  auto how = settings({EvalMode::in_forward});
  sweep(folder / "first", grid_of({"e8:q=10"}), how);
  how.first_passage = 32;
  sweep(folder / "later", grid_of({"e8:q=10"}), how);
  const StoredResults first = read_results(folder / "first"),
                      later = read_results(folder / "later");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(sample_of(later, "e8:q=10", "inforward", 32 + i).kld_tokens,
              sample_of(first, "e8:q=10", "inforward", i).kld_tokens);
  }
  EXPECT_EQ(later.samples.size(), first.samples.size());
}

TEST(ModelSweep, TheReferencePassRunsOnceAPassage) {
  ScratchFolder folder;
  FakeSweep run;
  run(folder / "out", grid_of({"fp8", "tq:b=4"}), settings(kAllModes));
  EXPECT_EQ(run.model.forwards, 3 * (1 + 3 * 3));
}

TEST(ModelSweep, DoesNothingTheSecondTimeAndResumesWhatIsMissing) {
  ScratchFolder folder;
  FakeSweep first, second, third;
  EXPECT_EQ(first(folder / "out", grid_of({"fp8"}), settings({EvalMode::in_forward})).finished, 6u);
  const SweepOutcome again =
      second(folder / "out", grid_of({"fp8"}), settings({EvalMode::in_forward}));
  EXPECT_EQ(again.finished, 0u);
  EXPECT_EQ(again.already, 6u);
  EXPECT_EQ(second.model.forwards, 0);
  const SweepOutcome more =
      third(folder / "out", grid_of({"fp8", "tq:b=4"}), settings({EvalMode::in_forward}));
  EXPECT_EQ(more.finished, 3u);
  EXPECT_EQ(more.already, 6u);
  EXPECT_EQ(third.model.forwards, 3 * 2);
  EXPECT_EQ(third.events.front().already, 6u);
  EXPECT_EQ(third.events.back().done, 9u);
  EXPECT_EQ(third.events.back().total, 9u);
  EXPECT_EQ(read_results(folder / "out").samples.size(), 9u);
}

TEST(ModelSweep, ACodecThatRefusesFailsItsCellsOnly) {
  ScratchFolder folder;
  FakeSweep run;
  std::vector<GridCell> grid = grid_of({"identity"});
  auto refusing = std::make_unique<FakeCodec>("refusing", 16, 1.0f);
  refusing->refuse = true;
  grid.push_back(fake_cell(std::move(refusing), std::make_unique<FakeCodec>("plain", 16, 1.0f)));
  std::vector<GridCell> unusable =
      build_grid({{"fp8:block=64", "fp8:block=64"}}, {{.head_dim = 48}});
  ASSERT_FALSE(unusable[0].failure.empty());
  grid.push_back(std::move(unusable[0]));
  grid.push_back(fake_cell(std::make_unique<FakeCodec>("last", 16, 1.1f),
                           std::make_unique<FakeCodec>("last", 16, 1.1f)));
  const SweepOutcome outcome = run(folder / "out", grid, settings({EvalMode::in_forward}));
  EXPECT_EQ(outcome.finished, 6u);
  ASSERT_EQ(outcome.failed.size(), 6u);
  EXPECT_EQ(outcome.failed[0].reason, "layer 1 keys, head 0: refused on purpose");
  EXPECT_NE(outcome.failed[1].reason.find("48"), std::string::npos);
  const StoredResults results = read_results(folder / "out");
  EXPECT_EQ(results.samples.size(), 6u);
  EXPECT_EQ(results.failures.size(), 6u);
}

TEST(ModelSweep, ACodecThatNeverFiredIsAFailure) {
  ScratchFolder folder;
  FakeSweep run;
  // The third forward (reference, identity, fp8) hides one part of a coded layer from the tap.
  run.model.hide = [](KvSite site, int forward) {
    return forward == 3 && site.layer == 2 && site.part == Part::value;
  };
  const SweepOutcome outcome =
      run(folder / "out", grid_of({"fp8"}), settings({EvalMode::in_forward}));
  EXPECT_EQ(outcome.finished, 5u);
  ASSERT_EQ(outcome.failed.size(), 1u);
  EXPECT_NE(outcome.failed[0].reason.find("coded 7 parts"), std::string::npos)
      << outcome.failed[0].reason;
}

TEST(ModelSweep, StopsWhenIdentityChangesAnything) {
  ScratchFolder folder;
  FakeSweep run;
  run.model.wobble = 1e-3f;
  EXPECT_THROW(run(folder / "out", grid_of({"fp8"}), settings({EvalMode::in_forward})), Error);
  EXPECT_EQ(run.model.forwards, 2);
  const StoredResults results = read_results(folder / "out");
  EXPECT_TRUE(results.samples.empty());
  EXPECT_EQ(results.failures.size(), 1u);
}

TEST(ModelSweep, StopsWhenTheModelHidesALayerFromTheReferencePass) {
  ScratchFolder folder;
  FakeSweep run;
  run.model.hide = [](KvSite site, int) { return site.layer == 0; };
  EXPECT_THROW(run(folder / "out", grid_of({"fp8"}), settings({EvalMode::in_forward})), InputError);
}

TEST(ModelSweep, RefusesWhatCannotBeMeasured) {
  FakeModel model;
  WorkerPool pool(1);
  const std::vector<Passage> passages = fake_passages(1, kContext + kScored);
  const auto make = [&](const ModelSubject::Settings& how) {
    ModelSubject(model, passages, how, pool);
  };
  EXPECT_NO_THROW(make(settings(kAllModes, 2)));
  EXPECT_THROW(make(settings(kAllModes, 3)), InputError);
  EXPECT_THROW(make(settings({}, 1)), InputError);
  EXPECT_THROW(make(settings({EvalMode::prefix}, 1, kContext)), InputError);
  EXPECT_NO_THROW(make(settings({EvalMode::in_forward}, 1, kContext)));
  ModelSubject::Settings longer = settings(kAllModes);
  longer.context = 300;
  EXPECT_THROW(make(longer), InputError);
  longer.context = kContext + 1;
  EXPECT_THROW(make(longer), InputError);
}

/// A sample without its times, as one comparable text.
std::string without_times(const Sample& sample) {
  std::string text = sample.key.codec_k + sample.key.mode + std::to_string(sample.key.passage);
  const auto add = [&](double number) {
    char digits[40];
    std::snprintf(digits, sizeof digits, " %a", number);
    text += digits;
  };
  for (const double number :
       {*sample.nll, *sample.nll_reference, *sample.delta_ppl, *sample.kld_mean, *sample.kld_max,
        *sample.top1, sample.rel_mse_k, sample.rel_mse_v, sample.cosine_k, sample.cosine_v,
        sample.ledger_k->entropy_bits.value_or(0), sample.ledger_v->codebook_bits.value_or(0)}) {
    add(number);
  }
  for (const double number : sample.nll_tokens) add(number);
  for (const double number : sample.kld_tokens) add(number);
  return text + " " + std::to_string(sample.bytes_written) + " " + std::to_string(sample.values);
}

std::vector<std::string> all_samples(const std::string& folder) {
  std::vector<std::string> texts;
  for (const Sample& sample : read_results(folder).samples) texts.push_back(without_times(sample));
  std::sort(texts.begin(), texts.end());
  return texts;
}

TEST(ModelSweep, KilledAtRandomAndResumedItGivesTheSameResults) {
  ScratchFolder folder;
  const std::vector<std::string> codecs = {"e8:q=10", "tq:b=4"};
  FakeSweep whole;
  const std::size_t cells = whole(folder / "whole", grid_of(codecs), settings(kAllModes)).finished;
  ASSERT_EQ(cells, 27u);

  std::size_t kills = 0, before = 0;
  for (int attempt = 0; attempt < 60; ++attempt) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      FakeSweep run;
      run.model.on_visit = [] { std::this_thread::sleep_for(std::chrono::microseconds(300)); };
      try {
        run(folder / "killed", grid_of(codecs), settings(kAllModes));
      } catch (...) {
        _exit(3);
      }
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(15 + attempt * 37 % 50));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
      break;
    }
    ++kills;
    if (!std::filesystem::exists(folder / "killed/provenance.json")) continue;
    const std::size_t now = read_results(folder / "killed").samples.size();
    EXPECT_GE(now, before);  // nothing that was finished is lost
    before = now;
  }
  EXPECT_GT(kills, 0u);
  FakeSweep last;
  const SweepOutcome outcome = last(folder / "killed", grid_of(codecs), settings(kAllModes));
  EXPECT_EQ(outcome.already + outcome.finished, cells);
  EXPECT_EQ(all_samples(folder / "killed"), all_samples(folder / "whole"));
}

}  // namespace
}  // namespace kakeya
