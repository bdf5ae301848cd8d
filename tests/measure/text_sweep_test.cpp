// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/text_sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fake_codec.h"
#include "fake_sweep.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using testing::fake_plan;
using testing::FakeModel;
using testing::grid_of;
using testing::ScratchFolder;

/// 50 tokens in windows of 16 that move on by 6: 15 tokens of the first are scored, then 6 each.
struct TextRun {
  FakeModel model;
  std::vector<std::int32_t> tokens = testing::fake_passages(1, 50)[0].tokens;
  std::vector<Window> windows = sliding_windows(50, 16, 6);
  WorkerPool pool{2};
  std::optional<std::int32_t> bos;
  std::vector<TextProgress> told;

  ScoredText text() const { return {tokens, windows, bos}; }
  std::vector<std::vector<Sample>> operator()(const std::vector<GridCell>& grid,
                                              ResultStore* store = nullptr,
                                              std::span<const Sample> stored = {},
                                              TextSettings how = {{0, 1, 1}}) {
    return measure_text(model, text(), grid, how, pool, store, stored,
                        [&](const TextProgress& event) { told.push_back(event); });
  }
};

TEST(TextSweep, EveryTokenIsScoredOnceBesideTheUncodedPass) {
  TextRun run;
  const std::vector<std::vector<Sample>> samples = run(grid_of({"e8:q=2", "e8:q=64"}));
  ASSERT_EQ(samples.size(), 2u);
  ASSERT_EQ(run.windows.size(), 7u);
  std::size_t scored = 0;
  for (std::size_t window = 0; window < run.windows.size(); ++window) {
    scored += samples[0][window].nll_tokens.size();
    EXPECT_EQ(samples[0][window].nll_tokens.size(), run.text().scored(window));
    EXPECT_EQ(samples[0][window].nll_reference, samples[1][window].nll_reference);
    EXPECT_LT(samples[1][window].kld_mean, samples[0][window].kld_mean);
  }
  EXPECT_EQ(scored, 49u);
  // A reference and two codecs a window, and identity on the first.
  EXPECT_EQ(run.model.forwards, 7 * 3 + 1);
  EXPECT_EQ(run.told.back().done, run.told.back().total);
  // As a passage of a sweep whose last 6 of 16 tokens are scored.
  ModelSubject::Settings how{{EvalMode::in_forward}, 10, 6, {0, 1, 1}, TapPoint::pre_rope};
  const std::vector<Passage> passages = {{run.text().tokens_of(2), ""}};
  ModelSubject subject(run.model, passages, how, run.pool);
  subject.start_passage(0, {"inforward"});
  const Sample same = subject.measure(grid_of({"e8:q=2"})[1], "inforward");
  EXPECT_EQ(same.kld_mean, samples[0][2].kld_mean);
  EXPECT_EQ(same.bytes_written, samples[0][2].bytes_written);
}

TEST(TextSweep, ScoresAreOverTokensAndIntervalsOverWindows) {
  TextRun run;
  const std::vector<std::vector<Sample>> samples = run(grid_of({"e8:q=2"}));
  const TextScore score = score_of_text(run.text(), samples[0]);
  double nll = 0, kld = 0, reference = 0, bytes = 0, values = 0, whole_bytes = 0, whole_values = 0;
  for (const Sample& sample : samples[0]) {
    for (const double token : sample.nll_tokens) nll += token / 49;
    for (const double token : sample.kld_tokens) kld += token / 49;
    for (const double token : sample.nll_reference_tokens) reference += token / 49;
    bytes += static_cast<double>(sample.bytes_written);
    values += static_cast<double>(sample.values);
    whole_bytes += static_cast<double>(sample.cache_bytes);
    whole_values += static_cast<double>(sample.cache_values);
  }
  EXPECT_NEAR(score.nll.mean, nll, 1e-12);
  EXPECT_NEAR(score.kld.mean, kld, 1e-12);
  EXPECT_NEAR(score.nll_reference.mean, reference, 1e-12);
  EXPECT_NEAR(score.nll_change.mean, nll - reference, 1e-12);
  EXPECT_EQ(score.kld.count, 7u);
  EXPECT_DOUBLE_EQ(score.bits_per_value, 8 * bytes / values);
  EXPECT_DOUBLE_EQ(score.bits_per_value_whole_cache, 8 * whole_bytes / whole_values);
  // 2 of 6 layers stay bf16.
  EXPECT_NEAR(score.bits_per_value_whole_cache, (4 * score.bits_per_value + 2 * 16) / 6, 1e-9);
  EXPECT_THROW(score_of_text(run.text(), std::span(samples[0]).first(6)), InputError);
}

