// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "fake_model.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/codec_device.h"
#include "kakeya/measure/mode.h"
#include "kakeya/store/arrays.h"

namespace kakeya {
namespace {

class Config : public ::testing::Test {
 protected:
  SweepConfig read(const std::string& text) {
    write_file(folder_ / "sweep.json", text);
    return read_sweep_config(folder_ / "sweep.json");
  }
  /// What the error of reading `text` says.
  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "(no error)";
  }
  testing::ScratchFolder folder_;
};

TEST_F(Config, ReadsEveryKey) {
  const SweepConfig c = read(
      R"({"description": "all keys", "model": "nano", "tokenizer": "t.json", "text": "../text", "cut": "published",
    "dump": "/data/kv.h5", "replace": "mine.h5", "claim_bits": 4.5, "plugins": ["a.so", "/b.py"], "codec": ["e8:q=10", "fp8"], "codec_k": "tq:b=4", "codec_v": ["tq:b=3"],
    "mode": ["inforward", "snapshot"], "passages": 3, "first_passage": 32, "split": "held-out", "splits": "lines.json", "ctx": 512, "eval": 32, "boundary": 1, "sinks": 4,
    "recent": 128, "tap": "post-rope", "device": "cuda:1", "codec_device": "cpu", "dtype": "bf16", "batch_invariant": true, "threads": 2, "seed": 18446744073709551615, "noise_floor": true})");
  EXPECT_EQ(c.model, "nano");
  EXPECT_EQ(c.tokenizer, folder_ / "t.json");
  EXPECT_EQ(c.text,
            (std::filesystem::path(folder_ / "").parent_path().parent_path() / "text").string());
  EXPECT_EQ(c.dump, "/data/kv.h5");
  EXPECT_EQ(c.replace, folder_ / "mine.h5");
  EXPECT_EQ(c.claim_bits, 4.5);
  EXPECT_EQ(c.plugins, (std::vector<std::string>{folder_ / "a.so", "/b.py"}));
  EXPECT_EQ(c.grid.both, (std::vector<std::string>{"e8:q=10", "fp8"}));
  EXPECT_EQ(c.grid.keys, std::vector<std::string>{"tq:b=4"});
  EXPECT_EQ(c.grid.values, std::vector<std::string>{"tq:b=3"});
  EXPECT_EQ(c.modes, (std::vector<std::string>{"inforward", "snapshot"}));
  EXPECT_EQ(c.passages, 3);
  EXPECT_EQ(c.first_passage, 32);
  EXPECT_EQ(c.split, "held-out");
  EXPECT_EQ(c.context, 512);
  EXPECT_EQ(c.scored, 32);
  EXPECT_EQ(c.policy[0], 1);
  EXPECT_EQ(c.policy[1], 4);
  EXPECT_EQ(c.policy[2], 128);
  EXPECT_EQ(c.cut, "published");
  EXPECT_EQ(c.splits, folder_ / "lines.json");
  EXPECT_EQ(c.tap, "post-rope");
  EXPECT_EQ(c.device, "cuda:1");
  EXPECT_EQ(c.codec_device, "cpu");
  EXPECT_EQ(c.dtype, "bf16");
  EXPECT_EQ(c.threads, 2);
  EXPECT_EQ(c.seed, 18446744073709551615u);
  EXPECT_EQ(c.noise_floor, true);
}

TEST_F(Config, ModelsAreShortNamesOrFilesBesideTheConfiguration) {
  EXPECT_EQ(read(R"({"model": "smollm2-135m"})").model, "smollm2-135m");
  EXPECT_EQ(read(R"({"model": "m.gguf"})").model, folder_ / "m.gguf");
  EXPECT_EQ(read(R"({"model": "./hf"})").model, folder_ / "hf");
  EXPECT_EQ(read(R"({"model": "transformers:org/name"})").model, "transformers:org/name");
  EXPECT_EQ(read(R"({"model": "transformers:."})").model->substr(0, 14), "transformers:/");
  EXPECT_FALSE(read("{}").model.has_value());
}

TEST_F(Config, AnUnknownKeyIsNamedBesideTheKnownOnes) {
  const std::string error = error_of(R"({"model": "nano", "contxt": 5})");
  EXPECT_NE(error.find("sweep.json: unknown key \"contxt\""), std::string::npos) << error;
  for (const std::string& key : sweep_config_keys())
    EXPECT_NE(error.find(key), std::string::npos) << key;
}

