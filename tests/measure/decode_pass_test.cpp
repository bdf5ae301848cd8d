// SPDX-License-Identifier: Apache-2.0
// Decoding over a packed cache beside the codec inside one forward. The fake model sums in the same
// order in both, so where both see the same tokens coded they agree to the last bit.
#include "kakeya/measure/decode_pass.h"

#include <gtest/gtest.h>

#include "fake_codec.h"
#include "fake_sweep.h"
#include "kakeya/generate/packed_step_cache.h"
#include "kakeya/measure/recorded_cache.h"
#include "kakeya/store/whole_cache.h"
#include "support/made_cache.h"
#include "support/made_profile.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeModel;
using testing::FakeSweep;
using testing::grid_of;
using testing::message_of;
using testing::sample_of;
using testing::ScratchFolder;

std::vector<GridCell> grid_with_profile(std::vector<std::string> codecs, int skipped_layers) {
  static const test::OneProfile source(test::flattened(test::made_profile(16, 6)));
  return build_grid(expand_grid({std::move(codecs), {}, {}}),
                    testing::input_of(source, skipped_layers));
}

struct Bench {
  FakeModel model;
  WorkerPool pool{2};

  Sample measure(const GridCell& cell, EvalMode mode, std::size_t context, std::size_t scored,
                 CachePolicy policy) {
    if (!cell.failure.empty()) throw Error(cell.failure);
    const std::vector<Passage> passages = fake_passages(1, context + scored);
    ModelSubject subject(model, passages, {{mode}, context, scored, policy, TapPoint::pre_rope},
                         pool);
    subject.check(cell);
    const std::string name(mode_name(mode));
    subject.start_passage(0, {name});
    Sample sample = subject.measure(cell, name);
    sample.key = {cell.specs.keys, cell.specs.values, 0, name};
    return sample;
  }
};

/// A codec, and how many tokens its pages hold in a live cache.
struct Paged {
  std::vector<GridCell> grid;
  std::size_t page;
};

std::vector<Paged> some_codecs(int skipped_layers) {
  return {{grid_of({"fp8"}), 128},
          {grid_of({"e8:q=4"}), 128},
          {grid_of({"tq:b=3"}), 128},
          {grid_of({"e8:q=4,pack=rans,page=32"}), 32},
          {grid_of({"ece8:bits=3,center=mean,page=32"}), 32},
          {grid_with_profile({"kivi:b=2,group=16"}, skipped_layers), 16},
          {grid_with_profile({"klt:bits=2,page=32"}, skipped_layers), 32},
          {grid_with_profile({"klt:bits=2,scope=layer,restart=1,page=32"}, skipped_layers), 32}};
}

// After whole pages of context the first scored token is predicted from coded tokens alone, in both
// modes; after that its page is open, where a forward at once sees it coded.
TEST(DecodePass, AgreesWithInForwardToTheLastBitWhereBothCodeTheSameTokens) {
  Bench bench;
  for (const CachePolicy& policy : {CachePolicy{0, 1, 0}, CachePolicy{0, 0, 3}}) {
    for (const Paged& codec : some_codecs(policy.skipped_layers)) {
      const GridCell& cell = codec.grid[1];
      for (const std::size_t pages : {1u, 2u}) {
        const std::size_t context = pages * codec.page + policy.least_tokens() - 1;
        if (context + 4 > 256) continue;
        const Sample at_once = bench.measure(cell, EvalMode::in_forward, context, 4, policy),
                     steps = bench.measure(cell, EvalMode::decode, context, 4, policy);
        EXPECT_GT(steps.kld_tokens[0], 0) << cell.specs.keys;
        EXPECT_EQ(steps.kld_tokens[0], at_once.kld_tokens[0]) << cell.specs.keys;
        EXPECT_EQ(steps.nll_tokens[0], at_once.nll_tokens[0]) << cell.specs.keys;
        EXPECT_NE(steps.kld_tokens[1], at_once.kld_tokens[1]) << cell.specs.keys;
      }
    }
  }
}

