// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/passages.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/model/tokenizer/utf8.h"

namespace kakeya {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

// White space of Python's str.split(): Unicode White_Space and the separators U+001C to U+001F.
bool is_space(const Utf8Char& c) {
  return c.valid &&
         ((c.code_point >= 0x1C && c.code_point <= 0x1F) || is_white_space(c.code_point));
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Char next = utf8_at(text, at);
    const bool space = is_space(next);
    if (!space && !inside) ++words;
    inside = !space;
    at += next.byte_count;
  }
  return words;
}

// int(words * 1.3) of the published harness, in the double arithmetic of Python.
std::size_t estimated_tokens(std::size_t words) {
  return static_cast<std::size_t>(static_cast<double>(words) * 1.3);
}

[[noreturn]] void too_few(const std::string& path, std::size_t found, std::size_t wanted,
                          std::size_t tokens_each) {
  throw InputError(path + ": " + std::to_string(found) + " passages of " +
                   std::to_string(tokens_each) + " tokens, " + std::to_string(wanted) +
                   " expected");
}

std::vector<Passage> passages_of_file(const std::filesystem::path& path, const Tokenizer& tokenizer,
                                      std::size_t tokens_each, std::size_t wanted) {
  const std::string text = read_text(path);
  std::vector<Passage> passages;
  std::string open;
  std::size_t words = 0;
  std::size_t first_line = 0;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size() && passages.size() < wanted;) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t end = newline == std::string::npos ? text.size() : newline + 1;
    const std::string_view row = std::string_view(text).substr(at, end - at);
    at = end;
    ++line;
    const std::size_t row_words = count_words(row);
    if (row_words == 0) continue;
    if (open.empty()) first_line = line;
    open += row;
    words += row_words;
    if (estimated_tokens(words) < tokens_each) continue;
    Passage passage{tokenizer.encode(open), path.filename().string() + " lines " +
                                                std::to_string(first_line) + "-" +
                                                std::to_string(line)};
    if (passage.tokens.size() >= tokens_each) {
      passage.tokens.resize(tokens_each);
      passages.push_back(std::move(passage));
    }
    open.clear();
    words = 0;
  }
  return passages;
}

std::vector<Passage> passages_of_folder(const std::filesystem::path& folder,
                                        const Tokenizer& tokenizer, std::size_t tokens_each,
                                        std::size_t wanted) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.is_regular_file(failed) && entry.path().extension() == ".txt") {
      files.push_back(entry.path());
    }
  }
  if (failed) throw IoError(folder.string() + ": " + failed.message());
  std::sort(files.begin(), files.end());
  std::vector<Passage> passages;
  for (const std::filesystem::path& file : files) {
    if (passages.size() == wanted) break;
    Passage passage{tokenizer.encode(read_text(file)), file.filename().string()};
    if (passage.tokens.size() < tokens_each) {
      throw InputError(file.string() + ": " + std::to_string(passage.tokens.size()) +
                       " tokens, at least " + std::to_string(tokens_each) + " expected");
    }
    passage.tokens.resize(tokens_each);
    passages.push_back(std::move(passage));
  }
  return passages;
}

}  // namespace

std::vector<Passage> read_passages(const std::string& text_path, const Tokenizer& tokenizer,
                                   std::size_t tokens_each, std::size_t count) {
  if (tokens_each == 0) throw InputError("passages of 0 tokens: at least 1 expected");
  const std::size_t wanted = count == 0 ? std::numeric_limits<std::size_t>::max() : count;
  std::error_code failed;
  std::vector<Passage> passages =
      std::filesystem::is_directory(text_path, failed)
          ? passages_of_folder(text_path, tokenizer, tokens_each, wanted)
          : passages_of_file(text_path, tokenizer, tokens_each, wanted);
  if (passages.size() < std::max<std::size_t>(count, 1)) {
    too_few(text_path, passages.size(), std::max<std::size_t>(count, 1), tokens_each);
  }
  return passages;
}

}  // namespace kakeya