TEST_F(Config, WrongValuesAreNamed) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"ctx": "512"})", "ctx: \"512\": expected a whole number of at least 1"},
      {R"({"ctx": 0})", "ctx: 0: expected a whole number of at least 1"},
      {R"({"ctx": 12.5})", "ctx: 12.5: expected a whole number"},
      {R"({"ctx": 99999999999})", "ctx: 99999999999: expected a whole number"},
      {R"({"claim_bits": 0})", "claim_bits: 0: expected a number above 0"},
      {R"({"boundary": -1})", "boundary: -1: expected a whole number of at least 0"},
      {R"({"recent": -1})", "recent: -1: expected a whole number of at least 0"},
      {R"({"residual_window": -1})", "residual_window: -1: expected a whole number of at least 0"},
      {R"({"recent": 1, "residual_window": 1})",
       "residual_window: says the same as \"recent\": expected one of them"},
      {R"({"skip_edge_layers": 0, "boundary": 0})",
       "skip_edge_layers: says the same as \"boundary\": expected one of them"},
      {R"({"seed": -1})", "seed: -1: expected a whole number"},
      {R"({"passages": null})", "passages: null: expected a whole number"},
      {R"({"codec": []})", "codec: []: expected a text"},
      {R"({"codec": ["fp8", 3]})", "codec: 3: expected a text"},
      {R"({"mode": 1})", "mode: 1: expected a text"},
      {R"({"noise_floor": 1})", "noise_floor: 1: expected true or false"},
      {R"({"ctx": 5, "ctx": 6})", "key \"ctx\" is given twice"},
      {R"([1])", "expected an object"},
      {R"({"ctx": 5)", "not JSON"},
      {"", "not JSON"}};
  for (const auto& [text, message] : wrong) {
    EXPECT_NE(error_of(text).find(message), std::string::npos)
        << text << " gave: " << error_of(text);
  }
  EXPECT_THROW(read_sweep_config(folder_ / "none.json"), IoError);
}

// A word in the place of a file, which no folder stands before.
TEST_F(Config, SplitsMayBeNone) { EXPECT_EQ(read(R"({"splits": "none"})").splits, "none"); }

TEST_F(Config, RefusesDeepNesting) {
  const std::string deep(100'000, '['), closed = deep + std::string(100'000, ']');
  for (const std::string& text : {deep, closed, "{\"ctx\":" + closed + "}"}) {
    EXPECT_NE(error_of(text).find("sweep.json: not JSON at byte "), std::string::npos);
  }
}

TEST_F(Config, EveryTruncationIsAnError) {
  const std::string text = R"({"model": "nano", "codec": ["e8:q=10"], "ctx": 512})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_NE(error_of(text.substr(0, length)), "(no error)") << length;
  }
}

TEST_F(Config, FlagsReplaceKeysAndTheGridAsAWhole) {
  const SweepConfig file = read(
      R"({"model": "nano", "ctx": 512, "eval": 32, "recent": 8, "codec": "fp8", "codec_k": "tq:b=4"})");
  SweepConfig flags;
  flags.context = 100;
  flags.policy[2] = 64;
  flags.cut = "tokens";
  flags.grid.both = {"e8:q=4"};
  const SweepConfig merged = override_config(file, flags);
  EXPECT_EQ(merged.model, "nano");
  EXPECT_EQ(merged.context, 100);
  EXPECT_EQ(merged.scored, 32);
  EXPECT_EQ(merged.policy[2], 64);
  EXPECT_EQ(merged.cut, "tokens");
  EXPECT_EQ(merged.grid.both, std::vector<std::string>{"e8:q=4"});
  EXPECT_TRUE(merged.grid.keys.empty());
  EXPECT_EQ(override_config(file, {}).policy[2], 8);
  EXPECT_EQ(override_config(file, {}).grid.keys, std::vector<std::string>{"tq:b=4"});
}

// Plans say themselves which layers are coded: what the file chose was for its codecs.
TEST_F(Config, PlansAloneReplaceTheChoiceOfLayers) {
  SweepConfig flags;
  flags.plans = {"p.json"};
  for (const char* choice : {R"("skip_edge_layers": 1)", R"("boundary": 1)", R"("layers": "1,2")",
                             R"("skip_layers": "0")"}) {
    const SweepConfig file =
        read(std::string(R"({"model": "nano", "codec": "fp8", "sinks": 4, )") + choice + "}");
    const SweepConfig merged = override_config(file, flags);
    EXPECT_TRUE(merged.grid.empty());
    EXPECT_EQ(merged.plans, flags.plans);
    EXPECT_FALSE(merged.layers.given()) << choice;
    EXPECT_FALSE(merged.policy[kSkippedEdgeLayers].has_value()) << choice;
    EXPECT_EQ(merged.policy[1], 4);  // that of tokens stays
    SweepConfig both = flags;
    both.grid.both = {"e8:q=4"};  // a codec that it is for
    const SweepConfig kept = override_config(file, both);
    EXPECT_TRUE(kept.layers.given() || kept.policy[kSkippedEdgeLayers]) << choice;
  }
  // What flags say beside them stays, and prepare_sweep() refuses it.
  const SweepConfig file = read(R"({"codec": "fp8", "skip_edge_layers": 1})");
  SweepConfig edges = flags, layers = flags;
  edges.policy[kSkippedEdgeLayers] = 0;
  layers.layers.only = "1";
  EXPECT_EQ(override_config(file, edges).policy[kSkippedEdgeLayers], 0);
  EXPECT_EQ(override_config(file, layers).layers.only, "1");
}

