// SPDX-License-Identifier: Apache-2.0
// The bytes of a cache file, kept and damaged. This program is the only thing that writes the kept
// ones:
//   KAKEYA_WRITE_GOLDEN=1 build/release/bin/cache_test --gtest_filter='CacheFile.*'
#include "kakeya/cache/cache_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cache/small_cache.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"

namespace kakeya {
namespace {

using namespace testing;
namespace fs = std::filesystem;

// All of a file by someone who knows the profile.
KvCache read_all(std::span<const std::byte> file) {
  static WorkerPool pool(1);
  const CacheReader reader(file);
  return reader.restore_all(reader.codecs(&small_profile()), pool);
}

std::vector<std::byte> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(fs::exists(path) ? fs::file_size(path) : 0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

// Values by arithmetic that is exact everywhere.
std::vector<std::byte> golden_file() {
  const Random random(71);
  KvCache cache(3, 12, 2, 8);
  for (int layer = 0; layer < 3; ++layer) {
    for (const KvSite site : {KvSite{layer, Part::key}, KvSite{layer, Part::value}}) {
      std::vector<float> values(12 * 2 * 8);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto draw = random.bits(1000 * static_cast<std::size_t>(layer) + 2 * i +
                                      (site.part == Part::key ? 0 : 1));
        values[i] = static_cast<float>(static_cast<std::int32_t>(draw >> 32) >> 8) * 0x1p-21f;
      }
      cache.store(site, values);
    }
  }
  CacheFacts facts = small_facts();
  facts.extent = {{3, 2, 4, 8}, 12, {3, 1, 2, 1}};
  std::vector<std::int32_t> ids(12);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * i);
  WorkerPool pool(1);
  return pack_cache(
      facts, ids, cache,
      make_cache_codecs({"e8:q=10", "tq:b=4"}, {{.layers = 3, .kv_heads = 2, .head_dim = 8}, 1}),
      pool);
}

TEST(CacheFile, BytesOfThisFormatVersion) {
  const fs::path path = fs::path(KAKEYA_SOURCE_DIR) / "tests" / "golden" /
                        ("cache_v" + std::to_string(kCacheFileVersion)) / "small.kkv";
  const auto file = golden_file();
  if (std::getenv("KAKEYA_WRITE_GOLDEN") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
  }
  const auto golden = bytes_of(path);
  ASSERT_FALSE(golden.empty()) << path;
  EXPECT_EQ(file, golden) << "packs to other bytes than format version " << kCacheFileVersion
                          << " did";
  EXPECT_NO_THROW(read_all(golden));
}

class Hostile : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Hostile, EveryTruncation) {
  const auto file = small_file(kSmallSpecs[GetParam()]);
  ASSERT_NO_THROW(read_all(file));
  for (std::size_t length = 0; length < file.size(); ++length) {
    auto cut = std::make_unique<std::byte[]>(length);
    std::copy_n(file.begin(), length, cut.get());
    ASSERT_THROW(CacheReader(std::span<const std::byte>(cut.get(), length)), CorruptStream)
        << length;
  }
  auto longer = file;
  longer.push_back(std::byte{0});
  EXPECT_THROW(read_all(longer), CorruptStream);
}

TEST_P(Hostile, EveryFlippedByte) {
  auto file = small_file(kSmallSpecs[GetParam()]);
  const CacheReader reader(file);
  const CacheCodecs codecs = reader.codecs(&small_profile());
  const std::vector<CacheBlock> blocks = reader.blocks();
  const std::size_t begin = blocks.front().offset;
  const Random random(5);
  for (std::size_t at = 0; at < file.size(); ++at) {
    const auto flip = static_cast<std::byte>(1u << random.bits(at) % 8);
    file[at] ^= flip;
    if (at < begin) {
      ASSERT_THROW(CacheReader(std::span<const std::byte>(file)), CorruptStream) << at;
    } else {  // the head is as it was: the block that is damaged says so
      for (const CacheBlock& block : blocks) {
        if (at < block.offset || at >= block.offset + block.bytes) continue;
        KvCache cache = reader.make_cache();
        ASSERT_THROW(reader.restore(block, codecs, cache), CorruptStream) << at;
      }
    }
    file[at] ^= flip;
  }
}

