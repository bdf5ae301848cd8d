// SPDX-License-Identifier: Apache-2.0
// Plans as cells of a sweep: what they code, what they count, how they go on.
#include <gtest/gtest.h>

#include "fake_sweep.h"
#include "kakeya/codec/spec.h"
#include "kakeya/measure/layer_study.h"
#include "kakeya/measure/plans/plan_cells.h"
#include "kakeya/store/whole_cache.h"
#include "support/made_cache.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::FakeModel;
using testing::FakeSweep;
using testing::kAllModes;
using testing::kContext;
using testing::kScored;
using testing::sample_of;
using testing::ScratchFolder;
using testing::settings;

constexpr KvShape kShape{.layers = 6, .kv_heads = 2, .head_dim = 16};

CodecPair plan(const std::string& members) {
  const std::string text =
      CodecPlan::parse(R"({"kakeya_plan": 1, )" + members + "}", "test").text();
  return {text, text};
}

std::vector<GridCell> grid(std::vector<CodecPair> pairs, int skipped_layers = 1) {
  pairs.insert(pairs.begin(), {"identity", "identity"});
  return build_grid(pairs, CacheInput(kShape, skipped_layers));
}

// All that a sample says but its name and its times.
void expect_same(const Sample& a, const Sample& b) {
  EXPECT_EQ(a.kld_tokens, b.kld_tokens);
  EXPECT_EQ(a.nll_tokens, b.nll_tokens);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.bytes_written, b.bytes_written);
  EXPECT_EQ(a.cache_values, b.cache_values);
  EXPECT_EQ(a.cache_bytes, b.cache_bytes);
  EXPECT_EQ(a.whole_cache_bits_per_value, b.whole_cache_bits_per_value);
  EXPECT_EQ(a.rel_mse_k, b.rel_mse_k);
  EXPECT_EQ(a.rel_mse_v, b.rel_mse_v);
  EXPECT_EQ(a.visits, b.visits);
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) EXPECT_EQ(a.layers[i].layer, b.layers[i].layer);
}

// A plan that says what a codec and a policy say measures the same, in every mode, to the bit.
TEST(PlanSweep, APlanOfOneCodecIsThatCodec) {
  ScratchFolder folder;
  FakeSweep run;
  const auto cells =
      grid({{"e8:q=4", "fp8"},
            plan(R"("name": "same", "skip": "0,5", "default": {"k": "e8:q=4", "v": "fp8"})")});
  const auto how = settings(kAllModes, 1, 2);
  EXPECT_TRUE(run(folder / "out", cells, how).failed.empty());
  const StoredResults results = read_results(folder / "out");
  const std::string label = cells[2].specs.keys;
  EXPECT_EQ(label.find("plan:name=same,digest="), 0u) << label;
  EXPECT_EQ(Spec::parse(label).find("digest")->size(), 12u);
  for (const EvalMode mode : kAllModes) {
    const std::string at(mode_name(mode));
    const Sample& planned = sample_of(results, label, at, 1);
    for (const Sample& sample : results.samples) {
      if (sample.key == CellKey{"e8:q=4", "fp8", 1, at}) expect_same(sample, planned);
    }
    EXPECT_GT(*planned.kld_mean, 0);
  }
}

// Layers that a plan skips are bf16 and counted as skipped edge layers are.
TEST(PlanSweep, SkippedLayersAreCountedAsEdgesAre) {
  ScratchFolder folder;
  FakeSweep run;
  const auto cells = grid({plan(R"("name": "middle", "skip": "2,3", "default": "e8:q=4")"),
                           plan(R"("name": "all", "default": "e8:q=4")")});
  EXPECT_TRUE(run(folder / "out", cells, settings({EvalMode::snapshot})).failed.empty());
  const StoredResults results = read_results(folder / "out");
  const Sample &middle = sample_of(results, cells[1].specs.keys, "snapshot", 0),
               &all = sample_of(results, cells[2].specs.keys, "snapshot", 0);
  const std::uint64_t layer = 2 * 32 * (kContext + kScored);
  EXPECT_EQ(all.values, 6 * layer);
  EXPECT_EQ(all.cache_values, 6 * layer);
  EXPECT_EQ(all.cache_bytes, all.bytes_written);
  EXPECT_EQ(middle.values, 4 * layer);
  EXPECT_EQ(middle.cache_values, 6 * layer);
  EXPECT_EQ(middle.cache_bytes, middle.bytes_written + 2 * 2 * layer);
  EXPECT_EQ(whole_cache_bits(middle), *middle.whole_cache_bits_per_value);
  std::vector<int> coded;
  for (const LayerSample& each : middle.layers) coded.push_back(each.layer);
  EXPECT_EQ(coded, (std::vector<int>{0, 1, 4, 5}));
  EXPECT_EQ(middle.visits, 8u);
}

