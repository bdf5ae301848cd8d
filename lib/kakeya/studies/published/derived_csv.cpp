// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/derived_csv.h"

#include <algorithm>
#include <map>

#include "kakeya/core/error.h"
#include "kakeya/report/number.h"
#include "kakeya/report/table.h"

namespace kakeya {
namespace {

/// Cell -> verdict of a recorded form.
std::map<std::string, std::string> recorded_verdicts(const std::string& csv) {
  std::map<std::string, std::string> verdicts;
  for (std::size_t begin = csv.find('\n') + 1; begin < csv.size();) {
    const std::size_t end = std::min(csv.find('\n', begin), csv.size());
    const std::string line = csv.substr(begin, end - begin);
    const std::size_t comma = line.rfind(',');
    if (comma == std::string::npos) throw InputError("verdicts: " + line + ": expected a comma");
    verdicts[line.substr(0, comma)] = line.substr(comma + 1);
    begin = end + 1;
  }
  return verdicts;
}

/// "table,row,column".
std::string place_of(const PublishedTable& table, const DerivedCell& cell) {
  return table.id + "," + csv_field(table.rows[cell.row].label) + "," +
         csv_field(table.columns[cell.column].label);
}

std::string values_of(const DerivedCell& cell) {
  std::string text;
  for (const FormulaValue& part : cell.ours) {
    const double* number = std::get_if<double>(&part);
    const std::string* word = std::get_if<std::string>(&part);
    text += text.empty() ? "" : " ";
    text += number != nullptr ? full_precision(*number) : word != nullptr ? *word : "";
    if (word != nullptr && *word == "oor") break;
  }
  return text;
}

}  // namespace

std::string results_csv(std::span<const DerivedTable> tables) {
  std::string csv = "table,row,column,published,ours,value,verdict\n";
  for (const DerivedTable& derived : tables) {
    const PublishedTable& table = *derived.table;
    for (const DerivedCell& cell : derived.cells) {
      csv += place_of(table, cell) + "," + csv_field(cell.published) + "," +
             csv_field(cell.ours_text()) + "," + csv_field(values_of(cell)) + "," +
             std::string(to_text(cell.verdict)) + "\n";
    }
    for (const DerivedCell& cell : derived.ours) {
      const int decimals = *table.columns[cell.column].ours_decimals;
      csv += place_of(table, cell) + ",," + csv_field(in_decimals(decimals, cell.ours)) + "," +
             csv_field(values_of(cell)) + ",\n";
    }
  }
  return csv;
}

std::string verdicts_csv(std::span<const DerivedTable> tables) {
  std::string csv = "table,row,column,verdict\n";
  for (const DerivedTable& derived : tables) {
    const PublishedTable& table = *derived.table;
    for (const DerivedCell& cell : derived.cells) {
      csv += place_of(table, cell) + "," + std::string(to_text(cell.verdict)) + "\n";
    }
  }
  return csv;
}

std::vector<std::string> changed_verdicts(const std::string& recorded, const std::string& now) {
  const auto before = recorded_verdicts(recorded), after = recorded_verdicts(now);
  std::vector<std::string> changes;
  for (const auto& [cell, verdict] : after) {
    const auto was = before.find(cell);
    if (was == before.end()) {
      changes.push_back(cell + ": " + verdict + ", not recorded");
    } else if (was->second != verdict) {
      changes.push_back(cell + ": " + verdict + ", recorded " + was->second);
    }
  }
  for (const auto& [cell, verdict] : before) {
    if (!after.contains(cell)) changes.push_back(cell + ": gone, recorded " + verdict);
  }
  return changes;
}

}  // namespace kakeya
