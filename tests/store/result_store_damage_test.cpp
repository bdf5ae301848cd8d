// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/store/result_store.h"
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

TEST(DamagedResults, PackedSamplesAreNotTakenForNone) {
  const ScratchFolder folder;
  { ResultStore(folder / "r", plan(), provenance()).append(sample(0)); }
  const std::string plain = folder / "r/samples.jsonl", packed = plain + ".xz";
  std::filesystem::copy_file(plain, packed);  // both: the packed one is of no interest
  EXPECT_EQ(read_results(folder / "r").samples.size(), 1U);
  std::filesystem::remove(plain);
  EXPECT_EQ(message_of<IoError>([&] { ResultStore(folder / "r", plan(), provenance()); }),
            packed + ": expected samples.jsonl: unpack it first: xz -dk " + packed);
  EXPECT_THROW(read_results(folder / "r"), Error);  // it is no .xz file
}

TEST(DamagedResults, PackedControlsAreNotTakenForNone) {
  const ScratchFolder folder;
  {
    ResultStore store(folder / "r", plan(), provenance());
    store.append(sample(0));
    ControlSample control;
    control.control = "bf16";
    store.append_control(control);
  }
  const std::string plain = folder / "r/controls.jsonl", packed = plain + ".xz";
  std::filesystem::copy_file(plain, packed);
  EXPECT_EQ(read_results(folder / "r").controls.size(), 1U);
  std::filesystem::remove(plain);
  EXPECT_EQ(message_of<IoError>([&] { ResultStore(folder / "r", plan(), provenance()); }),
            packed + ": expected controls.jsonl: unpack it first: xz -dk " + packed);
  EXPECT_THROW(read_results(folder / "r"), Error);  // it is no .xz file
}

TEST(DamagedResults, PackedSamplesAreRead) {
  const ScratchFolder folder;
  const std::string committed =
                        KAKEYA_SOURCE_DIR "/reports/transform-studies/gemma3-270m-context-8192",
                    packed = folder / "samples.jsonl.xz";
  StoredResults whole;
  try {
    whole = read_results(committed);
  } catch (const IoError& error) {
    ASSERT_NE(std::string(error.what()).find("no liblzma"), std::string::npos) << error.what();
    GTEST_SKIP() << error.what();
  }
  EXPECT_EQ(whole.samples.size(), 35U);
  std::filesystem::copy_file(committed + "/provenance.json", folder / "provenance.json");
  const std::string bytes = read_text(committed + "/samples.jsonl.xz");
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, bytes.size() - 1}) {
    write_text(packed, bytes.substr(0, length));
    EXPECT_THROW(read_results(folder.path().string()), CorruptStream) << length;
  }
  std::string changed = bytes;
  changed[bytes.size() / 2] ^= 1;
  write_text(packed, changed);
  EXPECT_THROW(read_results(folder.path().string()), CorruptStream);
}

TEST(DamagedResults, EveryCutOfTheLastLineLosesOnlyThatLine) {
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

TEST(DamagedResults, DamageIsNamedWithItsLine) {
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
       {changed("\"schema\":2", "\"schema\":3"),
        changed("\"schema\":2", "\"schema\":0"),
        changed("\"schema\":2,", ""),
        changed("\"ledger_k\":{", "\"ledger_k\":{\"more\":1,"),
        changed("\"header_bits\":0,", ""),
        changed("\"header_bits\":0", "\"header_bits\":0.5"),
        changed("\"ledger_v\":{", "\"ledger_v\":[],\"more\":{"),
        changed("\"visits\":56", "\"visits\":-56"),
        changed("\"visits\":56", "\"visits\":\"56\""),
        changed("\"visits\":56", "\"visit\":56"),
        changed("\"visits\":56,", ""),
        changed("\"visits\":56", "\"visits\":56,\"more\":0"),
        changed("\"cosine_v\":0.1", "\"cosine_v\":null"),
        changed("\"cosine_v\":0.1", "\"cosine_v\":NaN"),
        changed("\"cosine_v\":0.1", "\"cosine_v\":1e999"),
        changed("\"layer\":3", "\"layer\":3,\"more\":1"),
        changed("\"layer\":3,", ""),
        changed("\"top1\":1.0", "\"top1\":[]"),
        changed("{", "["),
        whole.substr(0, second) + whole.substr(0, second),  // the same cell twice
        whole.substr(0, second) + "\n"}) {
    write_text(folder / "r/samples.jsonl", bad);
    const std::string why = message_of<CorruptStream>([&] { read_results(folder / "r"); });
    EXPECT_NE(why.find("samples.jsonl:2: "), std::string::npos) << why;
    EXPECT_THROW(ResultStore(folder / "r", plan(), provenance()), CorruptStream);
    EXPECT_EQ(read_text(folder / "r/samples.jsonl"), bad);  // damage is not repaired away
  }
}

TEST(DamagedResults, DamagedOrMissingHead) {
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

TEST(DamagedResults, DeepNestingIsDamage) {
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
TEST(DamagedResults, AKillLosesAtMostTheCellInFlight) {
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
