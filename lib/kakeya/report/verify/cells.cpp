// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/verify/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 10> kWays = {
    "", "100 * ", "1 - ", "100 - 100 * ", "1 / ", "8 * ", "1e-3 * ", "1e-6 * ", "1e3 * ", "1e6 * "};
// Those that are sought; the others only a person can mean.
constexpr std::array<std::string_view, 2> kFoundWays = {"", "100 * "};
constexpr std::string_view kOfLine = " of its line", kOver = " over ", kLess = " less ";

// What a name and what a figure is about must have in common, in bits; what a word of the name costs
// that is not there; and a cell of another folder.
constexpr double kEnough = 5, kStrange = 0.15, kElsewhere = 6;
// A cell is not taken where more than kChance others that are named as well would round to the figure
// by chance: those between figure / kAround and figure * kAround, were they spread evenly there.
constexpr double kChance = 0.05, kAround = 1.5;

bool is_number(const std::string& field, double& value) {
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size() && std::isfinite(value);
}

void add_csv(const std::string& path, const std::string& called,
             std::vector<CommittedCell>& cells) {
  const auto lines = csv_lines(read_text_file(path), path);
  for (std::size_t line = 1; line < lines.size(); ++line) {
    std::string name = called;
    std::vector<std::pair<std::size_t, double>> numbers;
    for (std::size_t column = 0; column < lines[line].size(); ++column) {
      const std::string& field = lines[line][column];
      double value = 0;
      if (is_number(field, value)) {
        numbers.emplace_back(column, value);
      } else if (!field.empty()) {
        name += " | " + field;
        for (const QuotedFigure& figure : figures_of(field)) {
          cells.push_back({called + " | in " + field, figure.value});
        }
      }
    }
    for (const auto& [column, value] : numbers) {
      const std::string heading = column < lines[0].size() ? lines[0][column] : "?";
      cells.push_back({name + " | " + heading, value});
    }
  }
}

void add_json(const Json& json, const std::string& name, std::vector<CommittedCell>& cells) {
  if (json.is_number()) {
    cells.push_back({name, json.get<double>()});
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      add_json(json[i], fmt::format("{} | {}", name, i), cells);
    }
  } else if (json.is_object()) {
    std::string here = name;  // what a record says of itself in texts names its numbers
    for (const auto& [key, value] : json.items()) {
      if (value.is_string() && value.get_ref<const std::string&>().size() < 64) {
        here += " | " + value.get<std::string>();
      }
    }
    for (const auto& [key, value] : json.items()) add_json(value, here + " | " + key, cells);
  }
}

// Letters, digits and points together; "Q=15" is two words.
std::set<std::string> split(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool point = c == '.' && i + 1 < text.size() &&
                       std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || point) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

// A number as it is printed, and half a unit of its last digit.
struct Printed {
  std::string text;
  double value = 0, half = 0;
};

std::vector<Printed> printed_in(std::string_view line) {
  std::vector<Printed> all;
  for (const QuotedFigure& figure : figures_of(line)) {
    all.push_back({figure.text, figure.value, 0.5 * std::pow(10.0, -figure.decimals)});
  }
  return all;
}

// Whether a / b can be what is printed, both known to half a unit of their last digits.
bool is_quotient(const Printed& a, const Printed& b, const QuotedFigure& figure) {
  if (b.value <= b.half) return false;
  const double half = 0.5 * std::pow(10.0, -figure.decimals), scale = figure.percent ? 100 : 1;
  return scale * (a.value - a.half) / (b.value + b.half) <= figure.value + half &&
         scale * (a.value + a.half) / (b.value - b.half) >= figure.value - half;
}

std::string reference_to(const Printed& a, const Printed& b) {
  return fmt::format("{} / {}{}", a.text, b.text, kOfLine);
}

// "0.994 (0.97–1.03)", "(≤0.75)": an end follows from no other figures.
bool ends_interval(const QuotedFigure& figure) {
  const std::string_view before = figure.context;
  return before.ends_with("–") || before.ends_with("(") || before.ends_with("≤") ||
         before.ends_with("≥");
}

