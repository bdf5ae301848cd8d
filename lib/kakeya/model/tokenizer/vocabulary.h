// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kakeya/model/tokenizer/token_model.h"

namespace kakeya {

/// SentencePiece's mark of a space, U+2581.
inline constexpr std::string_view kSpaceMark = "\u2581";

using Vocabulary = std::unordered_map<std::string, std::int32_t>;

/// The symbols of a byte-level vocabulary: the bytes that its tokens write. Tokens with characters
/// outside the byte alphabet are left out: text never becomes one.
Vocabulary byte_level_symbols(const Vocabulary& vocabulary);

/// The tokens "<0x00>" to "<0xFF>" of `vocabulary`; -1 where there is none.
std::array<std::int32_t, 256> byte_tokens_of(const Vocabulary& vocabulary);

/// The merge of two tokens by name, as rank `rank`. Throws CorruptStream naming what is not in the
/// vocabulary: one of the two, or what they make.
BpeMerge merge_of(const Vocabulary& vocabulary, const std::string& left, const std::string& right,
                  std::size_t rank);

/// Merges as SentencePiece's BPE takes them: any two neighbours whose text is in `tokens` may
/// merge, the highest score first. Fills table.symbols and table.merges; characters of tokens that
/// are no tokens get symbols from table.token_end on. `scores` is by id and finite (else
/// CorruptStream).
void add_scored_merges(const Vocabulary& tokens, const std::vector<double>& scores,
                       BpeTable& table);

/// Whether no token has a mark behind another character (and a mark is a token): a text may then be
/// cut before runs of marks without changing an id.
bool marks_begin_words(const Vocabulary& symbols, std::string_view mark);

}  // namespace kakeya
