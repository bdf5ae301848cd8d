// SPDX-License-Identifier: Apache-2.0
#include "kakeya/io/result_store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <utility>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;
using testing::read_text;
using testing::ScratchFolder;
using testing::write_text;

SweepPlan plan() {
  SweepPlan made;
  made.model_name = "small";
  made.layers = 5;
  made.context = 2048;
  made.tap = "pre-rope";
  made.seed = std::numeric_limits<std::uint64_t>::max();
  return made;
}

Provenance provenance() { return make_provenance({"kakeya-sweep"}, 2); }

double awkward(std::mt19937_64& bits) {
  for (;;) {
    const double value = std::bit_cast<double>(bits());
    if (std::isfinite(value)) return value;
  }
}

/// A sample of full-range doubles that depends only on `number`.
Sample sample(int number) {
  std::mt19937_64 bits(static_cast<std::uint64_t>(number));
  Sample made;
  made.key = {"e8:q=" + std::to_string(number), "d4:q=10", number % 7, "inforward"};
  made.nll_reference = awkward(bits);
  made.nll = awkward(bits);
  made.delta_ppl = -0.0;
  made.kld_mean = awkward(bits);
  made.kld_max = std::numeric_limits<double>::denorm_min();
  made.top1 = 1.0;
  made.rel_mse_k = awkward(bits);
  made.rel_mse_v = awkward(bits);
  made.cosine_k = awkward(bits);
  made.cosine_v = 0.1;
  made.values = bits();
  made.bytes_written = bits();
  made.bits_per_value = awkward(bits);
  made.charged_bits_per_value = awkward(bits);
  made.cache_values = 7;
  made.cache_bytes = 9;
  made.encode_seconds = 0.25;
  made.visits = 56;
  LayerSample both{3, 0.5, 0.25, 1.0, 1.0}, keys_only;
  keys_only.layer = 4;
  keys_only.rel_mse_k = awkward(bits);
  made.layers = {both, keys_only};
  for (int i = 0; i < 64; ++i) {
    made.nll_tokens.push_back(awkward(bits));
    made.kld_tokens.push_back(awkward(bits));
    made.top1_tokens.push_back(static_cast<std::uint8_t>(bits() & 1));
  }
  return made;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

void expect_equal(const Sample& a, const Sample& b) {
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.nll_reference, b.nll_reference);
  EXPECT_EQ(a.nll, b.nll);
  ASSERT_EQ(a.delta_ppl.has_value(), b.delta_ppl.has_value());
  EXPECT_TRUE(same_bits(a.delta_ppl.value_or(1), b.delta_ppl.value_or(1)));
  EXPECT_EQ(a.kld_mean, b.kld_mean);
  EXPECT_EQ(a.kld_max, b.kld_max);
  EXPECT_EQ(a.top1, b.top1);
  EXPECT_EQ(a.rel_mse_k, b.rel_mse_k);
  EXPECT_EQ(a.rel_mse_v, b.rel_mse_v);
  EXPECT_EQ(a.cosine_k, b.cosine_k);
  EXPECT_EQ(a.cosine_v, b.cosine_v);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.bytes_written, b.bytes_written);
  EXPECT_EQ(a.bits_per_value, b.bits_per_value);
  EXPECT_EQ(a.charged_bits_per_value, b.charged_bits_per_value);
  EXPECT_EQ(a.exact_bits_per_value, b.exact_bits_per_value);
  EXPECT_EQ(a.cache_values, b.cache_values);
  EXPECT_EQ(a.cache_bytes, b.cache_bytes);
  EXPECT_EQ(a.encode_seconds, b.encode_seconds);
  EXPECT_EQ(a.visits, b.visits);
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    EXPECT_EQ(a.layers[i].layer, b.layers[i].layer);
    EXPECT_TRUE(same_bits(a.layers[i].rel_mse_k, b.layers[i].rel_mse_k));
    EXPECT_TRUE(same_bits(a.layers[i].rel_mse_v, b.layers[i].rel_mse_v));
    EXPECT_TRUE(same_bits(a.layers[i].cosine_k, b.layers[i].cosine_k));
    EXPECT_TRUE(same_bits(a.layers[i].cosine_v, b.layers[i].cosine_v));
  }
  EXPECT_EQ(a.nll_tokens, b.nll_tokens);
  EXPECT_EQ(a.kld_tokens, b.kld_tokens);
  EXPECT_EQ(a.nll_reference_tokens, b.nll_reference_tokens);
  EXPECT_EQ(a.top1_tokens, b.top1_tokens);
}

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