// A ratio that follows from two other figures of its line, which are bound themselves: the nearest
// before it. "" where there are none, and where chance explains it as CellFinder::find() says.
std::string quotient_in_line(const QuotedFigure& figure) {
  if ((figure.decimals < 2 && !figure.percent) || ends_interval(figure)) return "";
  const std::vector<Printed> all = printed_in(figure.row);
  const double half = 0.5 * std::pow(10.0, -figure.decimals), scale = figure.percent ? 100 : 1;
  std::string found;
  double rivals = 0;
  for (std::size_t i = all.size(); i-- > 0;) {
    for (std::size_t j = all.size(); j-- > 0;) {
      const Printed &a = all[i], &b = all[j];
      if (i == j || a.text == figure.text || b.text == figure.text || b.value <= b.half) continue;
      const double spread = a.half / a.value + b.half / b.value, ratio = scale * a.value / b.value;
      const double least = 3 * std::max(a.half / a.value, b.half / b.value);
      if (found.empty() && least <= 0.02 && is_quotient(a, b, figure)) {
        found = reference_to(a, b);
      } else if (ratio > figure.value / kAround && ratio < figure.value * kAround) {
        rivals += 2 * (half / figure.value + spread) / (kAround - 1 / kAround);
      }
    }
  }
  return rivals > kChance ? "" : found;
}

std::string wrong_quotient(const std::string& reference, const QuotedFigure& figure) {
  if (ends_interval(figure)) return figure.text + " given, an end of an interval, not " + reference;
  const std::vector<Printed> all = printed_in(figure.row);
  for (const Printed& a : all) {
    for (const Printed& b : all) {
      if (reference_to(a, b) == reference && is_quotient(a, b, figure)) return "";
    }
  }
  return fmt::format("{} given, not {}", figure.text, reference);
}

// How a reference says that a figure follows, and what follows: the name of its cell, or two of them.
std::pair<std::string_view, std::string_view> taken_apart(std::string_view reference) {
  for (const std::string_view way : kWays) {
    if (!way.empty() && reference.starts_with(way)) return {way, reference.substr(way.size())};
  }
  return {"", reference};
}

// What a name is of: "results.csv".
std::string_view file_of(std::string_view name) { return name.substr(0, name.find(" | ")); }

// The cells that a reference names: "A", "A over B", "A less B"; the name of a cell may have such words.
struct Named {
  std::string_view first, how, second;
};

Named named_in(std::string_view cells) {
  for (const std::string_view how : {kOver, kLess}) {
    for (std::size_t at = 0; (at = cells.find(how, at)) != std::string_view::npos; ++at) {
      const std::string_view second = cells.substr(at + how.size()), file = file_of(second);
      if (file.ends_with(".csv") || file.ends_with(".json"))
        return {cells.substr(0, at), how, second};
    }
  }
  return {cells, "", ""};
}

}  // namespace

std::vector<std::vector<std::string>> csv_lines(const std::string& text, const std::string& path) {
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        lines.back().back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        lines.back().back() += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      lines.back().emplace_back();
    } else if (c == '\n') {
      lines.push_back({""});
    } else if (c != '\r') {
      lines.back().back() += c;
    }
  }
  if (quoted) throw CorruptStream(path + ": a quoted field without its end");
  lines.pop_back();
  return lines;
}

std::vector<CommittedCell> cells_of(const std::string& path, const std::string& called) {
  std::vector<CommittedCell> cells;
  if (path.ends_with(".csv")) {
    add_csv(path, called, cells);
  } else {
    add_json(Json::parse(parse_json(read_text_file(path), path).dump()), called, cells);
  }
  return cells;
}

double followed(std::string_view how, double value) {
  const double x = std::fabs(value);
  if (how == "100 * ") return 100 * x;
  if (how == "1 - ") return std::fabs(1 - x);
  if (how == "100 - 100 * ") return std::fabs(100 - 100 * x);
  if (how == "1 / ") return 1 / x;
  if (how == "8 * ") return 8 * x;
  if (how == "1e-3 * ") return 1e-3 * x;
  if (how == "1e-6 * ") return 1e-6 * x;
  if (how == "1e3 * ") return 1e3 * x;
  if (how == "1e6 * ") return 1e6 * x;
  return x;
}

std::vector<std::string> files_of(const std::string& reference) {
  if (reference.ends_with(kOfLine)) return {};
  const Named named = named_in(taken_apart(reference).second);
  std::vector<std::string> files{std::string(file_of(named.first))};
  if (!named.second.empty()) files.emplace_back(file_of(named.second));
  return files;
}

bool rounds_to(double value, const QuotedFigure& figure) {
  // Half a unit of the last digit, and what a number just on the edge loses in decimal.
  const double unit = std::pow(10.0, -figure.decimals);
  return std::fabs(value - figure.value) <= 0.5 * unit * (1 + 1e-9) + 1e-12 * figure.value;
}

