// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/result_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "kakeya/core/error.h"
#include "stored_sample.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::expect_equal;
using testing::message_of;
using testing::plan;
using testing::provenance;
using testing::read_text;
using testing::sample;
using testing::ScratchFolder;
using testing::write_text;

TEST(ResultStore, EveryBitOfASampleComesBack) {
  const ScratchFolder folder;
  {
    ResultStore store(folder / "new/results", plan(), provenance());
    for (int i = 0; i < 200; ++i) store.append(sample(i));
    EXPECT_EQ(store.finished(), 200U);
    EXPECT_TRUE(store.contains(sample(7).key));
    EXPECT_FALSE(store.contains(sample(200).key));
  }
  const StoredResults results = read_results(folder / "new/results");
  EXPECT_EQ(results.plan, plan());
  ASSERT_EQ(results.samples.size(), 200U);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    expect_equal(results.samples[static_cast<std::size_t>(i)], sample(i));
  }
}

// A key that is there where it says something.
TEST(ResultStore, ValuesBeyondTheProfileAreStoredWhereThereAreSome) {
  const ScratchFolder folder;
  Sample some = sample(1);
  some.ledger_k->beyond_profile_values = 640;
  ResultStore(folder / "r", plan(), provenance()).append(some);
  const auto line = nlohmann::json::parse(read_text(folder / "r/samples.jsonl"));
  EXPECT_EQ(line["ledger_k"]["beyond_profile_values"], 640);
  EXPECT_FALSE(line["ledger_v"].contains("beyond_profile_values"));
  const Sample back = read_results(folder / "r").samples.at(0);
  EXPECT_EQ(back.ledger_k->beyond_profile_values, 640U);
  EXPECT_EQ(back.ledger_v->beyond_profile_values, 0U);
}

TEST(ResultStore, LinesHaveTheKeysThatScriptsRelyOn) {
  const ScratchFolder folder;
  ResultStore(folder / "r", plan(), provenance()).append(sample(1));
  const std::string text = read_text(folder / "r/samples.jsonl");
  EXPECT_EQ(text.rfind("{\"schema\":2,\"codec_k\":\"e8:q=1\",\"codec_v\":\"d4:q=10\"", 0), 0U);
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  const auto line = nlohmann::json::parse(text);
  for (const char* key : {"codec_k",        "codec_v",
                          "passage",        "mode",
                          "nll_reference",  "nll",
                          "delta_ppl",      "kld_mean",
                          "kld_max",        "top1",
                          "rel_mse_k",      "rel_mse_v",
                          "values",         "bytes_written",
                          "bits_per_value", "charged_bits_per_value",
                          "layers",         "encode_seconds",
                          "decode_seconds", "nll_tokens",
                          "kld_tokens"}) {
    EXPECT_TRUE(line.contains(key)) << key;
  }
  EXPECT_TRUE(line["exact_bits_per_value"].is_null());
  for (const char* part : {"ledger_k", "ledger_v"}) {
    for (const char* key :
         {"vectors", "values", "charged_bits", "exact_bits", "entropy_bits", "payload_bits",
          "scale_bits", "header_bits", "table_bits", "padding_bits", "exact_token_bits"}) {
      EXPECT_TRUE(line[part].contains(key)) << part << " " << key;
    }
    EXPECT_TRUE(line[part]["exact_bits"].is_null());
    EXPECT_EQ(line[part].size(), 11U);
  }
  EXPECT_FALSE(line["layers"][1].contains("rel_mse_v"));         // not measured
  EXPECT_NE(text.find("\"cosine_v\":0.1,"), std::string::npos);  // shortest form
  const auto head = nlohmann::json::parse(read_text(folder / "r/provenance.json"));
  EXPECT_EQ(head["schema"], 1);
  EXPECT_EQ(head["plan"]["context"], 2048);
  EXPECT_EQ(head["runs"][0]["first_sample"], 0);
  EXPECT_EQ(head["runs"][0]["command"][0], "kakeya-sweep");
}