// The same pages cost the same bytes and lose the same: of a forward of these tokens alone.
TEST(DecodePass, CodesThePagesThatAForwardOfTheirTokensCodes) {
  Bench bench;
  const CachePolicy policy{0, 1, 2};
  for (const Paged& codec : some_codecs(1)) {
    const GridCell& cell = codec.grid[1];
    const std::size_t whole = codec.page + 2;
    const Sample steps = bench.measure(cell, EvalMode::decode, whole, 5, policy),
                 at_once = bench.measure(cell, EvalMode::in_forward, whole - 1, 1, policy);
    ASSERT_EQ(steps.layers.size(), at_once.layers.size());
    for (std::size_t layer = 0; layer < steps.layers.size(); ++layer) {
      EXPECT_EQ(steps.layers[layer].rel_mse_k, at_once.layers[layer].rel_mse_k) << cell.specs.keys;
      EXPECT_EQ(steps.layers[layer].rel_mse_v, at_once.layers[layer].rel_mse_v) << cell.specs.keys;
    }
    EXPECT_EQ(steps.values, 8 * 32 * (whole + 5));
    EXPECT_EQ(steps.open_page->values, 8u * 32 * 5);
    EXPECT_EQ(steps.open_page->page_values, 8 * 32 * codec.page);
    EXPECT_EQ(steps.bytes_written - steps.open_page->bytes, at_once.bytes_written)
        << cell.specs.keys;
    // In the whole cache the open page is bf16.
    const double held = 8.0 * static_cast<double>(at_once.bytes_written) +
                        16.0 * static_cast<double>(steps.open_page->values + 4 * 32 * (whole + 5));
    EXPECT_DOUBLE_EQ(whole_cache_bits(steps), held / (12.0 * 32 * static_cast<double>(whole + 5)))
        << cell.specs.keys;
  }
}

TEST(DecodePass, TokensOfTheResidualWindowAndTheOpenPageAreExact) {
  Bench bench;
  const GridCell coarse = grid_of({"tq:b=2"})[1];
  // Nothing seals within 136 tokens before 128 are older than the window: by step 128 + 6.
  const Sample late = bench.measure(coarse, EvalMode::decode, 100, 36, {0, 0, 0, 6});
  for (std::size_t i = 0; i < 35; ++i) {  // token 100 + i is predicted after 100 + i tokens
    if (100 + i < 134) {
      EXPECT_EQ(late.kld_tokens[i], 0.0) << i;
    } else {
      EXPECT_GT(late.kld_tokens[i], 0.0) << i;
    }
  }
}

TEST(DecodePass, KeysAndValuesMayHaveOtherPages) {
  Bench bench;
  const std::vector<GridCell> grid =
      build_grid(expand_grid({{}, {"ece8:bits=3,page=32"}, {"fp8"}}), {{.head_dim = 16}});
  const Sample sample = bench.measure(grid[1], EvalMode::decode, 150, 4, {0, 1, 0});
  EXPECT_GT(sample.rel_mse_k, sample.rel_mse_v);
  EXPECT_EQ(sample.open_page->values, 4u * 32 * (154 % 32) + 4u * 32 * (154 - 128));
}

TEST(DecodePass, RefusesByNameWhatCannotBeMeasured) {
  Bench bench;
  const auto refusal = [&](const GridCell& cell, std::size_t tokens) {
    return message_of<SpecError>([&] {
      bench.measure(cell, EvalMode::decode, tokens - 4, 4, {0, 1, 2});
    });
  };
  EXPECT_NE(refusal(grid_with_profile({"klt:bits=2,scope=layer,page=32"}, 1)[1], 100)
                .find("codes several layers of a token together"),
            std::string::npos);
  EXPECT_EQ(refusal(grid_of({"fp8"})[1], 129),
            "fp8: not in mode decode: a page of 128 tokens of the keys never fills in the 129 of a "
            "passage, expected at least 130, or a smaller page");
  EXPECT_EQ(refusal(grid_of({"fp8"})[1], 130), "");
  EXPECT_EQ(refusal(grid_of({"fp8"})[0], 20), "");  // identity
}