// Whoever forges the checksum of a head gets an error, or a cache of finite values.
TEST_P(Hostile, ChangedHeadsUnderAFittingChecksum) {
  const auto file = small_file(kSmallSpecs[GetParam()]);
  const std::size_t begin = CacheReader(file).blocks().front().offset;
  const Random random(6);
  std::size_t refused = 0;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    auto bad = file;
    for (std::uint64_t k = 0; k <= trial % 3; ++k) {
      const std::uint64_t draw = random.bits(8 * trial + 2 * k);
      const std::size_t range = trial % 2 == 0 ? 72 : begin - 4;
      bad[draw % range] = static_cast<std::byte>(random.bits(8 * trial + 2 * k + 1));
    }
    std::uint32_t head_bytes;
    std::memcpy(&head_bytes, bad.data() + 8, 4);
    if (head_bytes >= 76 && head_bytes <= bad.size()) seal_head(bad);
    try {
      const KvCache cache = read_all(bad);
      for (int layer = 0; layer < cache.layers(); ++layer) {
        for (const std::uint16_t value : cache.patterns({layer, Part::key})) {
          ASSERT_NE(value & 0x7f80, 0x7f80);
        }
      }
    } catch (const CorruptStream&) {
      ++refused;
    } catch (const InputError&) {  // a profile that is not there
      ++refused;
    }
  }
  EXPECT_GT(refused, 300u);
}

INSTANTIATE_TEST_SUITE_P(Caches, Hostile, ::testing::Range<std::size_t>(0, kSmallSpecs.size()));

// A head with other facts or blocks, its checksum made to fit.
class ForgedHead : public ::testing::Test {
 protected:
  ForgedHead() : file_(small_file(kSmallSpecs[1])), head_(read_cache_head(file_)) {}

  // What reading says when `change` has been applied to the head and the blocks stay.
  template <typename Change>
  std::string refusal(const Change& change) const {
    CacheHead forged = head_;
    change(forged);
    std::vector<std::byte> bytes;
    try {
      const std::size_t begin = head_.blocks.front().offset;
      bytes = write_cache_head(forged);
      bytes.insert(bytes.end(), file_.begin() + static_cast<std::ptrdiff_t>(begin), file_.end());
      const std::uint64_t length = bytes.size();
      std::memcpy(bytes.data() + 16, &length, 8);
      seal_head(bytes);
      CacheReader reader(bytes);
    } catch (const CorruptStream& error) {
      return error.what();
    }
    return "taken";
  }

  void expect_refused(const std::string& words, const std::string& why) const {
    EXPECT_NE(why.find(words), std::string::npos) << why << "; expected " << words;
  }

  std::vector<std::byte> file_;
  CacheHead head_;
};

TEST_F(ForgedHead, BlocksThatDoNotHoldTheCacheOnce) {
  EXPECT_EQ(refusal([](CacheHead&) {}), "taken");
  expect_refused("bytes after its blocks", refusal([](CacheHead& h) { h.blocks.pop_back(); }));
  expect_refused("does not follow", refusal([](CacheHead& h) { h.blocks.push_back(h.blocks[0]); }));
  expect_refused("held twice",
                 refusal([](CacheHead& h) { h.blocks[1].exact = h.blocks[0].exact; }));
  expect_refused("held twice", refusal([](CacheHead& h) { h.blocks.back().place.site->head = 0; }));
  expect_refused("a frame of a skipped layer", refusal([](CacheHead& h) {
                   h.blocks.back().place.layers.first = 0;
                   h.blocks.back().place.site->layer = 0;
                 }));
  expect_refused("not there", refusal([](CacheHead& h) { h.blocks.back().place.site->head = 2; }));
  expect_refused("not there",
                 refusal([](CacheHead& h) { h.blocks.back().place.tokens.first = 40; }));
  expect_refused("not there",
                 refusal([](CacheHead& h) { h.blocks.back().place.tokens.count = 0; }));
  expect_refused("values", refusal([](CacheHead& h) { h.blocks.back().place.tokens.count = 20; }));
}