TEST(ResultStore, NonFiniteAndRepeatedCellsAreRefusedAndLeaveNoTrace) {
  const ScratchFolder folder;
  ResultStore store(folder / "r", plan(), provenance());
  store.append(sample(1));
  const std::string before = read_text(folder / "r/samples.jsonl");
  const double bad[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
  for (const double value : bad) {
    Sample changed = sample(2);
    changed.kld_mean = value;
    EXPECT_NE(message_of<InputError>([&] { store.append(changed); }).find("kld_mean"),
              std::string::npos);
    changed = sample(2);
    changed.nll_tokens[9] = value;
    EXPECT_NE(message_of<InputError>([&] { store.append(changed); }).find("nll_tokens"),
              std::string::npos);
    changed = sample(2);
    changed.bits_per_value = value;
    EXPECT_THROW(store.append(changed), InputError);
    changed = sample(2);
    changed.ledger_v->entropy_bits = value;
    EXPECT_NE(message_of<InputError>([&] { store.append(changed); }).find("entropy_bits"),
              std::string::npos);
  }
  Sample changed = sample(2);
  changed.layers[0].cosine_v = HUGE_VAL;
  EXPECT_THROW(store.append(changed), InputError);
  changed = sample(2);
  changed.key.mode = "\xff";  // not UTF-8
  EXPECT_THROW(store.append(changed), InputError);
  EXPECT_THROW(store.append(sample(1)), InputError);
  EXPECT_EQ(read_text(folder / "r/samples.jsonl"), before);
  EXPECT_EQ(store.finished(), 1U);
}

// Samples of before the ledger are read as they are, and a sweep that goes on mixes both kinds.
TEST(ResultStore, SamplesOfSchema1HaveNoLedgers) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  const std::string path = folder / "r/samples.jsonl";
  auto line = nlohmann::ordered_json::parse(read_text(path));
  const auto refused = [&] {
    write_text(path, line.dump() + "\n");
    return message_of<CorruptStream>([&] { read_results(folder / "r"); });
  };
  line["schema"] = 1;
  EXPECT_NE(refused().find("unknown key \"ledger_k\""), std::string::npos);
  line.erase("ledger_k");
  line.erase("ledger_v");
  line["schema"] = 2;
  EXPECT_NE(refused().find("missing key \"ledger_k\""), std::string::npos);
  line["schema"] = 1;
  const std::string old = line.dump() + "\n";
  write_text(path, old);
  { ResultStore(folder / "r", plan(), provenance()).append(sample(1)); }
  EXPECT_EQ(read_text(path).rfind(old, 0), 0U);
  const StoredResults results = read_results(folder / "r");
  ASSERT_EQ(results.samples.size(), 2U);
  Sample expected = sample(0);
  expected.ledger_k.reset();
  expected.ledger_v.reset();
  expect_equal(results.samples[0], expected);
  expect_equal(results.samples[1], sample(1));
}

TEST(ResultStore, RunsAreRecordedWithTheirFirstSample) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  {
    ResultStore store(folder / "r", plan(), provenance());
    EXPECT_TRUE(store.contains(sample(0).key));
    store.append(sample(1));
  }
  { ResultStore(folder / "r", plan(), provenance()); }
  const StoredResults results = read_results(folder / "r");
  EXPECT_EQ(results.runs.size(), 3U);
  EXPECT_EQ(results.first_samples, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ResultStore, RunsRecordHowManyCellsTheyPlanned) {
  const ScratchFolder folder;
  using Planned = std::vector<std::optional<std::size_t>>;
  { ResultStore(folder / "r", plan(), provenance(), 14).append(sample(0)); }
  { ResultStore(folder / "r", plan(), provenance()); }
  EXPECT_EQ(read_results(folder / "r").cells_planned, (Planned{14, std::nullopt}));
  // A folder of an older version has no such key; a run that goes on leaves its entry as it was.
  const std::string path = folder / "r/provenance.json";
  auto head = nlohmann::ordered_json::parse(read_text(path));
  EXPECT_EQ(head["runs"][0]["cells_planned"], 14);
  EXPECT_FALSE(head["runs"][1].contains("cells_planned"));
  head["runs"][0].erase("cells_planned");
  write_text(path, head.dump());
  { ResultStore(folder / "r", plan(), provenance(), 3); }
  EXPECT_EQ(read_results(folder / "r").cells_planned, (Planned{std::nullopt, std::nullopt, 3}));
  for (const char* wrong : {"-1", "1.5", "\"14\"", "null"}) {
    head["runs"][0]["cells_planned"] = nlohmann::json::parse(wrong);
    write_text(path, head.dump());
    EXPECT_NE(message_of<CorruptStream>([&] { read_results(folder / "r"); }).find("cells_planned"),
              std::string::npos)
        << wrong;
  }
}

TEST(ResultStore, AnotherPlanIsRefusedByName) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  const std::string before = read_text(folder / "r/provenance.json");
  SweepPlan other = plan();
  other.context = 1024;
  const std::string why =
      message_of<InputError>([&] { ResultStore(folder / "r", other, provenance()); });
  EXPECT_NE(why.find("context: 2048 stored, 1024 asked for"), std::string::npos) << why;
  other = plan();
  other.origin.text.sha256 = "abc";
  EXPECT_NE(message_of<InputError>([&] {
              ResultStore(folder / "r", other, provenance());
            }).find("text_sha256"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "r/provenance.json"), before);
}

