// SPDX-License-Identifier: Apache-2.0
// What parse_profile() promises of memory, of files that are whole and of files that lie.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

#include "fuzz/allocation.h"
#include "fuzz/profile_target.h"
#include "kakeya/bitstream/crc32c.h"
#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "kakeya/profile/profile_file.h"
#include "support/made_int8.h"
#include "support/made_kvtc.h"
#include "support/made_profile.h"

namespace kakeya::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

// Many small sites, few large ones, heads without whole layers, and kvtc.
std::vector<Bytes> files() {
  std::vector<Bytes> files;
  for (const auto& [dim, layers, heads] : {std::array{8, 12, 3}, std::array{64, 1, 1}}) {
    for (const bool int8 : {false, true}) {
      Profile profile = test::made_profile(static_cast<std::size_t>(dim), layers, heads);
      if (int8) test::round_matrices(profile);
      files.push_back(flat_profile(profile));
      profile.layer_transforms.clear();
      profile.layer_octaves.clear();
      files.push_back(flat_profile(profile));
    }
  }
  files.push_back(flat_profile(test::made_kvtc_profile(8, 4, 2)));
  return files;
}

// True when it was read.
bool within_bound(const Bytes& file) {
  const std::size_t before = allocated_bytes();
  bool read = true;
  try {
    parse_profile(file);
  } catch (const CorruptStream&) {
    read = false;
  }
  EXPECT_LE(allocated_bytes() - before, profile_memory_limit(file.size()));
  return read;
}

TEST(ProfileMemory, IsBoundedByTheFile) {
  const Random random(3);
  std::size_t number = 0, refused = 0;
  for (const Bytes& file : files()) {
    EXPECT_TRUE(within_bound(file)) << file.size();
    for (std::size_t at = 4; at < 900; ++at) {  // the fields before the first large array
      Bytes bad = file;
      bad[at] = static_cast<std::byte>(random.bits(number++));
      const std::uint64_t length = bad.size();
      std::memcpy(bad.data() + 8, &length, sizeof length);
      const std::uint32_t checksum = crc32c(std::span(bad).first(bad.size() - 4));
      std::memcpy(bad.data() + bad.size() - 4, &checksum, sizeof checksum);
      refused += within_bound(bad) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 200u);
}

}  // namespace
}  // namespace kakeya::fuzz
