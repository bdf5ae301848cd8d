// SPDX-License-Identifier: Apache-2.0
#include "kakeya/needle/tasks.h"

#include <gtest/gtest.h>

#include <set>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

std::string all_text(const NeedleTask& task) {
  std::string text;
  for (const HiddenSentence& needle : task.needles) text += needle.text + "\n";
  return text;
}

TEST(NeedleTasks, OfOneNumber) {
  const NeedleTask task = make_needle_task({NeedleKind::single, 512, 50, 0}, 3);
  ASSERT_EQ(task.needles.size(), 1u);
  EXPECT_EQ(task.needles[0].depth, 0.5);
  ASSERT_EQ(task.answers.size(), 1u);
  EXPECT_EQ(task.answer, " " + task.answers[0]);
  EXPECT_EQ(task.answers[0].size(), 5u);
  EXPECT_TRUE(task.needles[0].text.ends_with(" is: " + task.answers[0] + "."));
  // The asked word is the needle's.
  const std::string word = task.needles[0].text.substr(37, task.needles[0].text.find(" is:") - 37);
  EXPECT_NE(task.question.find(" for " + word + " "), std::string::npos) << word;
  EXPECT_TRUE(task.answer_begins.ends_with(" for " + word + " mentioned in the provided text is"));
}

TEST(NeedleTasks, OfSeveral) {
  for (int depth : {0, 50, 100}) {
    const NeedleTask keys = make_needle_task({NeedleKind::multi_key, 512, depth, 1}, 3);
    ASSERT_EQ(keys.needles.size(), 4u);
    ASSERT_EQ(keys.answers.size(), 1u);
    int there = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      there += keys.needles[i].text.find(keys.answers[0]) != std::string::npos;
      if (i > 0) {
        EXPECT_LE(keys.needles[i - 1].depth, keys.needles[i].depth);
      }
    }
    EXPECT_EQ(there, 1);
    const NeedleTask values = make_needle_task({NeedleKind::multi_value, 512, depth, 1}, 3);
    ASSERT_EQ(values.needles.size(), 2u);
    ASSERT_EQ(values.answers.size(), 2u);
    EXPECT_EQ(values.answer, " " + values.answers[0] + " and " + values.answers[1]);
    for (std::size_t i = 0; i < 2; ++i) {  // in the order of the text
      EXPECT_NE(values.needles[i].text.find(values.answers[i]), std::string::npos);
    }
    const NeedleTask chain = make_needle_task({NeedleKind::variable_tracking, 512, depth, 1}, 3);
    ASSERT_EQ(chain.needles.size(), 3u);
    for (const std::string& name : chain.answers) EXPECT_EQ(name.size(), 5u) << name;  // RULER's
    EXPECT_EQ(chain.needles[0].depth, depth / 100.0);
    EXPECT_EQ(chain.needles[1].text,
              "VAR " + chain.answers[1] + " = VAR " + chain.answers[0] + ".");
    EXPECT_EQ(chain.needles[2].text,
              "VAR " + chain.answers[2] + " = VAR " + chain.answers[1] + ".");
    EXPECT_EQ(chain.answer,
              " " + chain.answers[0] + ", " + chain.answers[1] + ", " + chain.answers[2]);
  }
}

TEST(NeedleTasks, AreDrawnBySeedAndForEveryPromptAnew) {
  std::set<std::string> drawn;
  for (const std::uint64_t seed : {0, 1}) {
    for (int length : {512, 1024}) {
      for (int depth : {0, 50}) {
        for (int sample : {0, 1}) {
          const NeedleDraw draw{NeedleKind::single, length, depth, sample};
          const NeedleTask task = make_needle_task(draw, seed);
          EXPECT_EQ(all_text(task), all_text(make_needle_task(draw, seed)));
          EXPECT_TRUE(task.stretch > 0 && task.stretch < 1);
          drawn.insert(all_text(task));
        }
      }
    }
  }
  EXPECT_EQ(drawn.size(), 16u);
  EXPECT_THROW(make_needle_task({NeedleKind::single, 512, 101, 0}, 0), InputError);
}

TEST(NeedleTasks, HaveNames) {
  for (const char* name : {"single", "multi-key", "multi-value", "variable-tracking"}) {
    EXPECT_EQ(needle_kind_name(parse_needle_kind(name)), name);
  }
  try {
    parse_needle_kind("double");
    ADD_FAILURE();
  } catch (const SpecError& error) {
    EXPECT_STREQ(error.what(),
                 "kind double: expected single, multi-key, multi-value or variable-tracking");
  }
}

TEST(NeedleTasks, TheSubstringRuleCountsAnswers) {
  EXPECT_EQ(substring_score({"12345", "ABC"}, "it is abc, I think"), 0.5);
  EXPECT_EQ(substring_score({"12345"}, " 1234 5"), 0);
  EXPECT_EQ(substring_score({"12345"}, "x12345y"), 1);
  EXPECT_THROW(substring_score({}, "x"), InputError);
}

}  // namespace
}  // namespace kakeya
