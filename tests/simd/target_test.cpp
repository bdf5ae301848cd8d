// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "kakeya/core/error.h"
#include "kakeya/core/extension.h"
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

// The loops of room bitstream go with the kernels: "portable" runs none that needs more than the
// first x86-64, and the best has all there is.
TEST(SimdTargets, OtherRoomsHaveNoMoreThanTheTarget) {
  const Extension best = extension_in_use();
  testing::on_every_target([&](const std::string& name) {
    const Extension most = name == "portable" || name == "SSE2" || name == "SSSE3" ? Extension::none
                           : name == "SSE4" ? Extension::sse42
                           : name == "AVX2" ? std::min(best, Extension::avx2)
                                            : best;
    EXPECT_EQ(extension_in_use(), most) << name;
  });
  limit_extensions(kLastExtension);
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