TEST_F(ForgedHead, FactsThatCannotBe) {
  expect_refused("too short",
                 refusal([](CacheHead& h) { h.facts.extent.shape.head_dim = 1 << 20; }));
  expect_refused("too short", refusal([](CacheHead& h) { h.facts.extent.shape.kv_heads = 60000; }));
  expect_refused("head_dim 0", refusal([](CacheHead& h) { h.facts.extent.shape.head_dim = 0; }));
  expect_refused("leave no layer",
                 refusal([](CacheHead& h) { h.facts.extent.policy.skipped_layers = 3; }));
  expect_refused("leave no token", refusal([](CacheHead& h) { h.facts.extent.policy.sinks = 41; }));
  expect_refused("not JSON", refusal([](CacheHead& h) { h.facts.codecs.keys = "{"; }));
  expect_refused("but its plan skips 0", refusal([](CacheHead& h) {
                   h.facts.codecs.keys = R"({"kakeya_plan": 1, "default": "fp8"})";
                 }));
  expect_refused("RoPE base", refusal([](CacheHead& h) { h.facts.rope_base = NAN; }));
  expect_refused("in no block", refusal([](CacheHead& h) { h.facts.extent.shape.layers = 6; }));
  // As large as a file of this length could not be, whatever the numbers multiply to.
  expect_refused("too short", refusal([](CacheHead& h) {
                   h.facts.extent.shape.kv_heads = 65535;
                   h.facts.extent.shape.head_dim = 1 << 30;
                   h.facts.extent.shape.layers = 65535;
                 }));
}

TEST_F(ForgedHead, CodecsThatAreNotKnown) {
  const auto codecs_of = [&](const CodecPair& specs, const ProfileSource* profiles = nullptr) {
    auto bytes = file_;
    CacheHead forged = head_;
    forged.facts.codecs = specs;
    auto head = write_cache_head(forged);
    head.insert(head.end(),
                bytes.begin() + static_cast<std::ptrdiff_t>(head_.blocks.front().offset),
                bytes.end());
    return CacheReader(head).codecs(profiles);
  };
  EXPECT_NO_THROW(codecs_of({"e8:q=10", "tq:b=4"}));
  EXPECT_THROW(codecs_of({"e8:q=10,rule=bounded", "tq:b=4"}), CorruptStream);
  EXPECT_THROW(codecs_of({"nosuch", "tq:b=4"}), CorruptStream);
  EXPECT_THROW(codecs_of({"e8:q=10", ""}), CorruptStream);
  EXPECT_THROW(codecs_of({"klt:bits=3", "klt:bits=3"}), InputError);
  EXPECT_THROW(codecs_of({"klt:bits=3,scope=layer", "tq:b=4"}), InputError);
  // Of vectors of other lengths, in a longer name than any has, of whole tokens.
  const auto refusal_of = [&](const CodecPair& specs) -> std::string {
    try {
      codecs_of(specs, &small_profile());
    } catch (const CorruptStream& error) {
      return error.what();
    }
    return "taken";
  };
  expect_refused("not of: q4_0", refusal_of({"q4_0", "q4_0"}));
  expect_refused("in 257 bytes", refusal_of({"e8:q=" + std::string(250, '0') + "10", "tq:b=4"}));
  expect_refused("a frame of one head, but klt",
                 refusal_of(small_codecs(kSmallSpecs[4]).canonical()));
  // Frames of other codecs than the file says.
  WorkerPool pool(1);
  const CacheReader reader(file_);
  EXPECT_THROW(reader.restore_all(codecs_of({"tq:b=4", "e8:q=10"}), pool), CorruptStream);
  EXPECT_THROW(reader.restore_all(small_codecs(kSmallSpecs[4]), pool), CorruptStream);
}

TEST_F(ForgedHead, OtherFiles) {
  EXPECT_TRUE(is_cache_file(file_));
  EXPECT_FALSE(is_cache_file(std::span(file_).first(3)));
  auto other = file_;
  other[4] = std::byte{2};
  seal_head(other);
  EXPECT_THROW(CacheReader{other}, CorruptStream);
  other = file_;
  other[6] = std::byte{2};
  seal_head(other);
  EXPECT_THROW(CacheReader{other}, CorruptStream);
  other[0] = std::byte{'X'};
  EXPECT_FALSE(is_cache_file(other));
  EXPECT_THROW(CacheReader{other}, CorruptStream);
}

}  // namespace
}  // namespace kakeya
