// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/tokenizer/pre_tokenizer.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/normalizer.h"
#include "kakeya/model/tokenizer/regex_finder.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

struct Piece {
  Span span;
  bool match = false;
};

// The whole of `word` as matches and what lies between them.
std::vector<Piece> pieces_of(const Span& word, const std::vector<Span>& matches, bool invert) {
  std::vector<Piece> pieces;
  std::size_t at = word.begin;
  for (const Span& match : matches) {
    if (match.begin > at) pieces.push_back({{at, match.begin}, invert});
    pieces.push_back({match, !invert});
    at = match.end;
  }
  if (word.end > at) pieces.push_back({{at, word.end}, invert});
  return pieces;
}

// `pieces` joined where a match follows (from the left) a piece that is none.
void join_matches(std::vector<Piece>& pieces) {
  std::vector<Piece> joined;
  bool previous = false;
  for (const Piece& piece : pieces) {
    if (piece.match && !previous && !joined.empty()) {
      Span& last = joined.back().span;
      last = {std::min(last.begin, piece.span.begin), std::max(last.end, piece.span.end)};
    } else {
      joined.push_back(piece);
    }
    previous = piece.match;
  }
  pieces = std::move(joined);
}

void settle(std::vector<Piece> pieces, SplitBehavior behavior, std::vector<Span>& words) {
  switch (behavior) {
    case SplitBehavior::isolated:
      break;
    case SplitBehavior::removed:
      std::erase_if(pieces, [](const Piece& piece) { return piece.match; });
      break;
    case SplitBehavior::merged_with_previous:
      join_matches(pieces);
      break;
    case SplitBehavior::merged_with_next:
      std::reverse(pieces.begin(), pieces.end());
      join_matches(pieces);
      std::reverse(pieces.begin(), pieces.end());
      break;
    case SplitBehavior::contiguous: {
      std::vector<Piece> joined;
      for (const Piece& piece : pieces) {
        if (!joined.empty() && joined.back().match == piece.match) {
          joined.back().span.end = piece.span.end;
        } else {
          joined.push_back(piece);
        }
      }
      pieces = std::move(joined);
      break;
    }
  }
  for (const Piece& piece : pieces) {
    if (piece.span.end > piece.span.begin) words.push_back(piece.span);
  }
}

class RegexSplit : public PreTokenizer {
 public:
  RegexSplit(const std::string& pattern, SplitBehavior behavior, bool invert)
      : finder_(pattern), behavior_(behavior), invert_(invert) {}

  void apply(WordList& list) const override {
    std::vector<Span> words;
    finder_.find(list, [&](const Span& word, const std::vector<Span>& matches) {
      settle(pieces_of(word, matches, invert_), behavior_, words);
    });
    list.words = std::move(words);
  }

 private:
  RegexFinder finder_;
  SplitBehavior behavior_;
  bool invert_;
};

class LiteralSplit : public PreTokenizer {
 public:
  LiteralSplit(std::string literal, SplitBehavior behavior, bool invert)
      : literal_(std::move(literal)), behavior_(behavior), invert_(invert) {
    if (literal_.empty()) throw InputError("a Split at an empty pattern: a text expected");
  }

  void apply(WordList& list) const override {
    std::vector<Span> words;
    for (const Span& word : list.words) {
      const std::string_view text = list.word(word);
      std::vector<Span> matches;
      for (std::size_t at = 0; (at = text.find(literal_, at)) != std::string_view::npos;) {
        matches.push_back({word.begin + at, word.begin + at + literal_.size()});
        at += literal_.size();
      }
      settle(pieces_of(word, matches, invert_), behavior_, words);
    }
    list.words = std::move(words);
  }

 private:
  std::string literal_;
  SplitBehavior behavior_;
  bool invert_;
};

class DigitSplit : public PreTokenizer {
 public:
  explicit DigitSplit(bool individual)
      : behavior_(individual ? SplitBehavior::isolated : SplitBehavior::contiguous) {}

  void apply(WordList& list) const override {
    std::vector<Span> words;
    for (const Span& word : list.words) {
      std::vector<Span> matches;
      for (std::size_t at = word.begin; at < word.end;) {
        const Utf8Char next = utf8_at(list.text, at);
        const auto category = U_MASK(u_charType(static_cast<UChar32>(next.code_point)));
        if ((category & U_GC_N_MASK) != 0) matches.push_back({at, at + next.byte_count});
        at += next.byte_count;
      }
      settle(pieces_of(word, matches, false), behavior_, words);
    }
    list.words = std::move(words);
  }