CellFinder::CellFinder(std::vector<CommittedCell> cells) : cells_(std::move(cells)) {
  std::stable_sort(cells_.begin(), cells_.end(), [](const auto& a, const auto& b) {
    return std::fabs(a.value) < std::fabs(b.value);
  });
  std::vector<double> names_with;
  for (const CommittedCell& cell : cells_) {
    Words& words = words_.emplace_back();
    for (const std::string& word : split(cell.name)) {
      const auto [at, added] = numbers_.emplace(word, static_cast<int>(numbers_.size()));
      if (added) names_with.push_back(0);
      names_with[static_cast<std::size_t>(at->second)] += 1;
      words.push_back(at->second);
    }
    std::sort(words.begin(), words.end());
  }
  for (const double count : names_with) {
    weight_.push_back(std::log2(static_cast<double>(cells_.size()) / count));
  }
}

CellFinder::Words CellFinder::words_of(std::string_view text) const {
  Words words;
  for (const std::string& word : split(text)) {
    const auto at = numbers_.find(word);
    if (at != numbers_.end()) words.push_back(at->second);
  }
  std::sort(words.begin(), words.end());
  return words;
}

double CellFinder::in_common(const Words& about, const Words& name) const {
  double shared = 0, strange = 0;
  for (const int word : name) {
    const double weight = weight_[static_cast<std::size_t>(word)];
    (std::binary_search(about.begin(), about.end(), word) ? shared : strange) += weight;
  }
  return shared - kStrange * strange;
}

std::string CellFinder::find(const QuotedFigure& figure) const {
  std::string around = figure.around;  // without the figure, which every candidate has
  for (std::size_t at = 0; (at = around.find(figure.text, at)) != std::string::npos;) {
    for (std::size_t i = 0; i < figure.text.size(); ++i) around[at++] = ' ';
  }
  const Words about = words_of(around);
  const double half = 0.5 * std::pow(10.0, -figure.decimals);
  const double least = figure.value / kAround, most = std::max(figure.value * kAround, 3 * half);
  struct Near {
    const CommittedCell* cell;
    std::string_view how;
    double score;
  };
  std::vector<Near> near;  // cells of about that size, those that round to the figure among them
  for (const std::string_view how : kFoundWays) {
    if (!how.empty() && !figure.percent) continue;
    const double scale = followed(how, 1);
    auto at =
        std::lower_bound(cells_.begin(), cells_.end(), least / scale,
                         [](const auto& cell, double x) { return std::fabs(cell.value) < x; });
    for (; at != cells_.end() && std::fabs(at->value) <= most / scale; ++at) {
      const Words& name = words_[static_cast<std::size_t>(at - cells_.begin())];
      const double score = in_common(about, name) - (at->name.starts_with("../") ? kElsewhere : 0);
      if (score > kEnough) near.push_back({&*at, how, score});
    }
  }
  const Near* best = nullptr;
  for (const Near& one : near) {
    if (!rounds_to(followed(one.how, one.cell->value), figure)) continue;
    if (best == nullptr || one.score > best->score) best = &one;
  }
  if (best == nullptr) return quotient_in_line(figure);
  const auto rivals = std::count_if(near.begin(), near.end(), [&](const Near& one) {
    return one.score >= best->score && one.cell->name != best->cell->name;
  });
  if (static_cast<double>(rivals) * 2 * half / (most - least) > kChance) {
    return quotient_in_line(figure);
  }
  return fmt::format("{}{}", best->how, best->cell->name);
}

CellNames::CellNames(const std::vector<CommittedCell>& cells) {
  for (const CommittedCell& cell : cells) values_[cell.name].push_back(cell.value);
}

std::string CellNames::mismatch(const std::string& reference, const QuotedFigure& figure) const {
  if (reference.ends_with(kOfLine)) return wrong_quotient(reference, figure);
  const auto [how, cells] = taken_apart(reference);
  const Named named = named_in(cells);
  for (const std::string_view name : {named.first, named.second}) {
    if (!name.empty() && !values_.contains(std::string(name))) {
      return fmt::format("no cell \"{}\"", name);
    }
  }
  std::vector<double> values = values_.at(std::string(named.first));
  if (!named.second.empty()) {
    std::vector<double> both;
    for (const double b : values_.at(std::string(named.second))) {
      for (const double a : values) both.push_back(named.how == kOver ? a / b : a - b);
    }
    values = std::move(both);
  }
  for (const double value : values) {
    if (rounds_to(followed(how, value), figure)) return "";
  }
  return fmt::format("{} given, {:.6g} expected ({})", figure.text, followed(how, values.front()),
                     reference);
}

}  // namespace kakeya
