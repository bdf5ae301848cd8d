// SPDX-License-Identifier: Apache-2.0
#include "kakeya/cache/kv_cache.h"

#include <gtest/gtest.h>

#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya {
namespace {

constexpr int kLayers = 3;
constexpr std::size_t kTokens = 20, kHeads = 2, kDim = 8, kPart = kHeads * kDim;
constexpr KvSite kSite{2, Part::key};

// Value i of the part is i, exact in bf16 below 256, and then to the nearest.
KvCache counted() {
  std::vector<float> part(kTokens * kPart);
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<float>(i);
  KvCache cache(kLayers, kTokens, kHeads, kDim);
  cache.store(kSite, part);
  return cache;
}

float bf16(float value) { return bfloat16_to_float(float_to_bfloat16(value)); }

TEST(KvCache, RowsAreTokensOfSomeChannels) {
  KvCache cache = counted();
  EXPECT_EQ(cache.layers(), kLayers);
  std::vector<float> rows(5 * 40, -1.0f);
  cache.load_rows(kSite, 12, 4, {rows.data() + 3, 5, 6, 40});
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t i = 0; i < 40; ++i) {
      const bool inside = i >= 3 && i < 9;
      const float value = bf16(static_cast<float>((12 + row) * kPart + 4 + i - 3));
      ASSERT_EQ(rows[row * 40 + i], inside ? value : -1.0f);
    }
  }
  rows.assign(rows.size(), 0.3f);
  cache.store_rows(kSite, 10, 8, {rows.data(), 2, 8, 40});
  std::vector<float> part(kTokens * kPart);
  cache.load(kSite, kTokens, part);
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool stored = (i / kPart == 10 || i / kPart == 11) && i % kPart >= 8;
    ASSERT_EQ(part[i], stored ? bf16(0.3f) : bf16(static_cast<float>(i)));
  }
  rows[0] = std::numeric_limits<float>::lowest();
  cache.store_rows(kSite, 10, 8, {rows.data(), 1, 1, 1});
  EXPECT_EQ(cache.patterns(kSite)[10 * kPart + 8], 0xff7f);  // the largest bf16, not infinity
  EXPECT_EQ(cache.patterns(kSite)[5], float_to_bfloat16(5.0f));
  cache.writable_patterns(kSite)[5] = float_to_bfloat16(7.0f);
  cache.load(kSite, 1, part);
  EXPECT_EQ(part[5], 7.0f);
}

TEST(KvCache, WhatIsNotThereIsRefused) {
  KvCache cache = counted();
  std::vector<float> values(40 * kPart);
  const auto rows = [&](std::size_t count, std::size_t dim) {
    return Rows<float>{values.data(), count, dim, kPart};
  };
  EXPECT_NO_THROW(cache.load_rows(kSite, 15, 0, rows(5, kPart)));
  EXPECT_THROW(cache.load_rows(kSite, 16, 0, rows(5, kPart)), InputError);
  EXPECT_THROW(cache.load_rows(kSite, kTokens + 1, 0, rows(0, kPart)), InputError);
  EXPECT_THROW(cache.load_rows(kSite, 0, 1, rows(5, kPart)), InputError);
  EXPECT_THROW(cache.load_rows(kSite, 0, kPart + 1, rows(5, 0)), InputError);
  EXPECT_THROW(cache.store_rows({kLayers, Part::key}, 0, 0, rows(5, kPart)), InputError);
  EXPECT_THROW(cache.store_rows({2, Part::query}, 0, 0, rows(5, kPart)), InputError);
  EXPECT_THROW(cache.store_rows({2, Part::value}, 0, 0, rows(5, kPart)), InputError);  // not stored
  EXPECT_THROW(cache.patterns({2, Part::value}), InputError);
  EXPECT_EQ(cache.writable_patterns({2, Part::value}).size(), kTokens * kPart);
  EXPECT_NO_THROW(cache.store_rows({2, Part::value}, 0, 0, rows(5, kPart)));
}

}  // namespace
}  // namespace kakeya