TEST(DecodePass, RefusesACacheThatHoldsOtherValues) {
  FakeModel model;
  WorkerPool pool(2);
  const KvShape& shape = model.facts().shape;
  const CachePolicy policy{6, 1, 2};
  const GridCell cell = grid_of({"ece8:bits=3,page=32"})[1];
  PackedCache packed(shape, policy, cell);
  PackedStepCache cache(packed, TapPoint::pre_rope);
  RecordedCache recorded(cache, shape, 80);
  const int sequence = packed.add_sequence();
  const std::vector<Passage> passage = fake_passages(1, 80);
  const StepInput all{sequence, passage[0].tokens, 0};
  model.step({&all, 1}, recorded);
  EXPECT_NO_THROW(record_of_cache(packed, sequence, recorded.given(), cell, pool));
  EXPECT_GT(recorded.seconds(), 0);
  for (const std::size_t token : {1u, 40u, 79u}) {  // a sink, a page, the open page
    KvCache other = recorded.given();
    const std::vector<float> one{9.0f};
    other.store_rows({3, Part::value}, token, 17, dense_rows(one.data(), 1, 1));
    EXPECT_NE(message_of<InputError>([&] {
                record_of_cache(packed, sequence, other, cell, pool);
              }).find("layer 3 values: the packed cache gives back"),
              std::string::npos)
        << token;
  }
}

TEST(DecodePass, RunsInASweepThatGoesOnWhereItWas) {
  ScratchFolder folder;
  FakeSweep run;
  run.passages = fake_passages(2, 132);
  const ModelSubject::Settings how{
      {EvalMode::in_forward, EvalMode::decode}, 128, 4, {0, 1, 0}, TapPoint::pre_rope};
  SweepPlan plan = testing::fake_plan();
  const auto sweep = [&] {
    ModelSubject subject(run.model, run.passages, how, run.pool);
    ResultStore store(folder / "out", plan, make_provenance({"test"}, 2));
    return run_sweep(subject, grid_of({"e8:q={4,38}"}), store, {});
  };
  EXPECT_EQ(sweep().finished, 12u);
  const StoredResults results = read_results(folder / "out");
  const Sample &identity = sample_of(results, "identity", "decode", 1),
               &coarse = sample_of(results, "e8:q=4", "decode", 1),
               &fine = sample_of(results, "e8:q=38", "decode", 1);
  EXPECT_EQ(identity.kld_max, 0.0);  // of this model alone, which sums in one order
  EXPECT_EQ(identity.rel_mse_k, 0.0);
  EXPECT_GT(*coarse.kld_mean, *fine.kld_mean);
  const Sample& at_once = sample_of(results, "e8:q=4", "inforward", 1);
  EXPECT_NE(coarse.kld_mean, at_once.kld_mean);
  EXPECT_GT(*coarse.whole_cache_bits_per_value, *at_once.whole_cache_bits_per_value);
  EXPECT_EQ(sweep().already, 12u);
}

// Identity decodes exactly, so what it changes is the harness: too much stops the sweep.
TEST(DecodePass, IdentityThatChangesPredictionsStopsTheSweep) {
  ScratchFolder folder;
  FakeSweep run;
  run.model.wobble = 0.5f;
  const std::string message = message_of<Error>(
      [&] { run(folder / "out", grid_of({"identity"}), testing::settings({EvalMode::decode})); });
  EXPECT_NE(message.find("expected at most 0.002"), std::string::npos) << message;
}

}  // namespace
}  // namespace kakeya
