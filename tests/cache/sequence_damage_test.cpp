// SPDX-License-Identifier: Apache-2.0
// Saved sequences that are damaged, forged, of something else, or cut off by a killed process; and
// the kept bytes of this format version, which this program writes:
//   KAKEYA_WRITE_GOLDEN=1 build/release/bin/cache_test --gtest_filter='SequenceFile.*'
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>

#include "kakeya/cache/cache_reader.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/core/random.h"
#include "support/made_cache.h"
#include "support/saved_sequence.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;
using testing::field_of, testing::lane_table_begin, testing::lanes_begin, testing::seal_sequence;

constexpr std::size_t kDim = 8;

// Two or four layers of a head of 8: small files. A sliding window has left pages.
struct Small {
  CodecPair specs;
  CachePolicy policy{2, 0, 3, 4};
  std::vector<std::size_t> windows{0, 20};
};
const Small kSmall[] = {
    {{"ece8:bits=3,page=32,center=mean,per=head-page", "e8:q=10,pack=rans,page=32"}},
    {{"kivi:b=2,group=8", "e8:q=10"}},
    {{"klt:bits=3,page=32", "ecz:bits=3,page=32,outliers=1"}},
    {{"klt:bits=3,scope=layer,restart=1,page=32", "klt:bits=3,scope=layer,restart=1,page=32"}},
    {{"fp8", "tq:b=4"}, {4, 1, 0, 0}, {20, 0, 0, 20}},
    {{"klt:bits=5,page=32,budget=800", "ece8:bits=5,page=32,budget=300"}},
};

CacheFacts small_facts() {
  CacheFacts facts;
  facts.origin.model = {"made", std::string(64, 'a')};
  facts.origin.architecture = "none";
  facts.origin.tokenizer = {"bytes", std::string(64, 'd')};
  facts.rope_layout = "halves";
  facts.rope_base = 1e4;
  return facts;
}

std::vector<std::byte> save(const PackedCache& cache, int sequence) {
  std::vector<std::int32_t> ids(cache.tokens(sequence, 0));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * i);
  return save_sequence(cache, sequence, small_facts(), ids);
}

// Values by arithmetic that is exact everywhere.
void append(PackedCache& cache, int sequence, std::size_t tokens, std::uint64_t seed) {
  std::vector<float> values(2 * tokens * kDim);
  for (int layer = 0; layer < cache.shape().layers; ++layer, ++seed) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto draw = static_cast<std::int32_t>(Random(seed).bits(i) >> 32);
      values[i] = static_cast<float>(draw >> 24) * 0x1p-5f;
    }
    cache.append(sequence, layer, dense_rows<const float>(values.data(), tokens, kDim),
                 dense_rows<const float>(&values[tokens * kDim], tokens, kDim));
  }
}

// Every value that is there is finite.
void read_all(const PackedCache& cache, int sequence) {
  for (int layer = 0; layer < cache.shape().layers; ++layer) {
    const std::size_t first = cache.first_token(sequence, layer),
                      count = cache.tokens(sequence, layer) - first;
    for (const Part part : {Part::key, Part::value}) {
      std::vector<float> values(count * kDim);
      cache.read(sequence, {layer, part}, {first, count}, dense_rows(values.data(), count, kDim));
      for (const float value : values) ASSERT_TRUE(std::isfinite(value));
    }
  }
}

class Maker {
 public:
  explicit Maker(Small small, const test::OneProfile* profile = nullptr)
      : small_(std::move(small)),
        own_(test::made_profile(kDim, small_.policy.layers, 1)),
        source_(profile == nullptr ? own_ : *profile) {}
  PackedCache cache() const {
    const CacheInput input{source_.profile().shape, small_.policy.skipped_layers, &source_};
    return {source_.profile().shape, small_.policy, make_cache_codecs(small_.specs, input),
            small_.windows};
  }
  std::vector<std::byte> file(std::size_t tokens) const {
    PackedCache made = cache();
    const int sequence = made.add_sequence();
    append(made, sequence, tokens, 100);
    return save(made, sequence);
  }

 private:
  Small small_;
  test::OneProfile own_;
  const test::OneProfile& source_;
};

class SequenceDamage : public ::testing::TestWithParam<std::size_t> {
 protected:
  SequenceDamage()
      : maker_(kSmall[GetParam()]), file_(maker_.file(tokens())), cache_(maker_.cache()) {}
  // Of codecs without pages one of 128 tokens is sealed.
  static std::size_t tokens() { return GetParam() == 1 || GetParam() == 4 ? 150 : 95; }