TEST(ResultStore, LinesHaveTheKeysThatScriptsRelyOn) {
  const ScratchFolder folder;
  ResultStore(folder / "r", plan(), provenance()).append(sample(1));
  const std::string text = read_text(folder / "r/samples.jsonl");
  EXPECT_EQ(text.rfind("{\"schema\":1,\"codec_k\":\"e8:q=1\",\"codec_v\":\"d4:q=10\"", 0), 0U);
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

TEST(ResultStore, PackedSamplesAreNotTakenForNone) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  const std::string plain = folder / "r/samples.jsonl", packed = plain + ".xz";
  std::filesystem::copy_file(plain, packed);  // both: the packed one is of no interest
  EXPECT_EQ(read_results(folder / "r").samples.size(), 1U);
  std::filesystem::remove(plain);
  const std::string expected =
      packed + ": expected samples.jsonl: unpack it first: xz -dk " + packed;
  EXPECT_EQ(message_of<IoError>([&] { read_results(folder / "r"); }), expected);
  EXPECT_EQ(message_of<IoError>([&] { ResultStore(folder / "r", plan(), provenance()); }),
            expected);
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
  other.text_sha256 = "abc";
  EXPECT_NE(message_of<InputError>([&] {
              ResultStore(folder / "r", other, provenance());
            }).find("text_sha256"),
            std::string::npos);
  EXPECT_EQ(read_text(folder / "r/provenance.json"), before);
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

TEST(ResultStore, EveryCutOfTheLastLineLosesOnlyThatLine) {
  const ScratchFolder folder;
  {
    ResultStore store(folder / "r", plan(), provenance());
    store.append(sample(0));
    store.append(sample(1));
  }
  const std::string whole = read_text(folder / "r/samples.jsonl");
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t length = first; length < whole.size();
       length += length + 9 < whole.size() ? 97 : 1) {
    write_text(folder / "r/samples.jsonl", whole.substr(0, length));
    EXPECT_EQ(read_results(folder / "r").samples.size(), 1U) << length;
    ResultStore store(folder / "r", plan(), provenance());
    EXPECT_EQ(store.finished(), 1U) << length;
    EXPECT_EQ(std::filesystem::file_size(folder / "r/samples.jsonl"), first) << length;
  }
  { ResultStore(folder / "r", plan(), provenance()).append(sample(1)); }
  EXPECT_EQ(read_text(folder / "r/samples.jsonl"), whole);
}

TEST(ResultStore, DamageIsNamedWithItsLine) {
  const ScratchFolder folder;
  {
    ResultStore store(folder / "r", plan(), provenance());
    store.append(sample(0));
    store.append(sample(1));
  }
  const std::string whole = read_text(folder / "r/samples.jsonl");
  const std::size_t second = whole.find('\n') + 1;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    const std::size_t at = text.find(from, second);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {changed("\"schema\":1", "\"schema\":2"), changed("\"schema\":1,", ""),
        changed("\"visits\":56", "\"visits\":-56"), changed("\"visits\":56", "\"visits\":\"56\""),
        changed("\"visits\":56", "\"visit\":56"), changed("\"visits\":56,", ""),
        changed("\"visits\":56", "\"visits\":56,\"more\":0"),
        changed("\"cosine_v\":0.1", "\"cosine_v\":null"),
        changed("\"cosine_v\":0.1", "\"cosine_v\":NaN"),
        changed("\"cosine_v\":0.1", "\"cosine_v\":1e999"),
        changed("\"layer\":3", "\"layer\":3,\"more\":1"), changed("\"layer\":3,", ""),
        changed("\"top1\":1.0", "\"top1\":[]"), changed("{", "["),
        whole.substr(0, second) + whole.substr(0, second),  // the same cell twice
        whole.substr(0, second) + "\n"}) {
    write_text(folder / "r/samples.jsonl", bad);
    const std::string why = message_of<CorruptStream>([&] { read_results(folder / "r"); });
    EXPECT_NE(why.find("samples.jsonl:2: "), std::string::npos) << why;
    EXPECT_THROW(ResultStore(folder / "r", plan(), provenance()), CorruptStream);
    EXPECT_EQ(read_text(folder / "r/samples.jsonl"), bad);  // damage is not repaired away
  }
}

