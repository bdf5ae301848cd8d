// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fake_sweep.h"
#include "kakeya/measure/reference_tap.h"
#include "kakeya/measure/replay_tap.h"
#include "kakeya/measure/token_coder.h"
#include "support/made_cache.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeModel;
using testing::FakeSweep;
using testing::kAllModes;
using testing::kContext;
using testing::kScored;
using testing::sample_of;
using testing::ScratchFolder;
using testing::settings;

// A grid of codecs of whole tokens for the fake model.
std::vector<GridCell> token_grid(std::vector<std::string> codecs, int skipped_layers = 1) {
  static const test::OneProfile source(test::flattened(test::made_profile(16, 6)));
  return build_grid(expand_grid({std::move(codecs), {}, {}}),
                    testing::input_of(source, skipped_layers));
}

TEST(WholeTokenSweep, CodecsOfWholeTokensRunOnTheCleanCache) {
  ScratchFolder folder;
  FakeSweep run;
  const SweepOutcome outcome =
      run(folder / "out", token_grid({"klt:bits={1,3,6},scope=layer,predict=2,restart=3,page=32"}),
          settings({EvalMode::snapshot, EvalMode::prefix}, 1, 2));
  EXPECT_TRUE(outcome.failed.empty());
  EXPECT_EQ(run.model.forwards, 3 * (1 + 2 * 4));
  const StoredResults results = read_results(folder / "out");
  const auto name = [](const char* bits) {
    return std::string("klt:bits=") + bits +
           ",scope=layer,predict=2,restart=3,page=32,profile=cccccccccccccccc";
  };
  for (const EvalMode mode : {EvalMode::snapshot, EvalMode::prefix}) {
    for (int passage = 0; passage < 3; ++passage) {
      const std::string at(mode_name(mode));
      const Sample &coarse = sample_of(results, name("1"), at, passage),
                   &middle = sample_of(results, name("3"), at, passage),
                   &fine = sample_of(results, name("6"), at, passage);
      EXPECT_GT(*coarse.kld_mean, *middle.kld_mean);
      EXPECT_GT(*middle.kld_mean, *fine.kld_mean);
      EXPECT_GT(*fine.kld_mean, 0);
      EXPECT_GT(coarse.rel_mse_v, fine.rel_mse_v);
      EXPECT_EQ(coarse.visits, 8u);
      EXPECT_EQ(coarse.values, 8 * 32 * (mode == EvalMode::prefix ? kContext : kContext + kScored));
      EXPECT_EQ(coarse.ledger_k->written_bits(), 8 * coarse.bytes_written);
      EXPECT_EQ(coarse.ledger_k->exact_token_bits, 16u * 8 * 32 * 2);
      EXPECT_EQ(coarse.ledger_v->values, 0u);
      EXPECT_EQ(coarse.layers.size(), 4u);
      EXPECT_EQ(coarse.layers[0].layer, 1);
    }
  }
}

// In the two modes the scored tokens see the same context; only the own K and V of the scored ones
// differ.
TEST(WholeTokenSweep, ThePrefixOfWholeTokensIsCodedAndTheRestIsNot) {
  FakeModel model;
  const std::vector<Passage> passages = fake_passages(1, kContext + kScored);
  WorkerPool pool(2);
  ModelSubject subject(model, passages, settings({EvalMode::snapshot, EvalMode::prefix}), pool);
  subject.start_passage(0, subject.modes());
  const auto grid = token_grid({"klt:bits=2,scope=layer"});
  const Sample snapshot = subject.measure(grid[1], "snapshot"),
               prefix = subject.measure(grid[1], "prefix");
  EXPECT_GT(snapshot.nll_tokens.size(), 0u);
  EXPECT_NE(snapshot.nll_tokens, prefix.nll_tokens);
  // By hand: the cache coded, and a pass on it.
  KvCache clean(6, kContext + kScored, 2, 16), decoded = clean;
  ReferenceTap reference(TapPoint::pre_rope, 6, kContext + kScored, 2, 16, &clean);
  const auto logits = model.logits(passages[0].tokens, kContext - 1, kScored, &reference);
  TokenCoder coder(*grid[1].tokens, {6, 1, 0, 0}, pool);
  coder.code(clean, kContext, decoded);
  ReplayTap tap(TapPoint::pre_rope, decoded, kContext, decoded, 0);
  const auto coded = model.logits(passages[0].tokens, kContext - 1, kScored, &tap);
  const auto scored = std::span<const std::int32_t>(passages[0].tokens).subspan(kContext);
  const ReferenceLikelihood likelihood(logits, scored, 40, pool);
  EXPECT_EQ(likelihood.compare(coded, pool).nll_tokens, prefix.nll_tokens);
}

