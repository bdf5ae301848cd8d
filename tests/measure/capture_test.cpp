// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/capture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::ScratchFolder;

/// What the fake model holds at a place; check_dump.py computes the same. Multiples of 1/8 up to 4:
/// exact in every storage.
float number(std::int32_t token, int layer, Part part, std::size_t head, std::size_t d,
             TapPoint point) {
  const int turned = point == TapPoint::post_rope && part != Part::value ? 17 : 0;
  const int mixed = token * 3 + layer * 31 + static_cast<int>(part) * 7 +
                    static_cast<int>(head) * 5 + static_cast<int>(d) + turned;
  return static_cast<float>(mixed % 61 - 30) / 8;
}

/// Shows its tap what number() says, as the tap asks; or misbehaves.
class FakeModel : public Model {
 public:
  FakeModel() {
    facts_.name = "fake";
    facts_.architecture = "llama";
    facts_.shape.layers = 3;
    facts_.shape.query_heads = 6;
    facts_.shape.kv_heads = 2;
    facts_.shape.head_dim = 4;
    facts_.rope_base = 10000;
    facts_.rope_layout = "rotate-half";
    facts_.attention_scale = 0.25;
    facts_.windows = {.tokens = 4, .layers = {0, 1}};
  }

  const ModelFacts& facts() const override { return facts_; }
  std::vector<float> logits(std::span<const std::int32_t>, std::size_t, std::size_t,
                            KvTap*) override {
    throw InputError("a capture needs no logits");
  }
  std::vector<double> nll(std::span<const std::int32_t>, std::size_t, KvTap*) override {
    throw InputError("a capture needs no likelihoods");
  }
  std::vector<float> step(std::span<const StepInput>, StepCache&) override {
    throw InputError("a capture needs no steps");
  }

  std::vector<double> rope_frequencies(int) const override { return {}; }
  std::vector<float> attention_output(int) const override { return {}; }
  void prefill(std::span<const std::int32_t> tokens, KvTap& tap) override {
    for (int layer = 0; layer < facts_.shape.layers; ++layer) {
      for (const Part part : {Part::key, Part::value, Part::query}) {
        if (tap.wants({layer, part})) show(tokens, {layer, part}, tap);
      }
    }
  }

  std::function<void(KvTap&, KvSite&, KvView&)> misbehave;
  bool asked_to_write = false;

 protected:
  void show(std::span<const std::int32_t> tokens, KvSite site, KvTap& tap) {
    asked_to_write = asked_to_write || tap.writes(site);
    const int heads = site.part == Part::query ? facts_.shape.query_heads : facts_.shape.kv_heads;
    std::vector<float> data;
    for (const std::int32_t token : tokens) {
      for (std::size_t head = 0; head < static_cast<std::size_t>(heads); ++head) {
        for (std::size_t d = 0; d < 4; ++d) {
          data.push_back(number(token, site.layer, site.part, head, d, tap.tap_point()));
        }
      }
    }
    KvView view{data.data(), tokens.size(), static_cast<std::size_t>(heads), 4, 0};
    if (misbehave) misbehave(tap, site, view);
    if (view.data) tap.visit(site, view);
  }

  ModelFacts facts_;
};

constexpr int kTokens = 9, kPassages = 2;

std::vector<std::int32_t> passage(int number) {
  std::vector<std::int32_t> tokens;
  for (int i = 0; i < kTokens; ++i) tokens.push_back(number * 50 + i * i);
  return tokens;
}

DumpHead facts_for(const Model& model, TapPoint point, bool queries, const std::string& storage) {
  DumpHead facts = dump_head(model.facts(), point, queries, kPassages, kTokens);
  facts.storage = storage;
  facts.origin.text.name = "t\u00e9xt";
  facts.provenance = make_provenance({"capture_test"}, 1);
  return facts;
}

void capture_all(const std::string& path, Model& model, const DumpHead& facts) {
  DumpWriter writer(path, facts);
  for (int p = 0; p < kPassages; ++p) {
    capture_passage(model, writer, facts, p, passage(p), "passage " + std::to_string(p));
  }
  writer.commit();
}