TEST(ResultStore, ACodecOfAnotherPluginIsRefusedByName) {
  const ScratchFolder folder;
  Provenance mine = provenance();
  mine.plugins = {{"mine.so", std::string(64, 'a'), {{"mine", "bits"}}}};
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  { ResultStore(folder / "r", plan(), mine).append(sample(1)); }  // a plugin is no other plan
  { ResultStore(folder / "r", plan(), mine); }
  EXPECT_EQ(read_results(folder / "r").runs[1].plugins[0].codecs[0].rate, "bits");
  Provenance other = mine;
  other.plugins[0].sha256 = std::string(64, 'b');
  const std::string said =
      message_of<InputError>([&] { ResultStore(folder / "r", plan(), other); });
  EXPECT_NE(said.find("mine of mine.so"), std::string::npos) << said;
  other.plugins[0].codecs[0].name = "another";
  { ResultStore(folder / "r", plan(), other); }
}

TEST(ResultStore, KeepsWindowsWhereThereAreAny) {
  const ScratchFolder folder;
  SweepPlan windowed = plan();
  windowed.windows = {512, {0, 1, 3}};
  { ResultStore(folder / "r", windowed, provenance()); }
  EXPECT_EQ(read_results(folder / "r").plan, windowed);
  { ResultStore(folder / "plain", plan(), provenance()); }
  EXPECT_EQ(read_text(folder / "plain/provenance.json").find("windows"), std::string::npos);
  const auto why = [&](const char* name, const SweepPlan& asked) {
    return message_of<InputError>([&] { ResultStore(folder / name, asked, provenance()); });
  };
  EXPECT_NE(why("r", plan()).find("windows: {\"tokens\":512"), std::string::npos);
  EXPECT_NE(why("plain", windowed).find("windows: null stored"), std::string::npos);

  const std::string whole = read_text(folder / "r/provenance.json");
  const std::size_t at = whole.find("\"windows\"");
  ASSERT_NE(at, std::string::npos);
  const std::size_t begin = whole.find('{', at), end = whole.find('}', at) + 1;
  for (const char* wrong :
       {"3", "{}", R"({"tokens": 512, "layers": []})", R"({"tokens": 0, "layers": [1]})",
        R"({"tokens": 512, "layers": [5]})", R"({"tokens": 512, "layers": [1, 1]})",
        R"({"tokens": 512, "layers": [-1]})", R"({"tokens": 512, "layers": [1], "more": 1})"}) {
    write_text(folder / "r/provenance.json", whole.substr(0, begin) + wrong + whole.substr(end));
    EXPECT_FALSE(message_of<CorruptStream>([&] { read_results(folder / "r"); }).empty()) << wrong;
  }
}

// Files of before the residual window have no such key.
TEST(ResultStore, AResidualWindowIsPartOfThePlan) {
  const ScratchFolder folder;
  SweepPlan windowed = plan();
  windowed.policy.residual_window = 64;
  { ResultStore(folder / "r", windowed, provenance()); }
  EXPECT_EQ(read_results(folder / "r").plan, windowed);
  { ResultStore(folder / "none", plan(), provenance()); }
  EXPECT_EQ(read_text(folder / "none/provenance.json").find("recent"), std::string::npos);
  EXPECT_EQ(read_results(folder / "none").plan.policy.residual_window, 0);
  const auto why = [&](const char* name, const SweepPlan& asked) {
    return message_of<InputError>([&] { ResultStore(folder / name, asked, provenance()); });
  };
  EXPECT_NE(why("r", plan()).find("recent: 64 stored, 0 asked for"), std::string::npos);
  EXPECT_NE(why("none", windowed).find("recent: 0 stored, 64 asked for"), std::string::npos);
  EXPECT_EQ(why("r", windowed), "");

  auto head = nlohmann::ordered_json::parse(read_text(folder / "r/provenance.json"));
  for (const char* wrong : {"-1", "1.5", "\"64\"", "null", "[]"}) {
    head["plan"]["recent"] = nlohmann::json::parse(wrong);
    write_text(folder / "r/provenance.json", head.dump());
    EXPECT_NE(message_of<CorruptStream>([&] { read_results(folder / "r"); }).find("recent"),
              std::string::npos)
        << wrong;
  }
}

