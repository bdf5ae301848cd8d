// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codecs/kvtc/kvtc_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "kakeya/core/error.h"
#include "kakeya/core/random.h"
#include "support/made_kvtc.h"

namespace kakeya {
namespace {

// Tables of random numbers that fall with bits as errors do in life.
KvtcProfile with_errors(std::size_t rank, std::uint64_t seed) {
  KvtcProfile profile = test::made_kvtc_profile(128, 1, 1, rank);
  const Random random(seed);
  std::uint64_t at = 0;
  for (KvtcPart& part : profile.parts) {
    const auto fill = [&](double* errors, std::size_t types, double variance) {
      double error = variance * 1000 + static_cast<double>(random.bits(at++) % 400);
      if (types == kKvtcStoredTypes) error /= 3;
      for (std::size_t type = 0; type < types; ++type) {
        errors[type] = std::floor(error);
        error /= 2 + static_cast<double>(random.bits(at++) % 8);
      }
    };
    for (std::size_t k = 0; k < rank; ++k) {
      fill(&part.single_errors[k * kKvtcTypes], kKvtcTypes, static_cast<double>(rank - k));
    }
    for (std::size_t g = 0; g < profile.group_starts() * kKvtcLargerSizes; ++g) {
      const std::size_t first = g / kKvtcLargerSizes * kKvtcStride,
                        count = std::min(kKvtcSizes[g % kKvtcLargerSizes + 1], rank - first);
      fill(&part.group_errors[g * kKvtcStoredTypes], kKvtcStoredTypes,
           static_cast<double>(count) *
               (static_cast<double>(rank - first) - static_cast<double>(count) / 2));
    }
  }
  return profile;
}

// Every plan there is of one part, by trying: calls visit(groups). Groups of 1 have one of the
// first `single_types` types.
void each_plan(std::size_t rank, std::size_t single_types, std::size_t first,
               std::vector<KvtcGroup>& groups, const std::function<void()>& visit) {
  if (first == rank) return visit();
  for (std::size_t size = 0; size < std::size(kKvtcSizes); ++size) {
    const std::size_t count = std::min(kKvtcSizes[size], rank - first);
    if (size > 0 && (first % kKvtcStride != 0 || count <= kKvtcSizes[size - 1])) continue;
    for (std::size_t type = size == 0 ? 0 : 1; type < (size == 0 ? single_types : kKvtcTypes);
         ++type) {
      if (type != 0) groups.push_back({first, count, static_cast<KvtcType>(type)});
      each_plan(rank, single_types, first + count, groups, visit);
      if (type != 0) groups.pop_back();
    }
  }
}

void expect_best(const KvtcProfile& profile, std::size_t single_types,
                 std::initializer_list<std::size_t> budgets) {
  const std::size_t most = *std::max_element(budgets.begin(), budgets.end());
  const double nothing = plan_error(profile, {});
  // How much of the error of an empty plan each part can save with every number of bits.
  std::vector<double> saved[2];
  for (std::size_t p = 0; p < 2; ++p) {
    saved[p].assign(most + 1, -std::numeric_limits<double>::infinity());
    KvtcPlan plan;
    each_plan(profile.rank, single_types, 0, plan[p], [&] {
      const std::size_t bits = plan_bits(plan);
      if (bits > most) return;
      saved[p][bits] = std::max(saved[p][bits], nothing - plan_error(profile, plan));
    });
  }
  for (const std::size_t bits : budgets) {
    double best = 0;
    for (std::size_t k = 0; k <= bits; ++k) {
      for (std::size_t v = 0; k + v <= bits; ++v) best = std::max(best, saved[0][k] + saved[1][v]);
    }
    const KvtcPlan plan = plan_kvtc(profile, bits);
    EXPECT_LE(plan_bits(plan), bits);
    EXPECT_NEAR(plan_error(profile, plan), nothing - best, 1e-12) << profile.rank << ", " << bits;
  }
}

TEST(KvtcPlan, IsTheBestOfAll) {
  for (const std::size_t rank : {1u, 4u, 5u}) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      expect_best(with_errors(rank, seed), kKvtcTypes, {0, 16, 18, 40, 57, 72, 120, 240});
    }
  }
}