TEST(TextSweep, AStoppedRunGoesOnAndGivesTheSame) {
  ScratchFolder folder;
  const std::vector<GridCell> grid = grid_of({"e8:q=2", "e8:q=8"});
  TextRun whole;
  const auto expected = whole(grid);
  {
    TextRun run;
    run.model.hide = [](KvSite, int forward) { return forward > 9; };  // fails in the third window
    ResultStore store(folder / "out", fake_plan(), make_provenance({"test"}, 2));
    EXPECT_THROW(run(grid, &store), Error);
  }
  const std::vector<Sample> stored = read_results(folder / "out").samples;
  ASSERT_GE(stored.size(), 6u);
  ASSERT_LT(stored.size(), 21u);
  TextRun run;
  ResultStore store(folder / "out", fake_plan(), make_provenance({"test"}, 2));
  const auto samples = run(grid, &store, stored);
  EXPECT_EQ(run.told.back().already, stored.size());
  EXPECT_EQ(run.told.back().done, 21u);
  EXPECT_LT(run.model.forwards, 7 * 4);
  for (std::size_t cell = 0; cell < 2; ++cell) {
    for (std::size_t window = 0; window < 7; ++window) {
      EXPECT_EQ(samples[cell][window].kld_mean, expected[cell][window].kld_mean);
      EXPECT_EQ(samples[cell][window].nll, expected[cell][window].nll);
    }
  }
  EXPECT_EQ(read_results(folder / "out").samples.size(), 21u);  // the control of every window too
}

TEST(TextSweep, AModelThatIsNotTheSameTwiceIsNoReference) {
  TextRun run;
  run.model.wobble = 1e-3f;
  try {
    run(grid_of({"e8:q=2"}));
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("identity, window 1 of 7"), std::string::npos)
        << error.what();
  }
}

TEST(TextSweep, ABosStandsFirstInEveryWindow) {
  TextRun run;
  run.bos = 7;
  for (std::size_t window = 0; window < 7; ++window) {
    const std::vector<std::int32_t> given = run.text().tokens_of(window);
    EXPECT_EQ(given[0], 7);
    EXPECT_EQ(given[1], run.tokens[run.windows[window].begin + 1]);
  }
}

TEST(TextSweep, TokensAreKeptWhereAsked) {
  TextRun run;
  const auto samples =
      run(grid_of({"e8:q=2"}), nullptr, {}, {{0, 1, 0}, TapPoint::pre_rope, false, false});
  for (const Sample& sample : samples[0]) {
    EXPECT_TRUE(sample.nll_tokens.empty() && sample.kld_tokens.empty() &&
                sample.nll_reference_tokens.empty() && sample.top1_tokens.empty());
    EXPECT_TRUE(sample.kld_mean);
  }
}

TEST(TextSweep, WhatCannotBeMeasuredIsRefused) {
  TextRun run;
  EXPECT_THROW(run(grid_of({"e8:q=2"}), nullptr, {}, {{0, 1, 16}}), InputError);
  EXPECT_EQ(run.model.forwards, 0);
  std::vector<GridCell> grid = grid_of({"e8:q=2"});
  grid.erase(grid.begin());
  EXPECT_THROW(run(grid), InputError);
}

TEST(TextSweep, SamplesHaveTheirMeansByPosition) {
  TextRun run;
  run.tokens = testing::fake_passages(1, 300)[0].tokens;
  run.windows = {{0, 150, 1}, {150, 300, 150 + 100}};
  const auto samples =
      run(grid_of({"e8:q=2"}), nullptr, {}, {{0, 1, 0}, TapPoint::pre_rope, false, true});
  const Sample& all = samples[0][0];
  ASSERT_EQ(all.positions.size(), 3u);
  const std::size_t firsts[] = {1, 64, 128}, ends[] = {64, 128, 150};
  for (std::size_t octave = 0; octave < 3; ++octave) {
    const PositionSample& of = all.positions[octave];
    EXPECT_EQ(of.first, firsts[octave]);
    EXPECT_EQ(of.tokens, ends[octave] - firsts[octave]);
    double kld = 0, nll = 0, reference = 0, top1 = 0;
    for (std::size_t position = firsts[octave]; position < ends[octave]; ++position) {
      kld += all.kld_tokens[position - 1];  // the first scored token is at position 1
      nll += all.nll_tokens[position - 1];
      reference += all.nll_reference_tokens[position - 1];
      top1 += all.top1_tokens[position - 1];
    }
    const auto count = static_cast<double>(of.tokens);
    EXPECT_NEAR(of.kld, kld / count, 1e-12);
    EXPECT_NEAR(of.nll, nll / count, 1e-12);
    EXPECT_NEAR(of.nll_reference, reference / count, 1e-12);
    EXPECT_NEAR(of.top1, top1 / count, 1e-12);
  }
  // Of the second only those from 100 on are scored.
  const Sample& second = samples[0][1];
  ASSERT_EQ(second.positions.size(), 2u);
  EXPECT_EQ(second.positions[0].first, 100u);
  EXPECT_EQ(second.positions[0].tokens, 28u);
  EXPECT_EQ(second.positions[1].tokens, 22u);
  // Means of the window, and they stay where the tokens are not kept.
  double kld = 0;
  for (const PositionSample& of : second.positions) kld += static_cast<double>(of.tokens) * of.kld;
  EXPECT_NEAR(kld / 50, *second.kld_mean, 1e-12);
  TextRun again;
  again.tokens = run.tokens;
  again.windows = run.windows;
  const auto lean =
      again(grid_of({"e8:q=2"}), nullptr, {}, {{0, 1, 0}, TapPoint::pre_rope, false, false});
  EXPECT_EQ(lean[0][0].positions, all.positions);
}

}  // namespace
}  // namespace kakeya
