// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kakeya {

/// Bytes [begin, end) of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A text cut into words: none empty, in order, none overlapping.
struct WordList {
  std::string text;
  std::vector<Span> words;
  bool at_start = true;  ///< the text begins where the caller's text does

  std::string_view word(const Span& span) const {
    return std::string_view(text).substr(span.begin, span.end - span.begin);
  }
};

/// One step of cutting text into the words that a token never crosses. Immutable, thread-safe. A
/// byte that is not UTF-8 counts as one U+FFFD for the cut and stays as it is.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Cuts each word of `list` further; may change the text too.
  virtual void apply(WordList& list) const = 0;
};

/// What becomes of the matches of a pattern (Hugging Face tokenizers, SplitDelimiterBehavior):
/// words of their own, dropped, appended to the word before or after, or joined when they touch.
enum class SplitBehavior { isolated, removed, merged_with_previous, merged_with_next, contiguous };

/// Cuts at the matches of an ICU regular expression; with `invert`, what lies between them counts
/// as the match. Throws InputError naming a pattern that ICU does not take.
std::unique_ptr<PreTokenizer> make_regex_split(const std::string& pattern, SplitBehavior behavior,
                                               bool invert = false);

/// The same for a text that is not empty.
std::unique_ptr<PreTokenizer> make_literal_split(std::string literal, SplitBehavior behavior,
                                                 bool invert = false);

/// Cuts between numerals (general category N) and the rest, and with `individual` between any two.
std::unique_ptr<PreTokenizer> make_digit_split(bool individual);

/// Puts a space before each word that does not begin with one.
std::unique_ptr<PreTokenizer> make_prefix_space();

/// Where a Metaspace puts its mark before a word that has none: at the start of the text only,
/// before every word, nowhere.
enum class PrependScheme { first, always, never };

/// Spaces become `mark`; with `split`, each mark begins a word.
std::unique_ptr<PreTokenizer> make_metaspace(std::string mark, PrependScheme prepend, bool split);

/// Cuts before each run of `mark` (not empty, else InputError). Where no token has a mark behind
/// another character this changes no id, and makes long texts fast.
std::unique_ptr<PreTokenizer> make_mark_cut(std::string mark);

/// One after the other.
std::unique_ptr<PreTokenizer> make_pre_tokenizer_sequence(
    std::vector<std::unique_ptr<PreTokenizer>> steps);

/// The words of GPT-2 (Radford et al. 2019), with their leading space.
inline constexpr const char* kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

}  // namespace kakeya
