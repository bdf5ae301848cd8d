// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/exact_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>

#include "codecs/vectors_for_test.h"
#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using namespace test;

constexpr std::size_t kDim = 8;

// Records of these vectors; vector v holds v, v + 1, ...
std::vector<std::byte> section_with(std::span<const std::size_t> vectors) {
  std::vector<std::byte> section;
  for (const std::size_t vector : vectors) {
    float x[kDim];
    for (std::size_t i = 0; i < kDim; ++i) x[i] = static_cast<float>(vector + i);
    append_exact(section, vector, x);
  }
  return section;
}

template <typename Work>
double least_seconds(const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    least = std::min(least, seconds.count());
  }
  return least;
}

TEST(ExactVectors, EachPageGetsItsOwnAndNothingElse) {
  const std::size_t vectors[] = {0, 3, 31, 32, 63, 64, 65, 99};
  const auto section = section_with(vectors);
  check_exact(section, kDim, 100, "test");
  for (const std::size_t page : {1u, 7u, 32u, 33u, 100u}) {
    for (std::size_t first = 0; first < 100; first += page) {
      const std::size_t count = std::min<std::size_t>(page, 100 - first);
      std::vector<float> out(count * kDim, -1.0f);
      restore_exact(section, first, dense_rows(out.data(), count, kDim));
      for (std::size_t r = 0; r < count; ++r) {
        const bool kept = std::count(std::begin(vectors), std::end(vectors), first + r) != 0;
        for (std::size_t i = 0; i < kDim; ++i) {
          ASSERT_EQ(out[r * kDim + i], kept ? static_cast<float>(first + r + i) : -1.0f);
        }
      }
    }
  }
}

TEST(ExactVectors, AsBfloat16InHalfTheBytes) {
  const float x[kDim] = {1.0f,
                         -0.0f,
                         3.14159f,
                         1e-41f,
                         std::numeric_limits<float>::max(),
                         -std::numeric_limits<float>::max(),
                         65504.0f,
                         -1e30f};
  std::vector<std::byte> section;
  for (const std::size_t vector : {2u, 5u}) append_exact(section, vector, x, KeptAs::bfloat16);
  ASSERT_EQ(section.size(), 2 * (4 + 2 * kDim));
  check_exact(section, kDim, 6, "test", KeptAs::bfloat16);
  EXPECT_EQ(exact_places(section, kDim, 0, 6, KeptAs::bfloat16), (std::vector<std::size_t>{2, 5}));
  EXPECT_EQ(exact_places(section, kDim, 2, 3, KeptAs::bfloat16), (std::vector<std::size_t>{0}));
  EXPECT_EQ(exact_places(section, kDim, 3, 2, KeptAs::bfloat16), (std::vector<std::size_t>{}));
  float out[2 * kDim], rounded[kDim];
  std::fill_n(out, 2 * kDim, -7.0f);
  restore_exact(section, 4, dense_rows(out, 2, kDim), KeptAs::bfloat16);
  round_to_bfloat16(x, rounded);
  for (std::size_t i = 0; i < kDim; ++i) {
    EXPECT_EQ(out[i], -7.0f);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(out[kDim + i]),
              std::bit_cast<std::uint32_t>(rounded[i]));
    EXPECT_TRUE(std::isfinite(rounded[i]));
  }
  const std::uint16_t infinity = 0x7f80;
  std::memcpy(section.data() + section.size() - 2, &infinity, 2);
  EXPECT_THROW(check_exact(section, kDim, 6, "test", KeptAs::bfloat16), CorruptStream);
}

// A frame may keep every vector exactly. All pages together then take a few times what checking the
// records once takes, not that for every page.
TEST(ExactVectors, PagesOfManyRecordsTakeLinearTime) {
  const std::size_t count = 1 << 17, page = 32;
  std::vector<std::size_t> vectors(count);
  for (std::size_t i = 0; i < count; ++i) vectors[i] = i;
  const auto section = section_with(vectors);
  std::vector<float> out(count * kDim);
  const double checking = least_seconds([&] { check_exact(section, kDim, count, "test"); });
  const double restoring = least_seconds([&] {
    for (std::size_t first = 0; first < count; first += page) {
      restore_exact(section, first, dense_rows(out.data() + first * kDim, page, kDim));
    }
  });
  EXPECT_LT(restoring, 40 * checking);
  EXPECT_EQ(out.back(), static_cast<float>(count - 1 + kDim - 1));
}

TEST(ExactVectors, SectionsThatAreNotWholeAscendingAndFiniteAreRefused) {
  const std::size_t good[] = {1, 2, 5}, twice[] = {1, 1}, descending[] = {2, 1};
  EXPECT_NO_THROW(check_exact(section_with(good), kDim, 6, "test"));
  EXPECT_THROW(check_exact(section_with(good), kDim, 5, "test"), CorruptStream);
  EXPECT_THROW(check_exact(section_with(twice), kDim, 6, "test"), CorruptStream);
  EXPECT_THROW(check_exact(section_with(descending), kDim, 6, "test"), CorruptStream);
  auto section = section_with(good);
  section.pop_back();
  EXPECT_THROW(check_exact(section, kDim, 6, "test"), CorruptStream);
  section = section_with(good);
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(section.data() + section.size() - 4, &infinity, 4);
  EXPECT_THROW(check_exact(section, kDim, 6, "test"), CorruptStream);
}

// Records have 32 bits for the number: a larger one must not come back as another vector.
TEST(ExactVectors, NumbersOfMoreThan32BitsAreRefused) {
  const std::size_t last = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::byte> section;
  const float x[kDim] = {1, 2, 3, 4, 5, 6, 7, 8};
  append_exact(section, last, x);
  check_exact(section, kDim, last + 1, "test");
  try {
    append_exact(section, last + 1, x);
    ADD_FAILURE() << "vector 4294967296 was taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "vector 4294967296: to be kept exactly, expected a number up to 4294967295");
  }
  EXPECT_EQ(section.size(), exact_bytes(kDim));
}

}  // namespace
}  // namespace kakeya
