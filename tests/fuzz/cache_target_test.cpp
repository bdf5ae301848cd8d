// SPDX-License-Identifier: Apache-2.0
// The target "cache" gets behind what a file is checked by, and holds a reader to its limits.
#include "fuzz/cache_target.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "fuzz/cache_seeds.h"
#include "fuzz/mending.h"
#include "kakeya/bitstream/frame.h"
#include "kakeya/cache/cache_file.h"
#include "kakeya/cache/cache_reader.h"
#include "kakeya/core/error.h"

namespace kakeya::fuzz {
namespace {

std::vector<std::byte> file_of(const std::vector<std::uint8_t>& seed) {
  const auto bytes = std::as_bytes(std::span(seed));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> mended(std::vector<std::byte> file) {
  mend_cache_file(file, cache_pairs());
  return file;
}

TEST(CacheMending, LeavesWholeFilesAsTheyAre) {
  for (const auto& seed : cache_seeds()) {
    auto file = file_of(seed);
    EXPECT_EQ(mended(file), file);
    file[0] = std::byte{'k'};
    EXPECT_EQ(mended(file), file_of(seed));
    file[0] = std::byte{0};
    EXPECT_EQ(mended(file), file_of(seed));
  }
}

// Version, lengths, offsets and every checksum destroyed.
TEST(CacheMending, MakesLengthsAndChecksumsFit) {
  for (const auto& seed : cache_seeds()) {
    const auto file = file_of(seed);
    const CacheHead head = read_cache_head(file);
    auto bad = file;
    const std::size_t begin = head.blocks.front().offset;
    for (const std::size_t at : {std::size_t{4}, std::size_t{8}, std::size_t{17}, begin - 2}) {
      bad[at] ^= std::byte{0x55};
    }
    for (std::size_t i = 0; i < head.blocks.size(); ++i) {
      const CacheBlock& block = head.blocks[i];
      bad[begin - 4 - (head.blocks.size() - i) * kEntryBytes + 16] ^= std::byte{0x55};  // offset
      bad[block.offset + block.bytes - 1] ^= std::byte{0x55};
      if (!block.exact) bad[block.offset + 25] ^= std::byte{0x55};  // length of a frame
    }
    EXPECT_THROW(read_cache_head(bad), CorruptStream);
    EXPECT_EQ(mended(bad), file);
    bad[0] = std::byte{'x'};
    EXPECT_THROW(read_cache_head(mended(bad)), CorruptStream);
  }
}

TEST(CacheMending, LeavesTheTableWhereItIsAskedTo) {
  const auto file = file_of(cache_seeds().front());
  const CacheHead head = read_cache_head(file);
  auto bad = file;
  bad[0] = std::byte{'k'};
  bad[head.blocks.front().offset - 4 - kEntryBytes + 16] ^= std::byte{1};  // the last offset
  bad[head.blocks.front().offset - 1] ^= std::byte{1};
  try {
    read_cache_head(mended(bad));
    FAIL() << "taken";
  } catch (const CorruptStream& error) {
    EXPECT_NE(std::string(error.what()).find("does not follow"), std::string::npos) << error.what();
  }
}

TEST(CacheMending, NamesOtherCodecs) {
  const auto file = file_of(cache_seeds().front());
  for (std::size_t pair = 0; pair < cache_pairs().size(); ++pair) {
    auto other = file;
    other[5] = static_cast<std::byte>(pair + 1);
    EXPECT_EQ(read_cache_head(mended(other)).facts.codecs, cache_pairs()[pair]);
  }
}

TEST(CacheMending, TakesWhatIsNoFile) {
  const auto file = file_of(cache_seeds().front());
  for (std::size_t length = 0; length < file.size(); ++length) {
    std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_NO_THROW(read_checked(mended(cut))) << length;
    for (const std::size_t at : {8, 12, 36, 72}) {  // lengths and counts as large as can be
      if (at + 2 > length) continue;
      auto huge = cut;
      std::memset(huge.data() + at, 0xff, 2);
      EXPECT_NO_THROW(read_checked(mended(huge))) << length << ", " << at;
    }
  }
}

// A cache of one token, of one layer of `heads` heads of one channel, in these blocks of zeros.
std::vector<std::byte> wide_file(const std::string& codecs, std::size_t heads,
                                 std::vector<CacheBlock> blocks) {
  CacheHead head;
  head.facts.codecs = {codecs, codecs};
  head.facts.extent = {{1, static_cast<int>(heads), 0, 1}, 1, {1, 0, 0, 0}};
  head.token_ids = {7};
  head.blocks = std::move(blocks);
  auto file = write_cache_head(head);
  file.resize(head.blocks.back().offset + head.blocks.back().bytes);
  return file;
}

// Codecs of single heads that differ between keys and values are made one a head, of which a file
// may say that it has more than bytes.
TEST(CacheTarget, ManyHeadsInFewBytesTakeLittleMemory) {
  constexpr std::size_t kHeads = 60000;
  CacheBlock whole;
  whole.place.layers = {0, 1};
  whole.place.tokens = {0, 1};
  whole.bytes = 2 * kHeads / 32;
  const auto tokens = wide_file("kivi:b=4", kHeads, {whole});
  const CacheReader reader(tokens);
  EXPECT_THROW(reader.codecs(nullptr), CorruptStream);
  EXPECT_FALSE(read_checked(tokens));

  CacheBlock keys = whole;
  keys.exact = KvSite{0, Part::key};
  keys.bytes = 2 * kHeads + kBlockChecksumBytes;
  CacheBlock values = keys;
  values.exact = KvSite{0, Part::value};
  const auto exact = wide_file("kivi:b=4", kHeads, {keys, values});
  EXPECT_NO_THROW(CacheReader(exact).codecs(nullptr));
  EXPECT_NO_THROW(read_checked(exact));
}

}  // namespace
}  // namespace kakeya::fuzz
