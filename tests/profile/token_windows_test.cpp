// SPDX-License-Identifier: Apache-2.0
#include "kakeya/profile/token_windows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace kakeya {
namespace {

using Tokens = std::vector<std::int32_t>;

Tokens counted(std::int32_t first, std::size_t count) {
  Tokens tokens(count);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

// "foobar" is of the vectors published with the hash (Fowler, Noll, Vo).
TEST(TokenWindows, DigestIsThePublishedHash) {
  EXPECT_EQ(window_digest({}), 0xcbf29ce484222325);
  const Tokens one = {0x626f6f66};  // "foob"
  std::uint64_t expected = 0xcbf29ce484222325;
  for (const char letter : {'f', 'o', 'o', 'b'}) {
    expected = (expected ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  }
  EXPECT_EQ(window_digest(one), expected);
  for (const char letter : {'a', 'r'}) {
    expected = (expected ^ static_cast<unsigned char>(letter)) * 1099511628211u;
  }
  EXPECT_EQ(expected, 0x85944171f73967e8);
}

TEST(TokenWindows, WholeWindowsOfAPassage) {
  for (const std::size_t count : {0, 31, 32, 63, 64, 100}) {
    const Tokens tokens = counted(7, count);
    const auto digests = window_digests(tokens);
    ASSERT_EQ(digests.size(), count / kTokenWindow);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      EXPECT_EQ(digests[i],
                window_digest(std::span(tokens).subspan(i * kTokenWindow, kTokenWindow)));
    }
  }
}

// What two texts have in common is found wherever they were cut: 63 tokens always, 31 never.
TEST(TokenWindows, SharedTextIsFoundAtEveryOffset) {
  const Tokens read = counted(0, 500);
  const SeenTokens seen(window_digests(read));
  for (std::int32_t from = 0; from + 63 <= 480; ++from) {
    for (const std::size_t before : {0u, 1u, 40u}) {
      Tokens passage = counted(100000, before);
      const Tokens shared = counted(from, 63), after = counted(200000, 33);
      passage.insert(passage.end(), shared.begin(), shared.end());
      passage.insert(passage.end(), after.begin(), after.end());
      EXPECT_TRUE(seen.share(passage)) << from << " " << before;
    }
    EXPECT_FALSE(seen.share(counted(from, 31)));
  }
  EXPECT_FALSE(seen.share(counted(1000, 500)));
  EXPECT_FALSE(SeenTokens({}).share(read));
}

TEST(TokenWindows, OneOtherTokenInEveryWindowIsAnotherText) {
  const Tokens read = counted(0, 320);
  Tokens other = read;
  for (std::size_t i = 16; i < other.size(); i += 31) other[i] = -1;
  EXPECT_FALSE(SeenTokens(window_digests(read)).share(other));
}

}  // namespace
}  // namespace kakeya