 private:
  SplitBehavior behavior_;
};

// Rebuilds the text of `list` from `rewrite(word, its text)`.
template <typename Rewrite>
void rewrite_words(WordList& list, const Rewrite& rewrite) {
  std::string text;
  for (Span& word : list.words) {
    const std::size_t begin = text.size();
    text += rewrite(word, list.word(word));
    word = {begin, text.size()};
  }
  list.text = std::move(text);
}

class PrefixSpace : public PreTokenizer {
 public:
  void apply(WordList& list) const override {
    rewrite_words(list, [](const Span&, std::string_view word) {
      std::string spaced(word.starts_with(' ') ? 0 : 1, ' ');
      return spaced.append(word);
    });
  }
};

class Metaspace : public PreTokenizer {
 public:
  Metaspace(std::string mark, PrependScheme prepend, bool split)
      : mark_(std::move(mark)), prepend_(prepend), split_(split) {
    if (mark_.empty()) throw InputError("a Metaspace of an empty replacement: a text expected");
  }

  void apply(WordList& list) const override {
    rewrite_words(list, [&](const Span& span, std::string_view word) {
      const bool wanted = prepend_ == PrependScheme::always ||
                          (prepend_ == PrependScheme::first && list.at_start && span.begin == 0);
      std::string marked = replace_all(word, " ", mark_);
      return wanted && !marked.starts_with(mark_) ? mark_ + marked : marked;
    });
    if (split_) LiteralSplit(mark_, SplitBehavior::merged_with_next, false).apply(list);
  }

 private:
  std::string mark_;
  PrependScheme prepend_;
  bool split_;
};

class MarkCut : public PreTokenizer {
 public:
  explicit MarkCut(std::string mark) : mark_(std::move(mark)) {
    if (mark_.empty()) throw InputError("a cut before an empty mark: a text expected");
  }

  void apply(WordList& list) const override {
    std::vector<Span> words;
    for (const Span& word : list.words) {
      const std::string_view text = list.word(word);
      std::size_t begin = 0;
      std::size_t marks_end = 0;  // of the last run of marks
      for (std::size_t at = 0; (at = text.find(mark_, at)) != std::string_view::npos;) {
        if (at > begin && at != marks_end) {
          words.push_back({word.begin + begin, word.begin + at});
          begin = at;
        }
        marks_end = at += mark_.size();
      }
      words.push_back({word.begin + begin, word.end});
    }
    list.words = std::move(words);
  }

 private:
  std::string mark_;
};

class PreTokenizerSequence : public PreTokenizer {
 public:
  explicit PreTokenizerSequence(std::vector<std::unique_ptr<PreTokenizer>> steps)
      : steps_(std::move(steps)) {}
  void apply(WordList& list) const override {
    for (const auto& step : steps_) step->apply(list);
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> steps_;
};

}  // namespace

std::unique_ptr<PreTokenizer> make_regex_split(const std::string& pattern, SplitBehavior behavior,
                                               bool invert) {
  return std::make_unique<RegexSplit>(pattern, behavior, invert);
}

std::unique_ptr<PreTokenizer> make_literal_split(std::string literal, SplitBehavior behavior,
                                                 bool invert) {
  return std::make_unique<LiteralSplit>(std::move(literal), behavior, invert);
}

std::unique_ptr<PreTokenizer> make_digit_split(bool individual) {
  return std::make_unique<DigitSplit>(individual);
}

std::unique_ptr<PreTokenizer> make_prefix_space() { return std::make_unique<PrefixSpace>(); }

std::unique_ptr<PreTokenizer> make_metaspace(std::string mark, PrependScheme prepend, bool split) {
  return std::make_unique<Metaspace>(std::move(mark), prepend, split);
}

std::unique_ptr<PreTokenizer> make_mark_cut(std::string mark) {
  return std::make_unique<MarkCut>(std::move(mark));
}

std::unique_ptr<PreTokenizer> make_pre_tokenizer_sequence(
    std::vector<std::unique_ptr<PreTokenizer>> steps) {
  return std::make_unique<PreTokenizerSequence>(std::move(steps));
}

}  // namespace kakeya