  Maker maker_;
  std::vector<std::byte> file_;
  PackedCache cache_;
};

TEST_P(SequenceDamage, EveryTruncation) {
  cache_.drop(restore_sequence(cache_, file_, small_facts()));
  for (std::size_t length = 0; length < file_.size(); ++length) {
    auto cut = std::make_unique<std::byte[]>(length);
    std::copy_n(file_.begin(), length, cut.get());
    const std::span<const std::byte> bytes(cut.get(), length);
    ASSERT_THROW(restore_sequence(cache_, bytes, small_facts()), CorruptStream) << length;
  }
  file_.push_back(std::byte{0});
  EXPECT_THROW(restore_sequence(cache_, file_, small_facts()), CorruptStream);
  EXPECT_TRUE(cache_.sequences().empty());
}

TEST_P(SequenceDamage, EveryFlippedByte) {
  for (std::size_t at = 0; at < file_.size(); ++at) {
    const auto flip = static_cast<std::byte>(1u << Random(5).bits(at) % 8);
    file_[at] ^= flip;
    ASSERT_THROW(restore_sequence(cache_, file_, small_facts()), CorruptStream) << at;
    file_[at] ^= flip;
  }
  EXPECT_TRUE(cache_.sequences().empty());
  EXPECT_EQ(save(cache_, restore_sequence(cache_, file_, small_facts())), file_);
}

// Whoever forges checksums gets an error, or a sequence of finite values that goes on.
TEST_P(SequenceDamage, ChangesUnderFittingChecksums) {
#ifdef __SANITIZE_ADDRESS__
  constexpr std::uint64_t kTrials = 1500;
#else
  constexpr std::uint64_t kTrials = 6000;
#endif
  const std::size_t begin = lanes_begin(file_), table = lane_table_begin(file_);
  std::size_t refused = 0, taken = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    auto bad = file_;
    for (std::uint64_t k = 0; k <= trial % 3; ++k) {
      const std::uint64_t draw = Random(6).bits(8 * trial + 2 * k),
                          byte = Random(6).bits(8 * trial + 2 * k + 1);
      // Anywhere in the lanes, in the head, in the table; small numbers and any.
      const std::size_t at = trial % 4 == 0   ? 16 + draw % (begin - 20)
                             : trial % 4 == 1 ? table + draw % (begin - 4 - table)
                                              : begin + draw % (bad.size() - begin);
      bad[at] = static_cast<std::byte>(trial % 5 == 0 ? byte % 4 : byte);
    }
    seal_sequence(bad);
    try {
      const int sequence = restore_sequence(cache_, bad, small_facts());
      read_all(cache_, sequence);
      ASSERT_EQ(save(cache_, sequence).size(), bad.size());
      append(cache_, sequence, 70, trial);
      read_all(cache_, sequence);
      if (GetParam() != 4) cache_.truncate(sequence, cache_.tokens(sequence, 0) - 3);
      cache_.drop(sequence);
      ++taken;
    } catch (const CorruptStream&) {
      ++refused;
    } catch (const InputError&) {  // facts that are not those of the cache
      ASSERT_NE(trial % 4, 2u);
      ASSERT_NE(trial % 4, 3u);
      ++refused;
    }
    ASSERT_TRUE(cache_.sequences().empty()) << trial;
  }
  EXPECT_GT(refused, 200u);
  EXPECT_GT(taken, 200u);
}

INSTANTIATE_TEST_SUITE_P(Caches, SequenceDamage,
                         ::testing::Range<std::size_t>(0, std::size(kSmall)));

// What a restore says that should not work.
std::string refusal(const Maker& maker, std::span<const std::byte> file,
                    const CacheFacts& expected = small_facts()) {
  PackedCache cache = maker.cache();
  try {
    restore_sequence(cache, file, expected);
  } catch (const InputError& error) {
    EXPECT_TRUE(cache.sequences().empty());
    return error.what();
  }
  return "taken";
}

