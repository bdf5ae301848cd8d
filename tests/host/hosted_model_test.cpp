// SPDX-License-Identifier: Apache-2.0
// A model that runs in a host is the model itself, to the last bit, whatever looks at it.
#include "kakeya/model/hosted_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "measure/fake_sweep.h"
#include "support/plain_step_cache.h"
#include "support/scratch_folder.h"
#include "support/served_host.h"

namespace kakeya {
namespace {

using testing::fake_passages;
using testing::FakeModel;
using testing::message_of;
using testing::PlainStepCache;
using testing::ServedHost;

/// The fake model with what calibration asks of one.
class FullModel : public FakeModel {
 public:
  using FakeModel::FakeModel;
  std::vector<double> rope_frequencies(int layer) const override {
    return std::vector<double>(facts().shape.dim() / 2, 0.5 + layer);
  }
  std::vector<float> attention_output(int layer) const override {
    return std::vector<float>(static_cast<std::size_t>(facts().hidden * facts().hidden),
                              0.25f * static_cast<float>(layer));
  }
};

struct HostedModelTest : ::testing::Test {
  FullModel fake;
  ServedHost served{&fake};
  std::unique_ptr<Host> host = served.start();
  std::vector<std::int32_t> tokens = fake_passages(1, 30)[0].tokens;