// Files of before it could be chosen have no such key, nor have those where nothing was cut.
TEST(ResultStore, HowTheTextWasCutIsPartOfThePlan) {
  const ScratchFolder folder;
  SweepPlan tokens = plan(), published = plan();
  tokens.cut = "tokens";
  published.cut = "published";
  for (const SweepPlan& each : {tokens, published}) {
    { ResultStore(folder / each.cut, each, provenance()); }
    EXPECT_EQ(read_results(folder / each.cut).plan, each);
  }
  { ResultStore(folder / "old", plan(), provenance()); }
  EXPECT_EQ(read_text(folder / "old/provenance.json").find("cut"), std::string::npos);
  const auto why = [&](const std::string& name, const SweepPlan& asked) {
    return message_of<InputError>([&] { ResultStore(folder / name, asked, provenance()); });
  };
  EXPECT_EQ(why("old", published), "");
  { ResultStore(folder / "older", plan(), provenance()); }
  EXPECT_NE(why("older", tokens).find("cut: \"published\" stored, \"tokens\" asked for"),
            std::string::npos);
  EXPECT_NE(why("tokens", published).find("cut: \"tokens\" stored, \"published\" asked for"),
            std::string::npos);
  auto head = nlohmann::ordered_json::parse(read_text(folder / "tokens/provenance.json"));
  for (const char* wrong : {"\"words\"", "1", "null"}) {
    head["plan"]["cut"] = nlohmann::json::parse(wrong);
    write_text(folder / "tokens/provenance.json", head.dump());
    EXPECT_NE(message_of<CorruptStream>([&] { read_results(folder / "tokens"); }).find("cut"),
              std::string::npos)
        << wrong;
  }
}

TEST(ResultStore, FailuresAreToldUntilTheCellIsFinished) {
  const ScratchFolder folder;
  {
    ResultStore store(folder / "r", plan(), provenance());
    store.append_failure(sample(1).key, "first reason");
    store.append_failure(sample(1).key, "second \"reason\"\n");
    store.append_failure(sample(2).key, "other");
    EXPECT_FALSE(store.contains(sample(1).key));
    store.append(sample(2));
  }
  const StoredResults results = read_results(folder / "r");
  ASSERT_EQ(results.failures.size(), 1U);
  EXPECT_EQ(results.failures[0].key, sample(1).key);
  EXPECT_EQ(results.failures[0].reason, "second \"reason\"\n");
}

TEST(ResultStore, ControlsAreKeptBesideSamplesWithTheRunThatMadeThem) {
  const ScratchFolder folder;
  ControlSample control;
  control.control = "bf16";
  control.passage = 3;
  control.kld_mean = 0.1;
  control.delta_ppl = -0.25;
  control.kld_tokens = {0.125, 1.0 / 3};
  control.top1_tokens = {1, 0};
  control.positions = {{1, 63, 2.5, 2.25, 0.125, 0.75}, {64, 1, 1, 1, 0, 1}};
  { ResultStore(folder / "r", plan(), provenance()).append(sample(1)); }
  {
    ResultStore store(folder / "r", plan(), provenance());
    EXPECT_FALSE(store.contains_control("bf16", 3));
    store.append_control(control);
    EXPECT_TRUE(store.contains_control("bf16", 3));
    EXPECT_EQ(message_of<InputError>([&] { store.append_control(control); }),
              folder / "r" + ": control bf16, passage 3 is there already");
    control.kld_max = std::nan("");
    control.passage = 4;
    EXPECT_THROW(store.append_control(control), InputError);
  }
  write_text(folder / "r/controls.jsonl", read_text(folder / "r/controls.jsonl") + "{\"schema");
  {
    ResultStore store(folder / "r", plan(), provenance());  // drops the line cut short
    EXPECT_TRUE(store.contains_control("bf16", 3));
    EXPECT_FALSE(store.contains_control("bf16", 4));
    control.kld_max = 2;
    store.append_control(control);
  }
  const StoredResults results = read_results(folder / "r");
  EXPECT_EQ(results.samples.size(), 1u);
  ASSERT_EQ(results.controls.size(), 2u);
  EXPECT_EQ(results.controls[0].run, 1);
  EXPECT_EQ(results.controls[1].run, 2);
  EXPECT_EQ(results.controls[0].kld_tokens, (std::vector<double>{0.125, 1.0 / 3}));
  EXPECT_EQ(results.controls[0].delta_ppl, -0.25);
  EXPECT_EQ(results.controls[1].top1_tokens, (std::vector<std::uint8_t>{1, 0}));
  const std::string line = read_text(folder / "r/controls.jsonl");
  write_text(folder / "r/controls.jsonl", line + line);
  EXPECT_THROW(read_results(folder / "r"), CorruptStream);
}

TEST(ResultStore, OneWriterAtATime) {
  const ScratchFolder folder;
  ResultStore first(folder / "r", plan(), provenance());
  EXPECT_NE(message_of<IoError>([&] {
              ResultStore(folder / "r", plan(), provenance());
            }).find("another process"),
            std::string::npos);
  ResultStore moved(std::move(first));
  EXPECT_THROW(ResultStore(folder / "r", plan(), provenance()), IoError);
  moved.append(sample(1));
  EXPECT_EQ(read_results(folder / "r").samples.size(), 1U);  // readers need no lock
}

}  // namespace
}  // namespace kakeya
