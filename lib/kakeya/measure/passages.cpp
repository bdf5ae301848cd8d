// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/passages.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/model/tokenizer/utf8.h"
#include "kakeya/store/digest.h"

namespace kakeya {
namespace {

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

std::string plural(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// "2112 tokens (--ctx 2048 + --eval 64)"
std::string length_of(const PassageRequest& request) {
  return plural(request.tokens, "token") +
         (request.made_of.empty() ? "" : " (" + request.made_of + ")");
}

// Bytes of the first part of a row: all of it, or at most kPartBytes, up to the last white space
// that is within them, or up to a character's end.
std::size_t part_bytes(std::string_view row) {
  constexpr std::size_t kPartBytes = 512;
  if (row.size() <= kPartBytes) return row.size();
  std::size_t at = 0, behind_space = 0;
  while (at < row.size()) {
    const Utf8Char next = utf8_at(row, at);
    if (at + next.byte_count > kPartBytes) break;
    at += next.byte_count;
    if (is_space(next)) behind_space = at;
  }
  return behind_space > 0 ? behind_space : at;
}

// Decides when the open text has become a passage.
class Closing {
 public:
  Closing(const Tokenizer& tokenizer, const PassageRequest& request)
      : tokenizer_(tokenizer), request_(request) {
    if (!by_words()) special_tokens_ = tokenizer.encode("").size();
    estimate_ = special_tokens_;
  }

  bool by_words() const { return request_.cut == Cut::published; }

  // Whether the text is closed with `part`, its last. `ids` are then those of all of it: fewer than
  // wanted where the estimate was wrong.
  bool with(std::string_view text, std::string_view part, std::vector<std::int32_t>& ids) {
    estimate_ += by_words() ? count_words(part) : tokenizer_.encode(part, false).size();
    if ((by_words() ? estimated_tokens(estimate_) : estimate_) < request_.tokens) return false;
    ids = tokenizer_.encode(text);
    if (!by_words() && ids.size() < request_.tokens) return false;
    estimate_ = special_tokens_;
    return true;
  }

 private:
  const Tokenizer& tokenizer_;
  const PassageRequest& request_;
  std::size_t special_tokens_ = 0;  // such as a BOS
  std::size_t estimate_ = 0;        // words, or tokens of the parts, each by itself
};

std::vector<Passage> passages_of_file(const std::filesystem::path& path, const Tokenizer& tokenizer,
                                      const PassageRequest& request, std::size_t wanted) {
  const std::string text = read_text_file(path);
  std::vector<Passage> passages;
  Closing closing(tokenizer, request);
  std::string open;
  std::size_t first_line = 0;
  std::size_t line = 0;
  for (std::size_t at = 0; at < text.size() && passages.size() < wanted;) {
    const std::size_t newline = text.find('\n', at);
    const std::size_t end = newline == std::string::npos ? text.size() : newline + 1;
    std::string_view row = std::string_view(text).substr(at, end - at);
    at = end;
    ++line;
    if (count_words(row) == 0) continue;
    while (!row.empty() && passages.size() < wanted) {
      const std::string_view part =
          row.substr(0, closing.by_words() ? row.size() : part_bytes(row));
      row.remove_prefix(part.size());
      if (open.empty()) first_line = line;
      open += part;
      Passage passage;
      if (!closing.with(open, part, passage.tokens)) continue;
      open.clear();
      if (passage.tokens.size() < request.tokens) continue;
      passage.tokens.resize(request.tokens);
      passage.origin = path.filename().string() + " lines " + std::to_string(first_line) + "-" +
                       std::to_string(line);
      passage.first_line = static_cast<int>(first_line);
      passage.last_line = static_cast<int>(line);
      passages.push_back(std::move(passage));
    }
  }
  return passages;
}

// What is said of a file that gives fewer passages than are wanted.
std::string shortage(const std::filesystem::path& path, const Tokenizer& tokenizer,
                     const PassageRequest& request) {
  const std::string text = read_text_file(path);
  const std::size_t tokens = tokenizer.encode(text).size();
  std::string said = ": the file has " + plural(tokens, "token");
  if (request.cut == Cut::tokens) {
    if (tokens < request.tokens) return said;
    return said + ", and the rest of the line in which a passage ends is dropped";
  }
  return said + " and " + plural(count_words(text), "word") +
         ", and the published rule closes a passage at 1.3 tokens a word, and drops it if it has "
         "fewer tokens than wanted: --cut tokens goes by the tokens themselves";
}

std::vector<Passage> passages_of_folder(const std::filesystem::path& folder,
                                        const Tokenizer& tokenizer, const PassageRequest& request,
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
    Passage passage{tokenizer.encode(read_text_file(file)), file.filename().string(), 0, 0};
    if (passage.tokens.size() < request.tokens) {
      throw InputError(file.string() + ": " + plural(passage.tokens.size(), "token") +
                       ", expected at least " + length_of(request));
    }
    passage.tokens.resize(request.tokens);
    passages.push_back(std::move(passage));
  }
  return passages;
}

}  // namespace

std::string_view cut_name(Cut cut) { return cut == Cut::tokens ? "tokens" : "published"; }

Cut parse_cut(const std::string& text) {
  for (const Cut cut : {Cut::tokens, Cut::published}) {
    if (text == cut_name(cut)) return cut;
  }
  throw SpecError("cut " + text + ": expected tokens or published");
}

std::vector<Passage> read_passages(const std::string& text_path, const Tokenizer& tokenizer,
                                   const PassageRequest& request) {
  if (request.tokens == 0) throw InputError("passages of 0 tokens: at least 1 expected");
  const std::size_t wanted =
      request.count == 0 ? std::numeric_limits<std::size_t>::max() : request.first + request.count;
  std::error_code failed;
  const bool folder = std::filesystem::is_directory(text_path, failed);
  std::vector<Passage> passages = folder ? passages_of_folder(text_path, tokenizer, request, wanted)
                                         : passages_of_file(text_path, tokenizer, request, wanted);
  const std::size_t least =
      request.first + (request.fewer || request.count == 0 ? 1 : request.count);
  if (passages.size() < least) {
    const std::string before =
        request.first == 0 ? ""
                           : " (" + std::to_string(request.first) + " of them before the first)";
    throw InputError(text_path + ": " + plural(passages.size(), "passage") + " of " +
                     length_of(request) + ", " + std::to_string(least) + " expected" + before +
                     (folder ? ": the folder has " + plural(passages.size(), ".txt file") +
                                   ", each of which gives one"
                             : shortage(text_path, tokenizer, request)));
  }
  passages.erase(passages.begin(), passages.begin() + static_cast<std::ptrdiff_t>(request.first));
  return passages;
}

std::string tokens_digest(const std::vector<Passage>& passages, std::size_t count,
                          std::size_t tokens) {
  if (passages.size() < count) return {};
  std::vector<std::int32_t> ids;
  for (std::size_t p = 0; p < count; ++p) {
    const std::vector<std::int32_t>& each = passages[p].tokens;
    if (each.size() < tokens) return {};
    ids.insert(ids.end(), each.begin(), each.begin() + static_cast<std::ptrdiff_t>(tokens));
  }
  return sha256(std::as_bytes(std::span(ids)));
}

}  // namespace kakeya