TEST(SequenceFile, NamesWhatItIsNotOf) {
  const Maker maker(kSmall[2]);
  const auto file = maker.file(95);
  const auto expect_of = [&](const std::string& words, const std::string& why) {
    EXPECT_NE(why.find(words), std::string::npos) << why << "; expected " << words;
  };
  const auto facts = [&](const std::function<void(CacheFacts&)>& change) {
    CacheFacts other = small_facts();
    change(other);
    return refusal(maker, file, other);
  };
  const std::string a(64, 'a'), b(64, 'b'), d(64, 'd');
  EXPECT_EQ(facts([](CacheFacts&) {}), "taken");
  EXPECT_EQ(facts([](CacheFacts& f) { f.origin.model.name = "the same elsewhere"; }), "taken");
  expect_of("of model made, sha256 " + a + ", expected other, sha256 " + b,
            facts([&](CacheFacts& f) {
              f.origin.model = {"other", b};
            }));
  expect_of("of model made, sha256 " + a + ", expected unknown", facts([&](CacheFacts& f) {
              f.origin.model = {"unknown", ""};
            }));
  expect_of("of architecture none, expected llama",
            facts([](CacheFacts& f) { f.origin.architecture = "llama"; }));
  expect_of("of tokenizer bytes, sha256 " + d + ", expected bytes, sha256 " + b,
            facts([&](CacheFacts& f) { f.origin.tokenizer.sha256 = b; }));
  expect_of("of tap pre-rope, expected post-rope",
            facts([](CacheFacts& f) { f.tap = TapPoint::post_rope; }));
  expect_of("of RoPE layout halves, expected pairs",
            facts([](CacheFacts& f) { f.rope_layout = "pairs"; }));
  expect_of("of RoPE base 10000, expected 5e+05", facts([](CacheFacts& f) { f.rope_base = 5e5; }));

  const auto cache = [&](const std::function<void(Small&)>& change) {
    Small other = kSmall[2];
    change(other);
    return refusal(Maker(other), file);
  };
  expect_of(
      "of policy 0 skipped layers at either end, 3 sink tokens and a residual window of 4, "
      "expected 0 skipped layers at either end, 3 sink tokens and a residual window of 5",
      cache([](Small& s) { s.policy.residual_window = 5; }));
  expect_of("of codec of the keys klt:bits=3,page=32,profile=",
            cache([](Small& s) { s.specs.keys = "klt:bits=2,page=32"; }));
  expect_of("of codec of the values ecz:bits=3,",
            cache([](Small& s) { s.specs.values = "ecz:bits=3,page=64,outliers=1"; }));
  expect_of("of layer 1 with a sliding window of 20, expected no sliding window",
            cache([](Small& s) { s.windows = {}; }));
  expect_of("of shape 2 layers of 1 KV heads of 8, expected 4 layers of 1 KV heads of 8",
            cache([](Small& s) {
              s.policy.layers = 4;
              s.windows = {0, 20, 0, 20};
            }));
  // The same codec by another profile.
  Profile profile = test::made_profile(kDim, 2, 1);
  profile.digest = std::string(64, 'f');
  const test::OneProfile other(profile);
  expect_of(
      "of codec of the keys klt:bits=3,page=32,profile=cccccccccccccccc, expected "
      "klt:bits=3,page=32,profile=ffffffffffffffff",
      refusal(Maker(kSmall[2], &other), file));
}

TEST(SequenceFile, RefusesSizesThatNoVectorsHave) {
  const Maker maker(kSmall[0]);
  const auto file = maker.file(95);
  // Of the keys of layer 0: sum and count of two pages of 32 vectors, none of which is zero.
  std::size_t steps = lanes_begin(file);
  while (field_of<std::int64_t>(file, steps + 8) != 32 ||
         field_of<std::int64_t>(file, steps + 24) != 64) {
    ASSERT_LT(++steps, file.size() - 32);
  }
  const auto with = [&](const std::vector<std::pair<std::size_t, std::int64_t>>& changes) {
    auto bad = file;
    for (const auto& [at, value] : changes) std::memcpy(&bad[steps + at], &value, sizeof value);
    seal_sequence(bad);
    try {
      return refusal(maker, bad);
    } catch (const CorruptStream& error) {
      return std::string(error.what());
    }
  };
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = ~kLeast;
  const std::string why = with({{8, kLeast}, {24, kLeast}});
  EXPECT_EQ(why.find("layer 0 keys: saved sequence: page 0 leaves a count of -922337"), 0u) << why;
  for (const std::int64_t value :
       {kLeast, kLeast / 2, std::int64_t{-400000}, std::int64_t{400000}, kMost / 2, kMost}) {
    for (const std::size_t at : {0u, 8u}) {
      EXPECT_NE(with({{at, value}}), "taken") << value;
      EXPECT_NE(with({{at + 16, value}}), "taken") << value;
      EXPECT_NE(with({{at, value}, {at + 16, value}}), "taken") << value;
    }
  }
  EXPECT_NE(with({{8, 0}}), "taken");                    // a sum of none
  EXPECT_NE(with({{8, 31}}), "taken");                   // 33 in the page behind it
  EXPECT_EQ(with({{0, 0}, {8, 0}, {24, 32}}), "taken");  // a page of zeros
}

