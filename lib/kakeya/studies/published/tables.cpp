// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/tables.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/parse_json.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;
using Lists = std::map<std::string, std::vector<PublishedLine>>;

std::string text_of(const Json& value, const std::string& where) {
  if (!value.is_string()) throw InputError(where + ": expected a text");
  return value.get<std::string>();
}

/// One formula, or one for each part of a cell.
std::vector<std::string> formulas_of(const Json& value, const std::string& where) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) throw InputError(where + ": expected a formula or several");
  std::vector<std::string> formulas;
  for (const Json& each : value) formulas.push_back(text_of(each, where));
  return formulas;
}

PublishedLine line_of(const Json& value, const std::string& where) {
  if (!value.is_object()) throw InputError(where + ": expected an object with a label");
  PublishedLine line;
  for (const auto& [key, entry] : value.items()) {
    if (key == "label") {
      line.label = text_of(entry, where);
    } else if (key == "formula") {
      line.formulas = formulas_of(entry, where);
    } else if (key == "ours") {
      if (!entry.is_number_integer() || entry.get<int>() < 0 || entry.get<int>() > 9) {
        throw InputError(where + ": ours: expected decimals, 0 to 9");
      }
      line.ours_decimals = entry.get<int>();
    } else {
      line.names[key] = text_of(entry, where + ": " + key);
    }
  }
  return line;
}

std::vector<PublishedLine> lines_of(const Json& value, const Lists& lists,
                                    const std::string& where) {
  if (value.is_string()) {
    const auto found = lists.find(value.get<std::string>());
    if (found == lists.end()) throw InputError(where + ": " + value.dump() + ": no such list");
    return found->second;
  }
  if (!value.is_array()) throw InputError(where + ": expected lines, or the name of a list");
  std::vector<PublishedLine> lines;
  for (const Json& each : value) lines.push_back(line_of(each, where));
  return lines;
}

PublishedDefinition definition_of(const Json& value, const Lists& lists, const std::string& where) {
  PublishedDefinition definition;
  for (const auto& [key, entry] : value.items()) {
    if (key == "name") {
      definition.name = text_of(entry, where);
    } else if (key == "formula") {
      definition.formula = text_of(entry, where);
    } else if (key == "over") {
      for (const Json& list : entry) definition.over.push_back(lines_of(list, lists, where));
    } else {
      throw InputError(where + ": " + key + ": not a key of a definition");
    }
  }
  return definition;
}

/// "1.45 | 6.58 |": the cells of a row.
std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  for (std::size_t begin = 0; begin <= row.size();) {
    const std::size_t end = std::min(row.find('|', begin), row.size());
    std::string cell = row.substr(begin, end - begin);
    cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
    begin = end + 1;
  }
  return cells;
}

/// What was not published has no published cell, and is a column.
void require_columns_of_ours(const PublishedTable& table, const std::string& where) {
  for (const PublishedLine& row : table.rows) {
    if (row.ours_decimals) throw InputError(where + ": " + row.label + ": ours: expected a column");
  }
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (!table.columns[column].ours_decimals) continue;
    for (const std::vector<std::string>& cells : table.cells) {
      if (column >= cells.size() || cells[column].empty()) continue;
      throw InputError(where + ": " + table.columns[column].label + ": " + cells[column] +
                       ": expected nothing, as nobody published that column");
    }
  }
}

PublishedTable table_of(const Json& value, const Lists& lists, const std::string& origin) {
  PublishedTable table;
  table.id = value.contains("id") ? text_of(value["id"], origin) : "";
  if (table.id.empty()) throw InputError(origin + ": a table without id");
  const std::string where = origin + ": table " + table.id;
  const std::map<std::string, std::string*> texts = {{"id", &table.id},
                                                     {"section", &table.section},
                                                     {"title", &table.title},
                                                     {"source", &table.source},
                                                     {"note", &table.note}};
  for (const auto& [key, entry] : value.items()) {
    if (const auto text = texts.find(key); text != texts.end()) {
      *text->second = text_of(entry, where);
    } else if (key == "claim") {
      if (!entry.is_boolean()) throw InputError(where + ": claim: expected true or false");
      table.claim = entry.get<bool>();
    } else if (key == "statement") {
      if (!entry.is_number_integer()) throw InputError(where + ": statement: expected a number");
      table.statement = entry.get<int>();
    } else if (key == "define") {
      for (const Json& each : entry) table.definitions.push_back(definition_of(each, lists, where));
    } else if (key == "formula") {
      table.formulas = formulas_of(entry, where);
    } else if (key == "rows") {
      table.rows = lines_of(entry, lists, where);
    } else if (key == "columns") {
      table.columns = lines_of(entry, lists, where);
    } else if (key == "published") {
      for (const Json& row : entry) table.cells.push_back(cells_of(text_of(row, where)));
    } else {
      throw InputError(where + ": " + key + ": not a key of a table");
    }
  }
  if (table.cells.size() != table.rows.size()) {
    throw InputError(where + ": " + std::to_string(table.cells.size()) +
                     " published rows, expected " + std::to_string(table.rows.size()));
  }
  require_columns_of_ours(table, where);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (table.cells[row].size() == table.columns.size()) continue;
    throw InputError(where + ": row " + table.rows[row].label + ": " +
                     std::to_string(table.cells[row].size()) + " cells, expected " +
                     std::to_string(table.columns.size()));
  }
  return table;
}

}  // namespace

std::vector<PublishedTable> parse_published_tables(const std::string& json,
                                                   const std::string& origin) {
  const Json document = parse_ordered_json(json, origin);
  if (!document.is_object()) throw InputError(origin + ": expected an object of lists and tables");
  Lists lists;
  std::vector<PublishedTable> tables;
  for (const auto& [key, value] : document.items()) {
    if (key == "lists") {
      for (const auto& [name, lines] : value.items()) {
        lists[name] = lines_of(lines, lists, origin + ": " + name);
      }
    } else if (key == "tables") {
      for (const Json& each : value) tables.push_back(table_of(each, lists, origin));
    } else {
      throw InputError(origin + ": " + key + ": expected lists, tables");
    }
  }
  return tables;
}

std::vector<PublishedTable> read_published_tables(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (error) throw IoError(folder + ": " + error.message());
  if (files.empty()) throw IoError(folder + ": no .json file, expected published tables");
  std::sort(files.begin(), files.end());
  std::vector<PublishedTable> tables;
  std::set<std::string> ids;
  for (const auto& file : files) {
    for (PublishedTable& table :
         parse_published_tables(read_text_file(file), file.filename().string())) {
      if (!ids.insert(table.id).second) throw InputError(table.id + ": two tables of that id");
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

}  // namespace kakeya