TEST(Capture, EveryLayerAndPartOfEveryPassage) {
  const ScratchFolder folder;
  for (const TapPoint point : {TapPoint::pre_rope, TapPoint::post_rope}) {
    for (const bool queries : {false, true}) {
      FakeModel model;
      capture_all(folder / "d.h5", model, facts_for(model, point, queries, "bf16"));
      EXPECT_FALSE(model.asked_to_write);
      const DumpReader dump(folder / "d.h5");
      EXPECT_EQ(dump.head().tap, point);
      EXPECT_EQ(dump.head().origin.model.name, "fake");
      EXPECT_EQ(dump.head().attention.scale, queries ? 0.25 : 0);
      EXPECT_EQ(dump.head().attention.windows, queries ? model.facts().windows : LayerWindows());
      for (int p = 0; p < kPassages; ++p) {
        EXPECT_EQ(dump.tokens(p), passage(p));
        for (int layer = 0; layer < 3; ++layer) {
          for (const Part part : {Part::key, Part::value, Part::query}) {
            if (part == Part::query && !queries) continue;
            const std::size_t heads = part == Part::query ? 6 : 2;
            const std::vector<float> data = dump.part(p, {layer, part});
            ASSERT_EQ(data.size(), kTokens * heads * 4);
            for (std::size_t i = 0; i < data.size(); ++i) {
              const std::size_t token = i / (heads * 4), head = i / 4 % heads;
              ASSERT_EQ(data[i], number(passage(p)[token], layer, part, head, i % 4, point));
            }
          }
        }
      }
    }
  }
}

TEST(Capture, AModelThatDoesNotShowWhatItShouldIsAnErrorAndLeavesNoFile) {
  const ScratchFolder folder;
  const auto refusal = [&](const std::function<void(KvTap&, KvSite&, KvView&)>& misbehave) {
    FakeModel model;
    model.misbehave = misbehave;
    const std::string why = message_of<InputError>([&] {
      capture_all(folder / "d.h5", model, facts_for(model, TapPoint::pre_rope, false, "bf16"));
    });
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << why;
    return why;
  };
  const auto at_layer_1 = [](KvSite site) { return site.layer == 1 && site.part == Part::value; };
  EXPECT_NE(refusal([&](KvTap&, KvSite& site, KvView& view) {
              if (at_layer_1(site)) view.data = nullptr;
            }).find("never showed v of layer 1"),
            std::string::npos);
  EXPECT_NE(refusal([&](KvTap& tap, KvSite& site, KvView& view) {
              if (at_layer_1(site)) tap.visit(site, view);
            }).find("v of layer 1 twice"),
            std::string::npos);
  EXPECT_NE(refusal([&](KvTap&, KvSite& site, KvView& view) {
              if (at_layer_1(site)) view.tokens -= 1;
            }).find("8 tokens of v of layer 1"),
            std::string::npos);
  EXPECT_NE(refusal([&](KvTap&, KvSite& site, KvView& view) {
              if (at_layer_1(site)) view.first_token = 3;
            }).find("from 3 on"),
            std::string::npos);
  EXPECT_NE(refusal([&](KvTap&, KvSite& site, KvView& view) {
              if (at_layer_1(site)) view.heads = 1;
            }).find("[9, 1, 4], expected [9, 2, 4]"),
            std::string::npos);
  EXPECT_NE(refusal([&](KvTap&, KvSite& site, KvView&) { site.layer += 1; }).find("layer 3 of 3"),
            std::string::npos);
  EXPECT_NE(refusal([&](KvTap&, KvSite& site, KvView&) {
              if (at_layer_1(site)) site.part = Part::query;
            }).find("q of layer 1 unasked"),
            std::string::npos);
}

// The dump opens in h5py, without our code: check_dump.py looks at every shape, type, value and
// attribute.
TEST(Capture, OpensInH5py) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import h5py, numpy' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << python << " has no h5py (Debian: python3-h5py)";
  }
  const ScratchFolder folder;
  for (const std::string storage : {"fp16", "bf16", "fp32"}) {
    FakeModel model;
    const DumpHead facts = facts_for(model, TapPoint::post_rope, true, storage);
    capture_all(folder / "d.h5", model, facts);
    const std::string command = python + " " + KAKEYA_SOURCE_DIR + "/tests/measure/check_dump.py " +
                                (folder / "d.h5") + " " + storage + " 1>&2";
    EXPECT_EQ(std::system(command.c_str()), 0) << storage;
  }
}

}  // namespace
}  // namespace kakeya
