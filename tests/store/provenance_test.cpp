// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/provenance.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "kakeya/core/error.h"
#include "kakeya/version.h"

namespace kakeya {
namespace {

TEST(Provenance, SaysWhoMadeIt) {
  const Provenance made = make_provenance({"/some/where/kakeya-sweep", "--out", "a/b"}, 3);
  EXPECT_EQ(made.version, version());
  EXPECT_EQ(made.commit, build_commit());
  EXPECT_EQ(made.compiler, build_compiler());
  EXPECT_EQ(made.threads, 3);
  EXPECT_EQ(made.command, (std::vector<std::string>{"kakeya-sweep", "--out", "a/b"}));
  EXPECT_EQ(made.started_utc.size(), 20U);
  EXPECT_EQ(made.started_utc[10], 'T');
  EXPECT_EQ(made.started_utc.back(), 'Z');
}

TEST(Provenance, PathsWithinSpecsLoseTheirFolders) {
  const Provenance made =
      make_provenance({"a", "klt:bits={2,3},profile=/x/y/p.h5", "/z/q=/r,s=/t/u", "k=/v",
                       "transformers:/x/y/m", "--model=transformers:/x/m", "transformers:org/name"},
                      1);
  EXPECT_EQ(made.command, (std::vector<std::string>{"a", "klt:bits={2,3},profile=p.h5", "u", "k=v",
                                                    "transformers:m", "--model=transformers:m",
                                                    "transformers:org/name"}));
}

TEST(Provenance, KnowsTheKindOfADevice) {
  for (const char* cpus : {"cpu", "cpu,cpu", "cpu,cpu,cpu"}) EXPECT_EQ(device_kind(cpus), "cpu");
  for (const char* gpus : {"cuda", "cuda:1", "cuda:0,cuda:1", "cuda:0,cuda,cuda:12"})
    EXPECT_EQ(device_kind(gpus), "cuda") << gpus;
  EXPECT_EQ(device_kind("tpu:1"), "tpu:1");
}

TEST(Provenance, KnowsTheKindOfADescription) {
  const std::string gpu = ": NVIDIA H100 80GB HBM3";
  for (const char* numbers : {"cuda", "cuda:1", "cuda:0,cuda:1"})
    EXPECT_EQ(described_kind(numbers + gpu), "cuda" + gpu) << numbers;
  EXPECT_EQ(described_kind("cuda:1" + gpu + ", torch 2.9"), "cuda" + gpu + ", torch 2.9");
  EXPECT_EQ(described_kind("cpu,cpu"), "cpu");
  EXPECT_EQ(described_kind("cpu, torch 2.9"), "cpu, torch 2.9");
  EXPECT_EQ(described_kind("cpu,cpu, torch 2.9"), "cpu, torch 2.9");
}

TEST(Provenance, GpusWithoutANameKeepTheirNumbers) {
  for (const char* unnamed : {"cuda", "cuda:0", "cuda:1", "cuda:0,cuda:1", "cuda:1, torch: 2.9"})
    EXPECT_EQ(described_kind(unnamed), unnamed);
}

TEST(Provenance, NeverNamesTheMachine) {
  char name[256] = {};
  ASSERT_EQ(::gethostname(name, sizeof name - 1), 0);
  const Provenance made = make_provenance({}, 1);
  EXPECT_FALSE(made.host.empty());
  EXPECT_NE(made.host.find(", "), std::string::npos) << made.host;
  if (std::string(name).size() > 6) {
    EXPECT_EQ(made.host.find(name), std::string::npos) << made.host;
  }
}

TEST(Provenance, JsonRoundTrip) {
  const Provenance made{"0.1.0",
                        "abc\"\\\n",
                        "g++",
                        "Débian, \u00b5P",
                        "cpu",
                        2,
                        "2024-01-01T00:00:00Z",
                        {"kakeya-sweep", "", "--codec", "e8:q=10"},
                        {}};
  const Provenance back = provenance_from_json(to_json(made));
  EXPECT_EQ(to_json(back), to_json(made));
  EXPECT_EQ(back.commit, made.commit);
  EXPECT_EQ(back.host, made.host);
  EXPECT_EQ(back.command, made.command);
}

TEST(Provenance, NamesPluginsWhereThereAreSome) {
  Provenance made = make_provenance({"a"}, 1);
  EXPECT_EQ(to_json(made).find("plugins"), std::string::npos);
  made.plugins = {{"mine.so", std::string(64, 'a'), {{"mine", "bits"}, {"other", ""}}}};
  const Provenance back = provenance_from_json(to_json(made));
  ASSERT_EQ(back.plugins.size(), 1u);
  EXPECT_EQ(back.plugins[0].file, "mine.so");
  EXPECT_EQ(back.plugins[0].sha256, std::string(64, 'a'));
  ASSERT_EQ(back.plugins[0].codecs.size(), 2u);
  EXPECT_EQ(back.plugins[0].codecs[0].rate, "bits");
  EXPECT_EQ(back.plugins[0].codecs[1].name, "other");
  EXPECT_EQ(back.plugins[0].codecs[1].rate, "");
}

TEST(Provenance, UnknownMissingAndWrongKeysAreRefused) {
  const std::string good = to_json(make_provenance({"a"}, 1));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {std::string(), std::string("[]"), std::string("{}"), good.substr(0, good.size() - 1),
        changed("\"threads\":1", "\"threads\":-1"), changed("\"threads\":1", "\"threads\":1.5"),
        changed("\"threads\":1", "\"thread\":1"),
        changed("\"threads\":1", "\"threads\":99999999999"),
        changed("\"threads\":1", "\"threads\":1,\"more\":2"),
        changed("\"command\":[\"a\"]", "\"command\":[1]"),
        changed("\"command\":[\"a\"]", "\"command\":null")}) {
    EXPECT_THROW(provenance_from_json(bad), Error) << bad;
  }
  EXPECT_THROW(provenance_from_json(good.substr(0, good.size() - 1)), CorruptStream);
  EXPECT_THROW(provenance_from_json(changed("\"threads\":1", "\"thread\":1")), InputError);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_THROW(provenance_from_json("{\"threads\":" + deep + "}"), CorruptStream);
}

}  // namespace
}  // namespace kakeya