TEST(WholeTokenSweep, ALayerThatIsNotShownFailsItsCell) {
  ScratchFolder folder;
  FakeSweep run;
  run.model.hide = [](KvSite site, int forward) { return forward == 3 && site.layer == 2; };
  const SweepOutcome outcome = run(folder / "out", token_grid({"klt:bits=3,scope=layer,restart=1"}),
                                   settings({EvalMode::in_forward}));
  EXPECT_EQ(outcome.finished, 5u);
  ASSERT_EQ(outcome.failed.size(), 1u);
  EXPECT_NE(outcome.failed[0].reason.find("6 parts"), std::string::npos)
      << outcome.failed[0].reason;
}

// Known from the flags, and so before any cell, wherever in the grid it stands.
TEST(WholeTokenSweep, CodecsOfWholeTokensAreRefusedInsideTheForward) {
  ScratchFolder folder;
  const auto grid = token_grid({"fp8", "klt:bits=3,scope=layer"});
  for (const std::vector<EvalMode>& modes : {kAllModes, {EvalMode::in_forward}}) {
    FakeSweep run;
    const std::string why =
        testing::message_of<SpecError>([&] { run(folder / "out", grid, settings(modes)); });
    EXPECT_NE(why.find("klt:bits=3,scope=layer"), std::string::npos) << why;
    EXPECT_NE(why.find("expected mode snapshot or prefix, or klt with restart=1"),
              std::string::npos)
        << why;
    EXPECT_TRUE(run.events.empty());
  }
  const StoredResults results = read_results(folder / "out");
  EXPECT_TRUE(results.samples.empty());
  EXPECT_TRUE(results.failures.empty());
  FakeSweep run;
  EXPECT_TRUE(
      run(folder / "out", grid, settings({EvalMode::snapshot, EvalMode::prefix})).failed.empty());
}

TEST(WholeTokenSweep, CodecsOfSingleLayersWorkInEveryMode) {
  ScratchFolder folder;
  FakeSweep run;
  const SweepOutcome outcome =
      run(folder / "out", token_grid({"klt:bits={1,3,6},scope=layer,restart=1,page=32"}),
          settings(kAllModes, 1, 2));
  EXPECT_TRUE(outcome.failed.empty());
  const StoredResults results = read_results(folder / "out");
  const auto name = [](const char* bits) {
    return std::string("klt:bits=") + bits +
           ",scope=layer,restart=1,page=32,profile=cccccccccccccccc";
  };
  for (int passage = 0; passage < 3; ++passage) {
    const Sample &coarse = sample_of(results, name("1"), "inforward", passage),
                 &middle = sample_of(results, name("3"), "inforward", passage),
                 &fine = sample_of(results, name("6"), "inforward", passage),
                 &snapshot = sample_of(results, name("1"), "snapshot", passage);
    EXPECT_GT(*coarse.kld_mean, *middle.kld_mean);
    EXPECT_GT(*middle.kld_mean, *fine.kld_mean);
    EXPECT_GT(*fine.kld_mean, 0);
    // Layer 1 is the first that is coded: until then the modes are one.
    EXPECT_EQ(coarse.layers[0].rel_mse_k, snapshot.layers[0].rel_mse_k);
    EXPECT_EQ(coarse.layers[0].rel_mse_v, snapshot.layers[0].rel_mse_v);
    EXPECT_NE(coarse.layers[1].rel_mse_k, snapshot.layers[1].rel_mse_k);
    for (const Sample* sample : {&coarse, &fine}) {
      EXPECT_EQ(sample->visits, 8u);
      EXPECT_EQ(sample->values, 8 * 32 * (kContext + kScored));
      EXPECT_EQ(sample->ledger_k->written_bits(), 8 * sample->bytes_written);
      EXPECT_EQ(sample->ledger_k->exact_token_bits, 16u * 8 * 32 * 2);
      EXPECT_EQ(sample->ledger_v->values, 0u);
      EXPECT_EQ(sample->layers.size(), 4u);
    }
  }
}

}  // namespace
}  // namespace kakeya