TEST(SequenceFile, SavesWhatIsWhole) {
  const Maker maker(kSmall[0]);
  PackedCache cache = maker.cache();
  const int sequence = cache.add_sequence();
  EXPECT_THROW(save_sequence(cache, sequence + 1, small_facts(), {}), InputError);
  EXPECT_THROW(save_sequence(cache, sequence, small_facts(), {1}), InputError);
  const std::vector<float> values(kDim);
  const auto row = dense_rows(values.data(), 1, kDim);
  cache.append(sequence, 0, row, row);  // and not to layer 1
  EXPECT_THROW(save_sequence(cache, sequence, small_facts(), {1}), InputError);
  cache.append(sequence, 1, row, row);
  EXPECT_NO_THROW(save_sequence(cache, sequence, small_facts(), {1}));
}

TEST(SequenceFile, IsNoCacheFile) {
  const auto file = Maker(kSmall[0]).file(40);
  const auto words = [&](const auto& read) -> std::string {
    try {
      read();
    } catch (const CorruptStream& error) {
      return error.what();
    }
    return "taken";
  };
  EXPECT_EQ(words([&] { CacheReader reader(file); }),
            "cache file: does not begin with \"KKVC\": this is a sequence of a live cache, which "
            "such a cache restores, expected a packed cache");
  const auto packed =
      read_file(std::string(KAKEYA_SOURCE_DIR) + "/tests/golden/cache_v1/small.kkv");
  EXPECT_EQ(words([&] { read_sequence_head(packed); }),
            "saved sequence: does not begin with \"KKVS\": this is a packed cache, expected a "
            "sequence of a live cache, which such a cache restores");
}

TEST(SequenceFile, BytesOfThisFormatVersion) {
  const fs::path path = fs::path(KAKEYA_SOURCE_DIR) / "tests" / "golden" /
                        ("sequence_v" + std::to_string(kSequenceFileVersion)) / "small.kkv";
  const Maker maker(kSmall[0]);
  const auto file = maker.file(95);
  if (std::getenv("KAKEYA_WRITE_GOLDEN") != nullptr) {
    fs::create_directories(path.parent_path());
    write_file(path.string(), file.data(), file.size());
  }
  EXPECT_EQ(file, read_file(path.string()));
  EXPECT_EQ(refusal(maker, file), "taken");
}

// A process that saves again and again, killed at any moment: the old file or the new one.
TEST(SequenceFile, IsWholeWhoeverIsKilledMeanwhile) {
  std::string folder = (fs::temp_directory_path() / "kakeya-sequence-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/sequence.kkv";
  const Maker maker(Small{{"ece8:bits=3,page=32", "e8:q=10"}});
  const std::array<std::vector<std::byte>, 2> files{maker.file(3000), maker.file(4500)};
  write_file(path, files[0].data(), files[0].size());
  std::array<int, 2> seen{};
  for (std::uint64_t kill_at = 0; kill_at < 40; ++kill_at) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {  // the newer one first
      for (std::size_t i = 1;; ++i) {
        try {
          write_file(path, files[i % 2].data(), files[i % 2].size());
        } catch (...) {
          _exit(1);
        }
        if (i == 1 && write(ready[1], "r", 1) != 1) _exit(1);
      }
    }
    close(ready[1]);
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    usleep(static_cast<useconds_t>(Random(8).bits(kill_at) % 5000));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto file = read_file(path);
    PackedCache cache = maker.cache();
    const int sequence = restore_sequence(cache, file, small_facts());
    ASSERT_TRUE(file == files[0] || file == files[1]);
    ASSERT_EQ(save(cache, sequence), file);
    ++seen[file == files[1] ? 1 : 0];
  }
  EXPECT_GT(seen[0], 0);
  EXPECT_GT(seen[1], 0);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kakeya