// Groups of 16, 64 and what the end leaves of 64 and 256, beside components that are not stored.
TEST(KvtcPlan, IsTheBestOfLargerGroups) {
  for (const std::size_t rank : {16u, 17u, 40u, 80u, 90u}) {
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      KvtcProfile profile = with_errors(rank, seed);
      for (KvtcPart& part : profile.parts) {
        for (std::size_t i = 0; i < part.single_errors.size(); ++i) {
          if (i % kKvtcTypes != 0) part.single_errors[i] = part.single_errors[i - 1];
        }
      }
      expect_best(profile, 1, {48, 79, 80, 144, 200, 330, 500});
    }
  }
}

TEST(KvtcPlan, BytesThereAndBack) {
  for (const std::size_t rank : {1u, 15u, 16u, 31u, 32u}) {
    const KvtcProfile profile = test::made_kvtc_profile(32, 1, 1, rank);
    for (std::size_t bits = 0; bits < 40 * rank; bits += 7) {
      const KvtcPlan plan = plan_kvtc(profile, bits);
      const auto bytes = plan_to_bytes(plan, rank);
      EXPECT_EQ(plan_from_bytes(bytes, rank, "x"), plan) << rank << " " << bits;
      EXPECT_EQ(plan, plan_kvtc(profile, bits));
      for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_THROW(plan_from_bytes(std::span(bytes).first(length), rank, "x"), CorruptStream);
      }
    }
  }
  const KvtcPlan cut{{{{0, 16, KvtcType::int4}, {16, 4, KvtcType::int2}}, {{3, 1, KvtcType::fp8}}}};
  EXPECT_EQ(plan_from_bytes(plan_to_bytes(cut, 20), 20, "x"), cut);
  // For more components, the same bytes would mean a whole group.
  EXPECT_NE(plan_from_bytes(plan_to_bytes(cut, 20), 32, "x"), cut);
  EXPECT_THROW(plan_from_bytes(plan_to_bytes(cut, 20), 16, "x"), CorruptStream);
}

TEST(KvtcPlan, OnlyOneSpellingOfAPlan) {
  const auto parse = [](std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return plan_from_bytes(bytes, 64, "x");
  };
  EXPECT_EQ(parse({1, 0, 10, 2, 0, 0, 0})[0].size(), 2u);                // twice 16 of int4
  EXPECT_THROW(parse({2, 0, 10, 1, 0, 10, 1, 0, 0, 0}), CorruptStream);  // not one entry
  EXPECT_THROW(parse({2, 0, 10, 1, 0, 0, 5, 0, 0, 0}), CorruptStream);   // nothing, at the end
  EXPECT_THROW(parse({1, 0, 10, 0, 0, 0, 0}), CorruptStream);            // no times
  EXPECT_THROW(parse({1, 0, 10, 5, 0, 0, 0}), CorruptStream);            // beyond the end
  EXPECT_THROW(parse({1, 0, 18, 2, 0, 0, 0}), CorruptStream);            // the second of 64 too
  EXPECT_THROW(parse({1, 0, 26, 1, 0, 0, 0}), CorruptStream);            // 256, cut to 64
  EXPECT_THROW(parse({1, 0, 8, 1, 0, 0, 0}), CorruptStream);             // nothing, of 16
  EXPECT_THROW(parse({1, 0, 12, 1, 0, 0, 0}), CorruptStream);            // type 4
  EXPECT_THROW(parse({1, 0, 42, 1, 0, 0, 0}), CorruptStream);            // size 5
  EXPECT_THROW(parse({2, 0, 2, 1, 0, 10, 1, 0, 0, 0}), CorruptStream);   // 16 from 1 on
  EXPECT_THROW(parse({0, 0, 0, 0, 0}), CorruptStream);
}

}  // namespace
}  // namespace kakeya
