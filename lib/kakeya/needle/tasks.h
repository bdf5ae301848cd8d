// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// Version of make_needle_task(): prompts of another are others. 1 had variables of three letters.
inline constexpr int kNeedleDraws = 2;

/// What is hidden in a text and asked for: kinds of RULER (Hsieh et al., "RULER: What's the real
/// context size of your long-context language models?", 2024).
enum class NeedleKind {
  single,             ///< one number of one word
  multi_key,          ///< numbers of four words, one of them asked for
  multi_value,        ///< two numbers of one word, both asked for
  variable_tracking,  ///< a number that goes from variable to variable: all that have it
};

/// "single", "multi-key", "multi-value", "variable-tracking".
std::string_view needle_kind_name(NeedleKind kind);
/// Throws SpecError naming the word given and the four known ones.
NeedleKind parse_needle_kind(const std::string& text);

/// A sentence that is put into the haystack.
struct HiddenSentence {
  std::string text;
  double depth = 0;  ///< of the haystack, 0 to 1
};

/// One draw of a task.
struct NeedleTask {
  std::string before;                   ///< what the prompt says before the haystack
  double stretch = 0;                   ///< where in the text the haystack begins, 0 to 1
  std::vector<HiddenSentence> needles;  ///< from the least depth to the greatest
  std::string question;                 ///< behind the haystack
  std::string answer_begins;  ///< how the answer begins: "The special magic number for river is"
  std::string answer;         ///< how it goes on: " 48213"
  std::vector<std::string> answers;  ///< what a right one holds
};

/// What makes a draw that draw.
struct NeedleDraw {
  NeedleKind kind = NeedleKind::single;
  int length = 0, depth = 0, sample = 0;  ///< depth in percent
};

/// Draws words, numbers and the stretch of text by seed: others for every kind, length, depth and sample, so that
/// prompts are independent. The sentence that matters stands at the depth: the asked number's, the first of two
/// numbers, the first assignment. The second number and the other words' stand where they are drawn, the later
/// assignments evenly behind the first.
NeedleTask make_needle_task(const NeedleDraw& draw, std::uint64_t seed);

/// The published rule: the share of the answers that stand in the text, whatever the case.
double substring_score(const std::vector<std::string>& answers, const std::string& text);

}  // namespace kakeya