TEST(PlanSweep, EachSiteHasItsCodec) {
  ScratchFolder folder;
  FakeSweep run;
  // The same layer: keys of head 1 alone, then everything else of it.
  const auto cells = grid(
      {plan(
           R"("name": "one", "default": "identity", "sites": [{"layers": "2", "part": "k", "heads": "1", "codec": "e8:q=4"}])"),
       plan(
           R"("name": "fine", "default": "identity", "sites": [{"layers": "2", "part": "k", "heads": "1", "codec": "e8:q=38"}])"),
       plan(
           R"("name": "values", "default": "identity", "sites": [{"layers": "2", "part": "v", "codec": "e8:q=4"}])")});
  EXPECT_TRUE(run(folder / "out", cells, settings({EvalMode::in_forward})).failed.empty());
  const StoredResults results = read_results(folder / "out");
  const Sample &one = sample_of(results, cells[1].specs.keys, "inforward", 0),
               &fine = sample_of(results, cells[2].specs.keys, "inforward", 0),
               &values = sample_of(results, cells[3].specs.keys, "inforward", 0);
  for (const Sample* sample : {&one, &fine, &values}) {
    ASSERT_EQ(sample->layers.size(), 6u);
    for (const LayerSample& layer : sample->layers) {
      const bool keys = layer.layer == 2 && sample != &values,
                 is_values = layer.layer == 2 && sample == &values;
      EXPECT_EQ(layer.rel_mse_k > 0, keys) << layer.layer;
      EXPECT_EQ(layer.rel_mse_v > 0, is_values) << layer.layer;
    }
  }
  EXPECT_GT(one.layers[2].rel_mse_k, fine.layers[2].rel_mse_k);
  EXPECT_GT(*one.kld_mean, *fine.kld_mean);
  EXPECT_LT(one.bytes_written, fine.bytes_written);
  EXPECT_GT(fine.bytes_written, values.bytes_written);
}

TEST(PlanSweep, GoesOnWhereItStoppedAndKeepsItsText) {
  ScratchFolder folder;
  FakeSweep run;
  const auto first = grid({plan(R"("name": "a", "bits": 4, "default": "e8:q=4")")});
  run(folder / "out", first, settings({EvalMode::in_forward}));
  // The same written otherwise is there already; another of the same name is not.
  const auto second = grid(
      {plan(
           R"("name": "a", "bits": 4, "about": "x", "sites": [{"layers": "0-5", "codec": "e8:q=4"}])"),
       plan(R"("name": "a", "bits": 4, "default": "e8:q=6")")});
  EXPECT_EQ(second[1].specs, first[1].specs);
  EXPECT_NE(second[2].specs, first[1].specs);
  const SweepOutcome outcome = run(folder / "out", second, settings({EvalMode::in_forward}));
  EXPECT_EQ(outcome.already, 6u);
  EXPECT_EQ(outcome.finished, 3u);
  const PlanRecord record = plan_record(*second[1].plan);
  EXPECT_EQ(record.label, second[1].specs.keys);
  EXPECT_EQ(record.label.find("plan:bits=4,name=a,digest=" + record.sha256.substr(0, 12)), 0u);
  EXPECT_EQ(CodecPlan::parse(record.text, "record"), *second[1].plan);
  Provenance provenance = make_provenance({"test"}, 1);
  provenance.plans = {record};
  const Provenance back = provenance_from_json(to_json(provenance));
  ASSERT_EQ(back.plans.size(), 1u);
  EXPECT_EQ(back.plans[0].text, record.text);
  EXPECT_EQ(to_json(make_provenance({"test"}, 1)).find("plans"), std::string::npos);
}

