// SPDX-License-Identifier: Apache-2.0
// What restore_sequence() promises of memory, of files that are whole and of files that lie.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "fuzz/allocation.h"
#include "kakeya/cache/sequence_file.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/saved_sequence.h"

namespace kakeya::fuzz {
namespace {

constexpr std::size_t kDim = 16, kHeads = 2;

struct Setting {
  CodecPair specs;
  std::size_t page;
  std::vector<std::size_t> windows;
};
const Setting kSettings[] = {{{"ece8:bits=3,page=64", "e8:q=10"}, 128, {}},
                             {{"kivi:b=4,group=16", "kivi:b=4,group=16"}, 16, {}},
                             {{"ecz:bits=3,page=32", "ece8:bits=2,page=32"}, 32, {40, 0}},
                             {{"identity", "fp8"}, 128, {}}};

PackedCache cache_of(const Setting& setting) {
  const KvShape shape{2, static_cast<int>(kHeads), 0, static_cast<int>(kDim)};
  return {
      shape, {2, 0, 4, 16}, make_cache_codecs(setting.specs, {shape, 0, nullptr}), setting.windows};
}

// What the header says.
std::size_t limit(std::size_t file_bytes, const Setting& setting) {
  return 128 * file_bytes + 4 * kHeads * (64 * setting.page * kDim + 4096) + 65536;
}

// True when it was restored.
bool within_limit(const Setting& setting, const std::vector<std::byte>& file) {
  PackedCache cache = cache_of(setting);
  bool restored = true;
  std::size_t asked = 0;
  for (int i = 0; i < 2; ++i) {  // tables that are kept and shared: the second time alone counts
    const std::size_t before = allocated_bytes();
    try {
      restore_sequence(cache, file, {});
    } catch (const CorruptStream&) {
      restored = false;
    } catch (const InputError&) {
      restored = false;
    }
    asked = allocated_bytes() - before;
  }
  EXPECT_LE(asked, limit(file.size(), setting)) << setting.specs.keys << ", " << file.size();
  return restored;
}

std::vector<std::byte> file_of(const Setting& setting, std::size_t tokens) {
  PackedCache cache = cache_of(setting);
  const int sequence = cache.add_sequence();
  std::vector<float> values(tokens * kHeads * kDim);
  for (int layer = 0; layer < 2; ++layer) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(Random(3 + static_cast<std::uint64_t>(layer)).normal(i));
    }
    const auto rows = dense_rows<const float>(values.data(), tokens, kHeads * kDim);
    cache.append(sequence, layer, rows, rows);
  }
  return save_sequence(cache, sequence, {}, std::vector<std::int32_t>(tokens));
}

TEST(SequenceMemory, OfWholeFiles) {
  for (const Setting& setting : kSettings) {
    for (const std::size_t tokens : {0u, 10u, 300u, 3000u}) {
      EXPECT_TRUE(within_limit(setting, file_of(setting, tokens)));
    }
  }
}

// Lengths, counts and codes that are not true.
TEST(SequenceMemory, OfForgedFiles) {
  for (const Setting& setting : kSettings) {
    const std::vector<std::byte> file = file_of(setting, 300);
    const std::size_t begin = testing::lanes_begin(file);
    std::size_t refused = 0;
    for (std::uint64_t trial = 0; trial < 600; ++trial) {
      auto bad = file;
      const std::uint64_t draw = Random(4).bits(2 * trial), byte = Random(4).bits(2 * trial + 1);
      const std::size_t table = testing::lane_table_begin(file);
      const std::size_t at = trial % 2 == 0 ? table + draw % (begin - 4 - table)
                                            : begin + draw % (file.size() - begin);
      bad[at] = static_cast<std::byte>(byte);
      testing::seal_sequence(bad);
      refused += within_limit(setting, bad) ? 0 : 1;
      if (HasFailure()) FAIL() << trial;
    }
    EXPECT_GT(refused, 100u);
  }
}

}  // namespace
}  // namespace kakeya::fuzz
