// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"

namespace kakeya {
namespace {

void require_rows(const Table& table) {
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size()) {
      throw InputError("table " + table.name + ": a row of " + std::to_string(row.size()) +
                       " cells: expected " + std::to_string(table.columns.size()));
    }
  }
}

/// Characters, not bytes: UTF-8 continuation bytes are not counted.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string piped(const std::string& text, std::size_t to, bool right) {
  const std::size_t space = to - width(text);
  return fmt::format(" {:{}}{}{:{}} |", "", right ? space : 0, text, "", right ? 0 : space);
}

}  // namespace

Cell text_cell(std::string text) { return {std::move(text), {}, {}, 0}; }

Cell number_cell(double value, std::string text) { return {std::move(text), value, {}, 0}; }

Cell fixed_cell(double value, int decimals) {
  return number_cell(value, fmt::format("{:.{}f}", value, decimals));
}

Cell ratio_cell(std::span<const double> here, std::span<const double> there) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i] <= 0 || there[i] <= 0) return text_cell("-");
    logs.push_back(std::log2(here[i] / there[i]));
  }
  if (logs.empty()) return text_cell("-");
  const Interval log2 = t_interval(logs);
  const std::string mean = fmt::format("{:.2f}", std::exp2(log2.mean));
  if (log2.count < 2) return interval_cell(log2, mean);
  return interval_cell(log2, fmt::format("{} ({:.2f} to {:.2f})", mean, std::exp2(log2.low()),
                                         std::exp2(log2.high())));
}

Cell interval_cell(const Interval& interval, std::string text) {
  Cell cell{std::move(text), interval.mean, {}, interval.count};
  if (std::isfinite(interval.half_width)) cell.half_width = interval.half_width;
  return cell;
}

Table named_table(std::string name, std::string title) {
  Table table;
  table.name = std::move(name);
  table.title = std::move(title);
  return table;
}

std::string to_markdown(const Table& table) {
  require_rows(table);
  std::vector<std::size_t> shown, widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].heading.empty()) continue;
    std::size_t widest = std::max<std::size_t>(3, width(escaped(table.columns[c].heading)));
    for (const auto& row : table.rows) widest = std::max(widest, width(escaped(row[c].text)));
    shown.push_back(c);
    widths.push_back(widest);
  }
  std::string heading = "|", rule = "|", body;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Column& column = table.columns[shown[i]];
    heading += piped(escaped(column.heading), widths[i], column.number);
    rule += column.number ? fmt::format("{:-<{}}:|", "", widths[i] + 1)
                          : fmt::format("{:-<{}}|", "", widths[i] + 2);
  }
  for (const auto& row : table.rows) {
    body += "|";
    for (std::size_t i = 0; i < shown.size(); ++i) {
      body += piped(escaped(row[shown[i]].text), widths[i], table.columns[shown[i]].number);
    }
    body += "\n";
  }
  return heading + "\n" + rule + "\n" + body;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

std::string csv_header() {
  return "table,source,mode,row,quantity,value,half_width,samples,text\n";
}

std::string to_csv(const Table& table) {
  require_rows(table);
  std::string csv;
  for (const auto& row : table.rows) {
    std::string label;
    for (std::size_t c = 0; c < table.label_columns; ++c)
      label += (c > 0 ? " | " : "") + row[c].text;
    for (std::size_t c = table.label_columns; c < row.size(); ++c) {
      const Cell& cell = row[c];
      csv +=
          fmt::format("{},{},{},{},{},{},{},{},{}\n", table.name, csv_field(table.source),
                      table.mode, csv_field(label), csv_field(table.columns[c].quantity),
                      cell.value ? full_precision(*cell.value) : "",
                      cell.half_width ? full_precision(*cell.half_width) : "",
                      cell.samples > 0 ? std::to_string(cell.samples) : "", csv_field(cell.text));
    }
  }
  return csv;
}

}  // namespace kakeya
