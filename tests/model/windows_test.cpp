// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/windows.h"

#include <gtest/gtest.h>

#include "kakeya/core/error.h"
#include "support/scratch_folder.h"

namespace kakeya {
namespace {

using testing::message_of;

TEST(SlidingWindows, ScoreEachTokenOnce) {
  for (std::size_t count = 2; count < 40; ++count) {
    for (std::size_t context = 2; context < 45; ++context) {
      for (std::size_t stride = 1; stride < context; ++stride) {
        std::size_t next = 1;
        for (const Window& window : sliding_windows(count, context, stride)) {
          ASSERT_EQ(window.first_scored, next);
          ASSERT_GT(window.end, window.first_scored);
          ASSERT_LE(window.end - window.begin, context);
          ASSERT_LT(window.begin, window.first_scored);
          if (window.begin > 0) {
            ASSERT_GE(window.first_scored - window.begin, context - stride);
          }
          next = window.end;
        }
        ASSERT_EQ(next, count);
      }
    }
  }
}

TEST(SlidingWindows, MoveByTheStride) {
  const std::vector<Window> windows = sliding_windows(10, 6, 3);
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_EQ(windows[1].begin, 3u);
  EXPECT_EQ(windows[1].end, 9u);
  EXPECT_EQ(windows[1].first_scored, 6u);
  EXPECT_EQ(windows[2].begin, 6u);
  EXPECT_EQ(windows[2].end, 10u);
  EXPECT_EQ(windows[2].first_scored, 9u);
}

TEST(SlidingWindows, RefuseWhatCannotBe) {
  EXPECT_NE(message_of<InputError>([] { sliding_windows(1, 4, 2); }), "");
  EXPECT_NE(message_of<SpecError>([] { sliding_windows(9, 1, 1); }), "");
  EXPECT_NE(message_of<SpecError>([] { sliding_windows(9, 4, 0); }), "");
  EXPECT_NE(message_of<SpecError>([] { sliding_windows(9, 4, 4); }), "");
}

// llama.cpp: first = n_ctx / 2; the logits of positions first .. n_ctx - 2 are scored against the
// tokens after them.
TEST(FixedWindows, ScoreTheSecondHalf) {
  const std::vector<Window> windows = fixed_windows(1300, 512);
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[1].begin, 512u);
  EXPECT_EQ(windows[1].end, 1024u);
  EXPECT_EQ(windows[1].first_scored, 512u + 257u);
  EXPECT_EQ(windows[1].end - windows[1].first_scored, 512u - 256u - 1u);  // n_ctx - first - 1
  EXPECT_EQ(fixed_windows(512, 512).size(), 1u);
  EXPECT_NE(message_of<InputError>([] { fixed_windows(511, 512); }).find("one window of 512"),
            std::string::npos);
  EXPECT_NE(message_of<SpecError>([] { fixed_windows(511, 3); }), "");
}

TEST(WholeWindows, ScoreAllButTheFirstToken) {
  const std::vector<Window> windows = whole_windows(1300, 512);
  ASSERT_EQ(windows.size(), 2u);  // a rest of 276 is left out
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(windows[i].begin, 512 * i);
    EXPECT_EQ(windows[i].end, 512 * (i + 1));
    EXPECT_EQ(windows[i].first_scored, 512 * i + 1);
  }
  EXPECT_EQ(whole_windows(4, 2).size(), 2u);
  EXPECT_NE(message_of<InputError>([] { whole_windows(511, 512); }), "");
  EXPECT_NE(message_of<SpecError>([] { whole_windows(511, 1); }), "");
}

}  // namespace
}  // namespace kakeya
