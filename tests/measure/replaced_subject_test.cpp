// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/replaced_subject.h"

#include <gtest/gtest.h>

#include <functional>

#include "fake_codec.h"
#include "fake_sweep.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/capture.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeModel;
using testing::grid_of;
using testing::kContext;
using testing::kScored;
using testing::ScratchFolder;

const std::vector<EvalMode> kReplaced = {EvalMode::snapshot, EvalMode::prefix};

/// A dump of what the fake model shows, changed before it is written.
struct Made {
  DumpHead head;
  std::vector<Passage> passages;
  std::function<float(float, KvSite, std::size_t)> change;  // of the i-th scalar of a part
};

class Recorder : public KvTap {
 public:
  Recorder(DumpWriter& writer, int passage, const Made& made)
      : writer_(writer), passage_(passage), made_(made) {}
  void visit(KvSite site, KvView view) override {
    std::vector<float> values(view.data, view.data + view.tokens * view.heads * view.dim);
    round_to_bf16(values);
    round_in_place(view);
    if (made_.change) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = made_.change(values[i], site, i);
    }
    writer_.write_part(passage_, site, values.data(), view.tokens, view.heads, view.dim);
  }
  TapPoint tap_point() const override { return TapPoint::pre_rope; }

 private:
  static void round_in_place(KvView view) {
    round_to_bf16({view.data, view.tokens * view.heads * view.dim});
  }
  DumpWriter& writer_;
  int passage_;
  const Made& made_;
};

Made made_of(const FakeModel& model, int passages) {
  Made made;
  made.head = dump_head(model.facts(), TapPoint::pre_rope, false, passages, kContext + kScored);
  made.head.storage = "fp32";
  made.head.provenance = make_provenance({"test"}, 1);
  made.passages = fake_passages(passages, kContext + kScored);
  return made;
}

void write(const std::string& path, FakeModel& model, const Made& made) {
  DumpWriter writer(path, made.head);
  for (int p = 0; p < made.head.passages; ++p) {
    const Passage& passage = made.passages[static_cast<std::size_t>(p)];
    writer.write_tokens(p, passage.tokens, "x");
    Recorder recorder(writer, p, made);
    model.prefill(passage.tokens, recorder);
  }
  writer.commit();
}

struct Judged {
  FakeModel model;
  std::vector<Passage> passages = fake_passages(2, kContext + kScored);
  WorkerPool pool{2};

  std::vector<Sample> operator()(const std::string& path, int sinks = 0, double bits = 4.25,
                                 std::vector<std::string> codecs = {"identity"}) {
    const DumpReader dump(path);
    ReplacedSubject subject(model, passages, testing::settings(kReplaced, 1, sinks), pool,
                            {dump, "mine.h5", bits}, std::string(64, 'a'));
    std::vector<GridCell> grid = grid_of(std::move(codecs));
    grid.push_back(claimed_cell(path, bits));
    const ScratchFolder folder;
    ResultStore store(folder / "out", testing::fake_plan(), make_provenance({"test"}, 2));
    const SweepOutcome outcome = run_sweep(subject, grid, store, {});
    EXPECT_TRUE(outcome.failed.empty()) << outcome.failed.front().reason;
    return read_results(folder / "out").samples;
  }
};

std::vector<Sample> of(const std::vector<Sample>& samples, const std::string& start,
                       const std::string& mode) {
  std::vector<Sample> found;
  for (const Sample& sample : samples) {
    if (sample.key.codec_k.starts_with(start) && sample.key.mode == mode) found.push_back(sample);
  }
  return found;
}

TEST(ReplacedSubject, WhatIsNotChangedChangesNothing) {
  const ScratchFolder folder;
  Judged judged;
  write(folder / "mine.h5", judged.model, made_of(judged.model, 2));
  const std::vector<Sample> samples = judged(folder / "mine.h5");
  for (const char* mode : {"snapshot", "prefix"}) {
    const std::vector<Sample> claimed = of(samples, "claimed:bits=4.25,of=mine", mode);
    ASSERT_EQ(claimed.size(), 2u);
    for (const Sample& sample : claimed) {
      EXPECT_EQ(sample.kld_max, 0.0) << mode;
      EXPECT_EQ(sample.rel_mse_k, 0.0);
      EXPECT_EQ(sample.rel_mse_v, 0.0);
      EXPECT_EQ(sample.bits_per_value, 4.25);  // 24 or 32 tokens of 2 heads of 16, in whole bytes
      EXPECT_FALSE(sample.nominal_bits_per_value);
      // 2 of 6 layers stay bf16.
      EXPECT_EQ(
          8.0 * static_cast<double>(sample.cache_bytes) / static_cast<double>(sample.cache_values),
          (4 * 4.25 + 2 * 16) / 6);
    }
  }
}

