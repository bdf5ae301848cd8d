// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/verify/figures.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace kakeya {
namespace {

constexpr std::size_t kContext = 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Blanks over what is no prose, so that places stay what they are.
void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

void blank_between(std::string& text, std::string_view open, std::string_view close) {
  for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    const std::size_t end = text.find(close, at + open.size());
    const std::size_t past = end == std::string::npos ? text.size() : end + close.size();
    blank(text, at, past);
    at = past;
  }
}

std::string prose_of(std::string_view markdown) {
  std::string text(markdown);
  blank_between(text, "```", "```");
  blank_between(text, "<!--", "-->");
  blank_between(text, "`", "`");
  blank_between(text, "](", ")");
  return text;
}

// The end of a number that begins at `from`: digits, groups of three after commas, one point.
std::size_t end_of_number(std::string_view text, std::size_t from, bool& grouped) {
  std::size_t at = from;
  grouped = false;
  while (at < text.size() && is_digit(text[at])) ++at;
  while (at + 3 < text.size() && text[at] == ',' && at - from >= 1 &&
         std::all_of(&text[at + 1], &text[at + 1] + 3, is_digit) &&
         (at + 4 == text.size() || !is_digit(text[at + 4]))) {
    at += 4;
    grouped = true;
  }
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
  }
  return at;
}

std::string context_before(std::string_view line) {
  std::string context;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t';
    if (!space || (!context.empty() && context.back() != ' ')) context += space ? ' ' : c;
  }
  if (context.size() <= kContext) return context;
  std::size_t from = context.size() - kContext;
  while (from < context.size() && (static_cast<unsigned char>(context[from]) & 0xc0) == 0x80)
    ++from;
  return context.substr(from);
}

double value_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool percent_follows(std::string_view rest) {
  const std::size_t at = rest.find_first_not_of(' ');
  return at <= 1 && rest[at] == '%';
}

bool names_something(char before) {
  return is_letter(before) || is_digit(before) || before == '=' || before == '_' || before == '/' ||
         before == '.' || before == '#';
}

// What the lines of a page are about.
class Surroundings {
 public:
  explicit Surroundings(std::string_view markdown) {
    for (std::size_t begin = 0; begin <= markdown.size();) {
      const std::size_t end = std::min(markdown.find('\n', begin), markdown.size());
      lines_.push_back(markdown.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // Of what begins at `at` in line `number` (from 1): the heading above, and the row and column of a
  // table, or the lines of the paragraph.
  std::string of(std::size_t number, std::size_t at) const {
    std::size_t line = number - 1, first = line, last = line;
    while (first > 0 && !ends_block(lines_[first - 1])) --first;
    while (last + 1 < lines_.size() && !ends_block(lines_[last + 1])) ++last;
    std::string text = heading_above(first);
    const auto add = [&](std::string_view more) { text.append(1, ' ').append(more); };
    if (lines_[line].starts_with("|")) {
      const std::size_t column = column_of(lines_[line], at);
      add(cell(lines_[first], column));
      add(lines_[line]);
      // A row without a label goes on with what the row above it is about.
      for (std::size_t above = line; above > first + 2 && cell(lines_[above], 1).empty();) {
        add(cell(lines_[--above], 1));
      }
    } else {
      for (std::size_t i = first; i <= last; ++i) add(lines_[i]);
    }
    return text;
  }

 private:
  static bool ends_block(std::string_view line) {
    return line.find_first_not_of(" |-:") == std::string_view::npos ? !line.starts_with("|")
                                                                    : line.starts_with("#");
  }
  std::string heading_above(std::size_t line) const {
    while (line-- > 0) {
      if (lines_[line].starts_with("#")) return std::string(lines_[line]);
    }
    return "";
  }
  static std::size_t column_of(std::string_view row, std::size_t at) {
    return static_cast<std::size_t>(
        std::count(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(at), '|'));
  }
  // The text of a row's cell, from 1.
  static std::string_view cell(std::string_view row, std::size_t column) {
    for (std::size_t i = 0; i < column; ++i) {
      const std::size_t bar = row.find('|');
      if (bar == std::string_view::npos) return "";
      row.remove_prefix(bar + 1);
    }
    row = row.substr(0, row.find('|'));
    const std::size_t from = row.find_first_not_of(' ');
    return from == std::string_view::npos ? "" : row.substr(from);
  }

  std::vector<std::string_view> lines_;
};

void add_figures(std::string_view line, std::string_view shown, const Surroundings& surroundings,
                 std::size_t number, std::vector<QuotedFigure>& figures) {
  for (std::size_t at = 0; at < line.size();) {
    const bool point = line[at] == '.' && at + 1 < line.size() && is_digit(line[at + 1]);
    if (!is_digit(line[at]) && !point) {
      ++at;
      continue;
    }
    bool grouped = false;
    const std::size_t end = end_of_number(line, at, grouped);
    const char before = at == 0 ? ' ' : line[at - 1];
    QuotedFigure figure;
    figure.text = std::string(line.substr(at, end - at));
    const std::size_t dot = figure.text.find('.');
    figure.decimals = dot == std::string::npos ? 0 : static_cast<int>(figure.text.size() - dot - 1);
    figure.value = value_of(figure.text);
    figure.percent = percent_follows(line.substr(end));
    // A number with two points, a word that goes on, or a hyphen and a letter: a name or a version.
    const char after = end < line.size() ? line[end] : ' ';
    const bool version = after == '.' && end + 1 < line.size() && is_digit(line[end + 1]);
    const bool word = is_letter(after);
    const bool level = figure.percent && figure.text == "95";
    if ((figure.decimals > 0 || grouped || figure.percent) && !names_something(before) &&
        !version && !word && !level) {
      figure.line = number;
      figure.context = context_before(shown.substr(0, at));
      figure.row = std::string(shown);
      figure.around = surroundings.of(number, at);
      figures.push_back(figure);
    }
    at = end;
  }
}

}  // namespace

std::vector<QuotedFigure> figures_of(std::string_view markdown) {
  const std::string prose = prose_of(markdown);
  const Surroundings surroundings(markdown);
  std::vector<QuotedFigure> figures;
  std::size_t begin = 0, number = 0;
  while (begin < prose.size()) {
    const std::size_t end = std::min(prose.find('\n', begin), prose.size());
    add_figures(std::string_view(prose).substr(begin, end - begin),
                markdown.substr(begin, end - begin), surroundings, ++number, figures);
    begin = end + 1;
  }
  return figures;
}

}  // namespace kakeya
