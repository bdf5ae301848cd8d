// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/shard.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

#include "kakeya/core/error.h"
#include "kakeya/store/result_store.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;

TEST(Shard, IsReadFromText) {
  EXPECT_EQ(parse_shard("2/8"), (Shard{2, 8}));
  EXPECT_TRUE(parse_shard("1/1").whole());
  EXPECT_EQ(parse_shard("2/8").text(), "2/8");
  for (const char* wrong : {"", "1", "0/2", "3/2", "-1/2", "1/2/3", "1 /2", "a/b", "1/100001"}) {
    EXPECT_NE(message_of<SpecError>([&] { parse_shard(wrong); }).find("expected I/N"),
              std::string::npos)
        << wrong;
  }
}

TEST(Shard, NamesItsFiles) {
  EXPECT_EQ(Shard{}.file_name("samples", ".jsonl"), "samples.jsonl");
  EXPECT_EQ((Shard{2, 8}.file_name("samples", ".jsonl")), "samples.2-of-8.jsonl");
  EXPECT_EQ(shard_of_file("samples.2-of-8.jsonl", "samples", ".jsonl"), (Shard{2, 8}));
  for (const char* other : {"samples.jsonl", "samples.2-of-8.jsonl.part", "samples.9-of-8.jsonl",
                            "samples.1-of-1.jsonl", "failures.2-of-8.jsonl", "samples.x.jsonl"}) {
    EXPECT_EQ(shard_of_file(other, "samples", ".jsonl"), std::nullopt) << other;
  }
}

// Half-done folders rely on it: SHA-256 of "e8:q=10\nfp8\ninforward" begins with 2ff08287c1f68378.
TEST(Shard, ACellHasOneForEver) {
  const CellKey cell{"e8:q=10", "fp8", 3, "inforward"};
  for (const int count : {2, 3, 8, 1000}) {
    const auto expected =
        static_cast<int>((0x2ff08287c1f68378UL % static_cast<std::uint64_t>(count) + 3) %
                         static_cast<std::uint64_t>(count)) +
        1;
    for (int index = 1; index <= count; ++index) {
      EXPECT_EQ((Shard{index, count}.has(cell)), index == expected) << index << "/" << count;
    }
  }
}

// Of every codec as many passages as the others, but for one: a slow codec burdens all alike.
TEST(Shard, EachHasItsShareOfEachCodec) {
  std::map<int, int> all;
  for (int q = 0; q < 100; ++q) {
    const std::string codec = "e8:q=" + std::to_string(q);
    std::map<int, int> cells;
    for (int passage = 32; passage < 69; ++passage) {
      int owners = 0;
      for (int index = 1; index <= 8; ++index) {
        if (!Shard{index, 8}.has({codec, codec, passage, "inforward"})) continue;
        ++owners;
        ++cells[index];
        ++all[index];
      }
      ASSERT_EQ(owners, 1);
    }
    for (int index = 1; index <= 8; ++index) {
      EXPECT_GE(cells[index], 37 / 8) << codec << " " << index;
      EXPECT_LE(cells[index], 37 / 8 + 1) << codec << " " << index;
    }
  }
  for (int index = 1; index <= 8; ++index) EXPECT_NEAR(all[index], 100 * 37 / 8, 20) << index;
}

}  // namespace
}  // namespace kakeya
