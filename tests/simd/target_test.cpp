// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/core/error.h"
#include "simd/targets.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

TEST(SimdTargets, TheLastOneIsPortableAndTheFirstIsInUse) {
  const auto names = simd_targets();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.back(), "portable");
  EXPECT_EQ(simd_target(), names.front());
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

TEST(SimdTargets, EachCanBeChosen) {
  testing::on_every_target([](const std::string& name) { EXPECT_EQ(simd_target(), name); });
}

TEST(SimdTargets, AnUnknownNameIsRefusedAndChangesNothing) {
  const std::string before = simd_target();
  const std::string message = testing::message_of<InputError>([] { use_simd_target("AVX9000"); });
  EXPECT_NE(message.find("AVX9000"), std::string::npos) << message;
  EXPECT_NE(message.find("portable"), std::string::npos) << message;
  EXPECT_EQ(simd_target(), before);
}

}  // namespace
}  // namespace kakeya