  ~HostedModelTest() override { host.reset(); }
  HostedModel open() { return HostedModel(*host, "fake", {.threads = 2}); }
};

TEST_F(HostedModelTest, SaysWhatItIs) {
  HostedModel model(*host, "some/folder", {"cuda:1", "bf16", 3, 0, "fused"});
  const ModelFacts &facts = model.facts(), &of = fake.facts();
  EXPECT_EQ(facts.name, "fake");
  EXPECT_EQ(facts.architecture, "fake (transformers)");
  EXPECT_EQ(facts.shape, of.shape);
  EXPECT_EQ(facts.hidden, of.hidden);
  EXPECT_EQ(facts.vocab, of.vocab);
  EXPECT_EQ(facts.context, of.context);
  EXPECT_EQ(facts.sha256, std::string(64, 'a'));
  EXPECT_EQ(facts.host, "a test 1");
  EXPECT_EQ(model_source(model, "/no/such/file"), (Source{"fake", std::string(64, 'a')}));
  const auto& asked = served.requests.at(1);
  EXPECT_EQ(asked["model"], "some/folder");
  EXPECT_EQ(asked["device"], "cuda:1");
  EXPECT_EQ(asked["dtype"], "bf16");
  EXPECT_EQ(asked["threads"], 3);
  EXPECT_EQ(asked["attention"], "fused");
  EXPECT_EQ(model.rope_frequencies(2), fake.rope_frequencies(2));
  EXPECT_EQ(model.attention_output(3), fake.attention_output(3));
}

TEST_F(HostedModelTest, LogitsAreThoseOfTheModelItself) {
  HostedModel model = open();
  EXPECT_EQ(model.logits(tokens, 7, 20, nullptr), fake.logits(tokens, 7, 20, nullptr));
  EXPECT_TRUE(model.logits(tokens, 7, 0, nullptr).empty());
}

TEST_F(HostedModelTest, LikelihoodsAreTakenInSlicesAndInDouble) {
  const std::vector<std::int32_t> text = fake_passages(1, 200)[0].tokens;
  for (const bool slices : {true, false}) {
    served.slices = slices;
    HostedModel model = open();
    const std::vector<double> nll = model.nll(text, 3, nullptr);
    const std::vector<float> logits = fake.logits(text, 2, 197, nullptr);
    ASSERT_EQ(nll.size(), 197u);
    for (std::size_t row = 0; row < nll.size(); ++row) {
      long double sum = 0;
      for (std::size_t id = 0; id < 40; ++id) sum += std::exp((long double)logits[row * 40 + id]);
      const auto target = static_cast<std::size_t>(text[row + 3]);
      EXPECT_NEAR(nll[row], static_cast<double>(std::log(sum) - logits[row * 40 + target]), 1e-13);
    }
  }
  EXPECT_EQ(served.requests.back()["do"], "close");
}

// Samples of a folder, without what a clock says.
std::vector<nlohmann::json> samples_of(const std::string& folder) {
  std::istringstream lines(testing::read_text(folder + "/samples.jsonl"));
  std::vector<nlohmann::json> samples;
  for (std::string line; std::getline(lines, line);) {
    nlohmann::json sample = nlohmann::json::parse(line);
    for (auto item = sample.begin(); item != sample.end();) {
      item = item.key().ends_with("seconds") ? sample.erase(item) : std::next(item);
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

/// Sweeps of three codecs over `own` and over `hosted` come to the same samples.
void expect_same_samples(Model& own, Model& hosted, const ModelSubject::Settings& how) {
  const testing::ScratchFolder folder;
  const std::vector<Passage> passages = fake_passages(2, how.context + how.scored);
  WorkerPool pool(2);
  const auto grid = testing::grid_of({"e8:q=10", "ece8:bits=2,page=32", "int8"});
  const auto sweep = [&](Model& of, const std::string& to) {
    ModelSubject subject(of, passages, how, pool);
    ResultStore store(to, testing::fake_plan(), make_provenance({"test"}, 2));
    EXPECT_TRUE(run_sweep(subject, grid, store, {}).failed.empty());
    return samples_of(to);
  };
  const auto here = sweep(own, folder / "own"), there = sweep(hosted, folder / "hosted");
  EXPECT_EQ(here.size(), 2 * 4 * how.modes.size());
  EXPECT_EQ(here, there);
}

TEST_F(HostedModelTest, SweepsGiveTheSameSamplesInEveryMode) {
  HostedModel model = open();
  for (const int window : {0, 5}) {
    ModelSubject::Settings how = testing::settings(testing::kAllModes, 1, 2);
    how.policy.residual_window = window;
    expect_same_samples(fake, model, how);
  }
  ModelSubject::Settings how = testing::settings({EvalMode::decode}, 1, 2);
  how.context = 140;  // a page of 128 tokens, where a codec has none of its own
  expect_same_samples(fake, model, how);
}

/// Adds to what it writes; remembers the order, and what it saw.
struct AddTap : KvTap {
  bool pairs = false, query = false;
  std::size_t window = 0;
  std::vector<std::string> order;
  std::vector<float> seen;

  void visit(KvSite site, KvView view) override {
    order.push_back(site_name(site));
    change(site, view);
  }
  void visit_pair(int layer, KvView keys, KvView values) override {
    order.push_back("pair " + std::to_string(layer));
    change({layer, Part::key}, keys);
    change({layer, Part::value}, values);
  }
  void change(KvSite site, KvView view) {
    const std::size_t count = view.tokens * view.heads * view.dim;
    seen.insert(seen.end(), view.data, view.data + count);
    for (std::size_t i = 0; i < count; ++i) view.data[i] += 0.25f;
    EXPECT_EQ(view.exact != nullptr, window > 0 && site.part != Part::query);
    if (view.exact == nullptr) return;
    for (std::size_t i = 0; i < count; ++i) view.exact[i] -= 0.125f;
  }
  bool wants_pairs() const override { return pairs; }
  bool wants(KvSite site) const override {
    if (site.part == Part::query) return query;
    return site.layer != 2 || site.part == Part::value;
  }
  bool writes(KvSite site) const override { return site.part != Part::query; }
  std::size_t exact_window() const override { return window; }
};

TEST_F(HostedModelTest, TapsSeeAndWriteWhatTheyDoInTheModelItself) {
  HostedModel model = open();
  for (const std::size_t window : {0, 4}) {
    AddTap here, there;
    here.window = there.window = window;
    EXPECT_EQ(model.logits(tokens, 0, 30, &there), fake.logits(tokens, 0, 30, &here));
    EXPECT_EQ(there.order, here.order);
    EXPECT_EQ(there.seen, here.seen);
    EXPECT_EQ(there.order.size(), 11u);
    AddTap prefilled;
    prefilled.window = window;
    model.prefill(tokens, prefilled);
    EXPECT_EQ(prefilled.seen, here.seen);
  }
}

TEST_F(HostedModelTest, PairsComeTogetherWhereBothAreWanted) {
  FullModel small(2);
  ServedHost other(&small);
  const std::unique_ptr<Host> line = other.start();
  HostedModel model(*line, "small", {});
  AddTap here, there;
  here.pairs = there.pairs = true;
  here.window = there.window = 3;
  EXPECT_EQ(model.logits(tokens, 0, 30, &there), small.logits(tokens, 0, 30, &here));
  EXPECT_EQ(there.order, (std::vector<std::string>{"pair 0", "pair 1"}));
  EXPECT_EQ(there.seen, here.seen);
  EXPECT_EQ(other.requests.back()["tap"]["sites"], "220220");
}

TEST_F(HostedModelTest, WhatTapsThrowComesBackUnchangedAndTheHostGoesOn) {
  struct Own {
    int number;
  };
  struct Throwing : KvTap {
    int left = 3;
    void visit(KvSite, KvView) override {
      if (--left == 0) throw Own{42};
    }
  } tap;
  HostedModel model = open();
  try {
    model.logits(tokens, 0, 1, &tap);
    FAIL() << "nothing was thrown";
  } catch (const Own& own) {
    EXPECT_EQ(own.number, 42);
  }
  EXPECT_EQ(model.logits(tokens, 7, 20, nullptr), fake.logits(tokens, 7, 20, nullptr));
}

TEST_F(HostedModelTest, RefusesWhatTheModelItselfRefuses) {
  HostedModel model = open();
  const auto said = [](const auto& action) { return message_of<InputError>(action); };
  EXPECT_EQ(said([&] { model.logits({}, 0, 0, nullptr); }),
            "0 tokens, expected 1 to 256, the model's context");
  EXPECT_EQ(said([&] { model.logits(tokens, 20, 11, nullptr); }),
            "logits of positions 20 to 31 asked for, of 30 tokens");
  EXPECT_EQ(said([&] { model.nll(tokens, 0, nullptr); }), "scoring from token 0, expected 1 to 30");
  tokens[4] = 40;
  EXPECT_EQ(said([&] { model.logits(tokens, 0, 1, nullptr); }), "token 4 is 40, expected 0 to 39");
  struct OnDevice : KvTap {
    void visit(KvSite, KvView) override {}
    bool on_device() const override { return true; }
  } tap;
  tokens[4] = 1;
  EXPECT_NE(said([&] { model.prefill(tokens, tap); }).find("expected one on the host"),
            std::string::npos);
  struct Nested : KvTap {
    Model* model = nullptr;
    void visit(KvSite, KvView) override {
      model->logits(std::vector<std::int32_t>{1}, 0, 1, nullptr);
    }
  } nested;
  nested.model = &model;
  EXPECT_EQ(message_of<Error>([&] { model.prefill(tokens, nested); }),
            "a test: a forward within a forward");
}

TEST_F(HostedModelTest, StepsOverACacheAreThoseOfTheModelItself) {
  HostedModel model = open();
  for (const TapPoint tap : {TapPoint::pre_rope, TapPoint::post_rope}) {
    PlainStepCache here(fake.facts().shape, tap, true), there(fake.facts().shape, tap, true);
    const std::span<const std::int32_t> all(tokens);
    const auto step = [&](std::vector<StepInput> batch) {
      EXPECT_EQ(model.step(batch, there), fake.step(batch, here));
    };
    step({{5, all.first(9), 2}});
    step({{5, all.subspan(9, 1), 1}, {2, all.subspan(3, 4), 0}});
    step({{2, all.subspan(7, 1), 1}, {5, all.subspan(10, 3), 3}});
    EXPECT_EQ(there.tokens(5), 13u);
    EXPECT_EQ(there.tokens(2), 5u);
  }
}

TEST_F(HostedModelTest, StepsRefuseWhatCannotBeAndPassOnWhatCachesThrow) {
  HostedModel model = open();
  PlainStepCache cache(fake.facts().shape, TapPoint::pre_rope);
  const std::span<const std::int32_t> all(tokens);
  const auto step = [&](std::vector<StepInput> batch) { model.step(batch, cache); };
  EXPECT_THROW(step({}), InputError);
  EXPECT_THROW(step({{0, all.first(1)}, {0, all.first(1)}}), InputError);
  EXPECT_THROW(step({{0, all.first(1), 2}}), InputError);
  EXPECT_TRUE(cache.empty());
  cache.fail_at = 4;
  EXPECT_EQ(message_of<std::runtime_error>([&] { step({{0, all.first(1)}}); }), "full");
  cache.fail_at = -1;
  cache.first[1] = 1;
  EXPECT_NE(message_of<InputError>([&] {
              step({{1, all.first(2)}});
            }).find("layer 1: the cache has dropped tokens before 1"),
            std::string::npos);
  cache.first.clear();
  step({{3, all.first(2)}});
}

TEST_F(HostedModelTest, WindowedLayersReadWhatIsSeenAlone) {
  struct Windowed : FullModel {
    Windowed() : FullModel(3) {
      own = FakeModel::facts();
      own.windows = {4, {1}};
    }
    const ModelFacts& facts() const override { return own; }
    ModelFacts own;
  } windowed;
  ServedHost other(&windowed);
  const std::unique_ptr<Host> line = other.start();
  HostedModel model(*line, "windowed", {});
  EXPECT_EQ(model.facts().windows, (LayerWindows{4, {1}}));
  PlainStepCache cache(windowed.own.shape, TapPoint::pre_rope);
  const std::span<const std::int32_t> all(tokens);
  model.step(std::vector<StepInput>{{0, all.first(10)}}, cache);
  cache.reads.clear();
  cache.first[1] = 7;
  model.step(std::vector<StepInput>{{0, all.subspan(10, 2)}}, cache);
  ASSERT_EQ(cache.reads.size(), 6u);
  EXPECT_EQ(cache.reads[0].tokens, (TokenRange{0, 12}));
  EXPECT_EQ(cache.reads[2].tokens, (TokenRange{7, 5}));  // token 10 sees 7 to 10
}

TEST_F(HostedModelTest, ErrorsOfTheHostAreThrownAsWhatTheyAre) {
  served.odd = [](const nlohmann::json& request, nlohmann::json& reply) {
    if (request["do"] != "rope_frequencies") return false;
    const char* kinds[] = {"SpecError", "InputError", "CorruptStream", "IoError", "Else"};
    reply = {{"error", kinds[request["layer"].get<int>()]}, {"text", "told"}};
    return true;
  };
  HostedModel model = open();
  EXPECT_EQ(message_of<SpecError>([&] { model.rope_frequencies(0); }), "told");
  EXPECT_EQ(message_of<InputError>([&] { model.rope_frequencies(1); }), "told");
  EXPECT_EQ(message_of<CorruptStream>([&] { model.rope_frequencies(2); }), "told");
  EXPECT_EQ(message_of<IoError>([&] { model.rope_frequencies(3); }), "told");
  EXPECT_EQ(message_of<Error>([&] { model.rope_frequencies(4); }), "told");
  EXPECT_EQ(model.attention_output(3), fake.attention_output(3));
}

}  // namespace
}  // namespace kakeya
