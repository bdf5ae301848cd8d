// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/record.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

PublishedRow row_of(const nlohmann::json& object, const std::string& where) {
  if (!object.is_object()) throw CorruptStream(where + ": expected an object");
  PublishedRow row;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) {
      (key == "kind" ? row.kind : row.names[key]) = value.get<std::string>();
    } else if (value.is_number()) {
      row.numbers[key] = {value.get<double>()};
    } else {
      const bool list = value.is_array() && std::all_of(value.begin(), value.end(), [](auto& each) {
                          return each.is_number();
                        });
      if (!list) throw CorruptStream(where + ": " + key + ": expected a text, a number or numbers");
      row.numbers[key] = value.get<std::vector<double>>();
    }
  }
  if (row.kind.empty()) throw CorruptStream(where + ": no kind");
  return row;
}

bool same_number(double number, const std::string& text) {
  double wanted = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, wanted);
  return error == std::errc() && read == end && wanted == number;
}

bool fits(const PublishedRow& row, const RowSelector& selector) {
  return std::all_of(selector.fields.begin(), selector.fields.end(), [&](const auto& field) {
    const auto name = row.names.find(field.first);
    if (name != row.names.end()) return name->second == field.second;
    const auto numbers = row.numbers.find(field.first);
    return numbers != row.numbers.end() && numbers->second.size() == 1 &&
           same_number(numbers->second.front(), field.second);
  });
}

}  // namespace

void PublishedRecord::add(std::string_view jsonl, const std::string& origin) {
  for (std::size_t number = 1; !jsonl.empty(); ++number) {
    const std::size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view line = jsonl.substr(0, end);
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (line.empty()) continue;
    const std::string where = origin + " line " + std::to_string(number);
    const PublishedRow& row = rows_.emplace_back(row_of(parse_json(line, where), where));
    by_kind_[row.kind].push_back(&row);
  }
}

std::vector<const PublishedRow*> PublishedRecord::all(const RowSelector& selector) const {
  std::vector<const PublishedRow*> found;
  const auto rows = by_kind_.find(selector.kind);
  if (rows == by_kind_.end()) return found;
  for (const PublishedRow* row : rows->second) {
    if (fits(*row, selector)) found.push_back(row);
  }
  return found;
}

const PublishedRow* PublishedRecord::find(const RowSelector& selector) const {
  const std::vector<const PublishedRow*> found = all(selector);
  if (found.size() > 1) {
    throw InputError(to_text(selector) + ": " + std::to_string(found.size()) +
                     " rows of the record, expected one");
  }
  return found.empty() ? nullptr : found.front();
}

const PublishedRow& PublishedRecord::at(const RowSelector& selector) const {
  const PublishedRow* found = find(selector);
  if (found == nullptr) throw InputError(to_text(selector) + ": no such row in the record");
  return *found;
}

bool PublishedRecord::has_numbers(const std::string& kind, const std::string& name) const {
  const auto rows = by_kind_.find(kind);
  return rows != by_kind_.end() &&
         std::any_of(rows->second.begin(), rows->second.end(),
                     [&](const PublishedRow* row) { return row->numbers.contains(name); });
}

bool PublishedRecord::has_key(const std::string& kind, const std::string& name) const {
  const auto rows = by_kind_.find(kind);
  return has_numbers(kind, name) ||
         (rows != by_kind_.end() &&
          std::any_of(rows->second.begin(), rows->second.end(),
                      [&](const PublishedRow* row) { return row->names.contains(name); }));
}

const std::vector<double>& numbers_of(const PublishedRow& row, const std::string& name) {
  const auto found = row.numbers.find(name);
  if (found == row.numbers.end()) {
    throw InputError(to_text(row) + ": no " + name + ", expected numbers of that name");
  }
  return found->second;
}

double number_of(const PublishedRow& row, const std::string& name) {
  const std::vector<double>& numbers = numbers_of(row, name);
  if (numbers.size() == 1) return numbers.front();
  throw InputError(to_text(row) + ": " + name + ": " + std::to_string(numbers.size()) +
                   " numbers, expected one");
}

const std::string& name_of(const PublishedRow& row, const std::string& name) {
  const auto found = row.names.find(name);
  if (found == row.names.end()) {
    throw InputError(to_text(row) + ": no " + name + ", expected a text of that name");
  }
  return found->second;
}

std::string to_text(const PublishedRow& row) {
  std::string text = row.kind;
  for (const auto& [name, value] : row.names) {
    if (name != "source" && name != "commit") text += " " + name + "=" + value;
  }
  return text;
}

std::string to_text(const RowSelector& selector) {
  std::string text = selector.kind;
  for (const auto& [name, value] : selector.fields) text += " " + name + "=" + value;
  return text;
}

PublishedRecord read_published_record(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  if (error) throw IoError(folder + ": " + error.message());
  if (files.empty()) throw IoError(folder + ": no .jsonl file, expected the published record");
  std::sort(files.begin(), files.end());
  PublishedRecord record;
  for (const auto& file : files) {
    record.add(read_text_file(file), file.filename().string());
  }
  return record;
}

}  // namespace kakeya