TEST(ResultStore, DamagedOrMissingHead) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  const std::string head = read_text(folder / "r/provenance.json");
  for (std::size_t length = 0; length + 2 < head.size(); length += 13) {
    write_text(folder / "r/provenance.json", head.substr(0, length));
    EXPECT_THROW(read_results(folder / "r"), CorruptStream) << length;
  }
  std::filesystem::remove(folder / "r/provenance.json");
  EXPECT_THROW(read_results(folder / "r"), IoError);
  EXPECT_THROW(ResultStore(folder / "r", plan(), provenance()), CorruptStream);
  EXPECT_THROW(read_results(folder / "none"), IoError);
}

TEST(ResultStore, DeepNestingIsDamage) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const char* name : {"failures.jsonl", "samples.jsonl", "provenance.json"}) {
    for (const std::string& text : {deep, "{\"schema\":" + deep + "}"}) {
      write_text(folder / "r/" + name, text + "\n");
      const std::string why = message_of<CorruptStream>([&] { read_results(folder / "r"); });
      EXPECT_NE(why.find(name), std::string::npos) << why;
      EXPECT_NE(why.find("not JSON at byte "), std::string::npos) << why;
      EXPECT_THROW(ResultStore(folder / "r", plan(), provenance()), CorruptStream);
    }
    std::filesystem::remove(folder / "r/" + name);
    if (std::string_view(name) == "samples.jsonl") write_text(folder / "r/samples.jsonl", "");
  }
}

// A child appends as fast as it can and tells the number of every finished append through a pipe;
// some appends later it is killed at a random moment. Whatever it told must be there afterwards,
// and nothing but the cell in flight may be missing.
TEST(ResultStore, AKillLosesAtMostTheCellInFlight) {
  const ScratchFolder folder;
  std::mt19937 random(1);
  int finished = 0;
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(told[0]);
      try {
        ResultStore store(folder / "r", plan(), provenance());
        for (int i = 0;; ++i) {
          if (store.contains(sample(i).key)) continue;
          store.append(sample(i));
          if (::write(told[1], &i, sizeof i) != sizeof i) ::_exit(3);
        }
      } catch (...) {
        ::_exit(2);
      }
    }
    ::close(told[1]);
    int last = finished - 1;
    const auto hear = [&] { return ::read(told[0], &last, sizeof last) == sizeof last; };
    for (auto appends = 1 + random() % 3; appends > 0 && hear(); --appends) {
    }
    ::usleep(static_cast<useconds_t>(random() % 5000));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child failed by itself: " << WEXITSTATUS(status);
    while (hear()) {
    }
    ::close(told[0]);
    const ResultStore store(folder / "r", plan(), provenance());
    const int there = static_cast<int>(store.finished());
    EXPECT_GT(last, finished - 1);
    EXPECT_GE(there, last + 1);
    EXPECT_LE(there, last + 2);
    finished = there;
  }
  const StoredResults results = read_results(folder / "r");
  ASSERT_EQ(static_cast<int>(results.samples.size()), finished);
  for (int i = 0; i < finished; ++i) {
    expect_equal(results.samples[static_cast<std::size_t>(i)], sample(i));
  }
}

}  // namespace
}  // namespace kakeya