TEST(ShippedConfigs, AreReadableAndNameRealCodecs) {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(KAKEYA_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".json") continue;
    ++found;
    SCOPED_TRACE(entry.path().filename().string());
    const SweepConfig config = read_sweep_config(entry.path().string());
    EXPECT_TRUE(config.model.has_value());
    EXPECT_NO_THROW(parse_modes(config.modes));
    for (const std::string& file : config.plugins) {
      EXPECT_TRUE(std::filesystem::exists(file)) << file;
    }
    if (config.plugins.empty()) {  // codecs of others are known once a plugin is loaded
      EXPECT_GE(expand_grid(config.grid).size(), 9u);
    }
    EXPECT_TRUE(!config.text || std::filesystem::exists(*config.text)) << *config.text;
  }
  EXPECT_GE(found, 2u);
}

// One chart of six families, what the project is proud of beside what engines run. What the
// quickstart gives by flags, so that passages are not what was calibrated on, the file leaves out.
TEST(ShippedConfigs, TheQuickstartsHaveCalibratedAndCentredCodecs) {
  for (const char* model : {"nano", "smollm2-135m"}) {
    SCOPED_TRACE(model);
    const SweepConfig config = read_sweep_config(std::string(KAKEYA_SOURCE_DIR) +
                                                 "/configs/quickstart-" + model + ".json");
    const std::vector<CodecPair> grid = expand_grid(config.grid);
    for (const char* spec : {"klt:bits=2", "klt:bits=4", "ece8:bits=3,center=mean", "e8:q=10",
                             "kivi:b=4", "q4_0", "fp8", "identity"}) {
      EXPECT_EQ(std::count(grid.begin(), grid.end(), CodecPair{spec, spec}), 1) << spec;
    }
    EXPECT_GE(config.passages, 8);   // fewer have no bootstrap interval
    EXPECT_EQ(config.policy[1], 4);  // as kakeya-calibrate leaves out
    EXPECT_FALSE(config.text || !config.profiles.empty());
  }
}

TEST(ShippedConfigs, TheFullGridCoversEveryPublishedOperatingPoint) {
  const SweepConfig config = read_sweep_config(KAKEYA_SOURCE_DIR "/configs/smollm2-135m.json");
  const std::vector<CodecPair> grid = expand_grid(config.grid);
  std::vector<std::string> wanted = {"identity", "fp8"};
  for (const char* q : {"4", "6", "10", "15", "22", "38", "76", "152"}) {
    wanted.push_back(std::string("d4:q=") + q);
    wanted.push_back(std::string("e8:q=") + q);
  }
  for (int b = 2; b <= 8; ++b) wanted.push_back("tq:b=" + std::to_string(b));
  for (const std::string& spec : wanted) {
    EXPECT_EQ(std::count(grid.begin(), grid.end(), CodecPair{spec, spec}), 1) << spec;
  }
  EXPECT_EQ(parse_modes(config.modes), std::vector<EvalMode>{EvalMode::in_forward});
  EXPECT_GE(config.passages.value_or(0), 8);
  EXPECT_EQ(config.context, 2048);
  EXPECT_EQ(config.scored, 64);
  EXPECT_EQ(config.policy[0], 2);
}

TEST(CodecDevice, IsWhereTheModelIsUnlessAskedForTheHost) {
  EXPECT_EQ(codec_device_of({}, "cpu"), "cpu");
  EXPECT_EQ(codec_device_of("cpu", "cpu"), "cpu");
  EXPECT_EQ(codec_device_of({}, "cuda:1"), "cuda:1");
  EXPECT_EQ(codec_device_of("cuda", "cuda"), "cuda");
  EXPECT_EQ(codec_device_of("cpu", "cuda:1"), "cpu");
  EXPECT_THROW(codec_device_of("cuda", "cpu"), SpecError);
  EXPECT_THROW(codec_device_of("cuda:1", "cuda:1"), SpecError);
  EXPECT_THROW(codec_device_of("gpu", "cuda"), SpecError);
}

TEST(CodecDevice, IsTheCpuBesideAModelInAHost) {
  const std::string model = "transformers:org/name";
  for (const std::string device : {"cpu", "cuda", "cuda:1"}) {
    EXPECT_EQ(codec_device_of({}, device, model), "cpu");
    EXPECT_EQ(codec_device_of("cpu", device, model), "cpu");
    EXPECT_THROW(codec_device_of("cuda", device, model), SpecError);
    const CodecPlaces places = codec_places_of("auto", device, model);
    EXPECT_EQ(places.device, "cpu");
    EXPECT_FALSE(places.host_too);
  }
}

}  // namespace
}  // namespace kakeya