TEST(ReplacedSubject, ChangedValuesAreSeenWhereTheyAreCoded) {
  const ScratchFolder folder;
  Judged judged;
  Made made = made_of(judged.model, 2);
  // Only skipped layers differ: nothing may be seen of that.
  made.change = [](float value, KvSite site, std::size_t) {
    return site.layer == 0 || site.layer == 5 ? value + 1 : value;
  };
  write(folder / "mine.h5", judged.model, made);
  for (const Sample& sample : judged(folder / "mine.h5")) EXPECT_EQ(sample.kld_max, 0.0);
  // Only the first token: seen, unless it is a sink.
  made.change = [](float value, KvSite, std::size_t i) { return i < 32 ? value + 0.5f : value; };
  write(folder / "mine.h5", judged.model, made);
  const std::vector<Sample> seen = of(judged(folder / "mine.h5"), "claimed", "snapshot"),
                            sunk = of(judged(folder / "mine.h5", 1), "claimed", "snapshot");
  EXPECT_GT(*seen[0].kld_mean, 0);
  EXPECT_GT(seen[0].rel_mse_k, 0);
  EXPECT_EQ(sunk[0].kld_mean, 0.0);
  EXPECT_NEAR(sunk[0].bits_per_value, (31 * 4.25 + 16) / 32,
              8.0 / (32 * 16));  // whole bytes a head
  // Only a scored token: prefix mode does not code it.
  made.change = [](float value, KvSite, std::size_t i) {
    return i >= 32 * kContext ? value + 0.5f : value;
  };
  write(folder / "mine.h5", judged.model, made);
  EXPECT_GT(*of(judged(folder / "mine.h5"), "claimed", "snapshot")[0].kld_mean, 0);
  EXPECT_EQ(*of(judged(folder / "mine.h5"), "claimed", "prefix")[0].kld_mean, 0);
}

TEST(ReplacedSubject, BesideCodecsNothingElseChanges) {
  const ScratchFolder folder;
  Judged judged;
  write(folder / "mine.h5", judged.model, made_of(judged.model, 2));
  const std::vector<Sample> samples = judged(folder / "mine.h5", 0, 3, {"e8:q=4"});
  ModelSubject subject(judged.model, judged.passages, testing::settings(kReplaced), judged.pool);
  subject.start_passage(1, {"snapshot"});
  const Sample plain = subject.measure(grid_of({"e8:q=4"})[1], "snapshot");
  EXPECT_EQ(of(samples, "e8:q=4", "snapshot")[1].kld_mean, plain.kld_mean);
}

TEST(ReplacedSubject, WhatDoesNotFitIsNamed) {
  const ScratchFolder folder;
  Judged judged;
  const auto why = [&](const std::function<void(Made&)>& spoil) {
    Made made = made_of(judged.model, 2);
    spoil(made);
    FakeModel shown(made.head.shape.layers, made.head.shape.kv_heads, made.head.shape.head_dim);
    write(folder / "mine.h5", shown, made);
    try {
      judged(folder / "mine.h5");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const std::vector<std::pair<std::string, std::function<void(Made&)>>> spoils = {
      {"mine.h5: layers 5, expected 6", [](Made& made) { made.head.shape.layers = 5; }},
      {"mine.h5: kv_heads 1, expected 2",
       [](Made& made) { made.head.shape.kv_heads = made.head.shape.query_heads = 1; }},
      {"mine.h5: head_dim 8, expected 16", [](Made& made) { made.head.shape.head_dim = 8; }},
      {"mine.h5: tap post-rope, expected pre-rope",
       [](Made& made) { made.head.tap = TapPoint::post_rope; }},
      {"mine.h5: model_sha256 bbbb",
       [](Made& made) { made.head.origin.model.sha256 = std::string(64, 'b'); }},
      {"mine.h5: passages 1, expected 2",
       [](Made& made) {
         made.head.passages = 1;
         made.passages.resize(1);
       }},
      {"mine.h5: tokens 24, expected 32 of ctx and eval together",
       [](Made& made) {
         made.head.tokens = kContext;
         for (Passage& passage : made.passages) passage.tokens.resize(kContext);
       }},
      {"mine.h5: passage 1: token 3 is 39, expected",
       [](Made& made) { made.passages[1].tokens[3] = 39; }},
  };
  for (const auto& [words, spoil] : spoils)
    EXPECT_NE(why(spoil).find(words), std::string::npos) << words << "\n" << why(spoil);
  EXPECT_EQ(why([](Made& made) { made.head.origin.model.sha256 = std::string(64, 'a'); }),
            "nothing");
  EXPECT_THROW(check_replacement({EvalMode::in_forward}, {}), SpecError);
  EXPECT_THROW(check_replacement({EvalMode::prefix}, "cuda"), SpecError);
  EXPECT_NO_THROW(check_replacement(kReplaced, "cpu"));
  EXPECT_THROW(claimed_cell("mine.h5", 0), SpecError);
  EXPECT_THROW(claimed_cell("mine.h5", 65), SpecError);
  EXPECT_EQ(claimed_cell("a folder/my int4,g=32.v2.h5", 4.5).specs.keys,
            "claimed:bits=4.5,of=my_int4_g_32.v2");
}

}  // namespace
}  // namespace kakeya