TEST(PlanSweep, DecodesOverAPackedCacheOfAPlan) {
  ScratchFolder folder;
  FakeSweep run;
  const auto cells =
      grid({plan(R"("name": "live", "skip": "0,3", "default": "kivi:b=2,group=16")")}, 0);
  const SweepOutcome outcome = run(folder / "out", cells, settings({EvalMode::decode}, 0));
  EXPECT_TRUE(outcome.failed.empty()) << outcome.failed.front().reason;
  const Sample sample = sample_of(read_results(folder / "out"), cells[1].specs.keys, "decode", 0);
  EXPECT_GT(*sample.kld_mean, 0);
  EXPECT_EQ(sample.layers.size(), 4u);
}

TEST(PlanSweep, AFaultyPlanIsSaidBeforeAnythingIsMeasured) {
  EXPECT_THROW(grid({plan(R"("skip": "6", "default": "fp8")")}), SpecError);
  EXPECT_THROW(grid({plan(R"("default": "klt:bits=3")")}), Error);  // no profile
}

TEST(PlanSweep, PoliciesOfOtherLayersAreRecorded) {
  ScratchFolder folder;
  SweepPlan asked = testing::fake_plan();
  asked.shape = kShape;
  asked.policy.layers = 6;
  asked.policy.skip(IndexSet::parse("0,2", "layers"));
  { ResultStore store(folder / "out", asked, make_provenance({"test"}, 1)); }
  EXPECT_EQ(read_results(folder / "out").plan.policy, asked.policy);
  SweepPlan other = asked;
  other.policy.skip(IndexSet::parse("0,3", "layers"));
  try {
    ResultStore store(folder / "out", other, make_provenance({"test"}, 1));
    ADD_FAILURE() << "another choice of layers was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("skip_layers: \"0,2\" stored, \"0,3\" asked for"),
              std::string::npos)
        << error.what();
  }
}

TEST(LayerStudy, SetsAreNestedAndSpread) {
  const std::vector<IndexSet> sets = nested_layers(30);
  ASSERT_EQ(sets.size(), 5u);
  std::size_t count = 1;
  for (std::size_t i = 0; i < sets.size(); ++i, count *= 2) {
    EXPECT_EQ(sets[i].count(), count);
    EXPECT_LT(sets[i].last(), 30);
    for (const int layer : i == 0 ? std::vector<int>{} : sets[i - 1].numbers()) {
      EXPECT_TRUE(sets[i].contains(layer));
    }
  }
  EXPECT_EQ(nested_layers(2).size(), 1u);
  EXPECT_EQ(nested_layers(8).back().count(), 4u);
}

TEST(LayerStudy, CodesEachLayerAloneAndMoreAndMore) {
  const CachePolicy policy{.layers = 6, .skipped_layers = 1};
  const auto pairs = with_layer_study({{"identity", "identity"}, {"e8:q=4", "fp8"}}, policy);
  ASSERT_EQ(pairs.size(), 2u + 4 + 1);  // of 4 coded layers: each alone, and 2; all are the pair
  const auto cells = build_grid(pairs, CacheInput(kShape, policy));
  ASSERT_EQ(cells.size(), pairs.size());
  EXPECT_EQ(cells[2].plan->skip.text(), "0,2-5");
  EXPECT_EQ(cells[5].plan->skip.text(), "0-3,5");
  EXPECT_EQ(cells[6].plan->skip.others(6).count(), 2u);
  EXPECT_EQ(cells[2].values->at(1, 0).spec(), "fp8");
  EXPECT_THROW(with_layer_study({{"fp8", "fp8"}}, {.layers = 1}), SpecError);
}

TEST(LayerStudy, RefusesWhatLeavesNothingToStudy) {
  const CodecPair own = plan(R"("name": "mine", "default": "e8:q=4")");
  const CachePolicy policy{.layers = 6};
  try {
    with_layer_study({{"identity", "identity"}, own}, policy);
    ADD_FAILURE() << "a plan was studied";
  } catch (const SpecError& error) {
    const std::string said = error.what();
    EXPECT_EQ(said.find("layer-study: identity, plan mine: expected a codec"), 0u) << said;
  }
  EXPECT_THROW(with_layer_study({{"identity", "identity"}}, policy), SpecError);
  EXPECT_THROW(with_layer_study({own}, {.layers = 1}), SpecError);
  const auto pairs = with_layer_study({own, {"identity", "fp8"}}, policy);  // beside a codec
  EXPECT_EQ(pairs.size(), 2u + 6 + 2);
}

}  // namespace
}  // namespace kakeya
