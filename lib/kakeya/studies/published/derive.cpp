// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/derive.h"

#include <cctype>
#include <map>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/studies/published/formula.h"

namespace kakeya {
namespace {

using Names = std::map<std::string, std::string>;

/// Puts what names stand for in the place of `$name`, and notes which were used.
std::string with_names(const std::string& formula, const Names& names,
                       std::set<std::string>& used) {
  std::string text;
  for (std::size_t at = 0; at < formula.size();) {
    if (formula[at] != '$') {
      text += formula[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < formula.size() &&
           (std::isalnum(static_cast<unsigned char>(formula[end])) || formula[end] == '_')) {
      ++end;
    }
    const std::string name = formula.substr(at + 1, end - at - 1);
    const auto found = names.find(name);
    if (found == names.end()) throw InputError("$" + name + ": no such name in " + formula);
    used.insert(name);
    text += found->second;
    at = end;
  }
  return text;
}

/// The value of a definition for each combination of the lines that it goes over.
FormulaValue defined_value(const PublishedDefinition& definition, const Names& names,
                           const FormulaScope& scope, std::size_t depth,
                           std::set<std::string>& used) {
  if (depth == definition.over.size()) {
    return evaluate(with_names(definition.formula, names, used), scope);
  }
  std::vector<double> numbers;
  for (const PublishedLine& line : definition.over[depth]) {
    Names inner = names;
    for (const auto& [name, value] : line.names) inner[name] = value;
    const FormulaValue value = defined_value(definition, inner, scope, depth + 1, used);
    if (!has_value(value)) return {};
    if (const double* number = std::get_if<double>(&value)) {
      numbers.push_back(*number);
    } else if (const auto* several = std::get_if<std::vector<double>>(&value)) {
      numbers.insert(numbers.end(), several->begin(), several->end());
    } else {
      throw InputError(definition.name + ": a word, expected numbers");
    }
  }
  return numbers;
}

const std::vector<std::string>& formulas_of(const PublishedTable& table, const PublishedLine& row,
                                            const PublishedLine& column) {
  if (!column.formulas.empty()) return column.formulas;
  if (!row.formulas.empty()) return row.formulas;
  return table.formulas;
}

/// Which definitions these formulas name, themselves or by way of later definitions.
std::vector<bool> wanted_definitions(std::span<const PublishedDefinition> definitions,
                                     std::span<const std::string> formulas) {
  std::string text;
  for (const std::string& formula : formulas) text += formula + " ";
  std::vector<bool> wanted(definitions.size());
  for (std::size_t i = definitions.size(); i-- > 0;) {
    wanted[i] = text.find(definitions[i].name) != std::string::npos;
    if (wanted[i]) text += definitions[i].formula + " ";
  }
  return wanted;
}

DerivedCell derive_cell(const PublishedTable& table, std::size_t row, std::size_t column,
                        const PublishedRecord& record, std::set<std::string>& used) {
  DerivedCell cell{row, column, table.cells[row][column], {}, Verdict::no_data};
  Names names = table.rows[row].names;
  for (const auto& [name, value] : table.columns[column].names) names[name] = value;
  FormulaScope scope{&record, {}};
  const auto& formulas = formulas_of(table, table.rows[row], table.columns[column]);
  if (formulas.empty()) {
    throw InputError("no formula, expected one; `nothing` where the record lacks what it takes");
  }
  const std::vector<bool> wanted = wanted_definitions(table.definitions, formulas);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    const PublishedDefinition& definition = table.definitions[i];
    scope.defined[definition.name] = defined_value(definition, names, scope, 0, used);
  }
  for (const std::string& formula : formulas) {
    cell.ours.push_back(evaluate(with_names(formula, names, used), scope));
  }
  cell.verdict = judge(cell.published, cell.ours);
  return cell;
}

void require_different_labels(const PublishedTable& table) {
  for (const auto* lines : {&table.rows, &table.columns}) {
    std::set<std::string> labels;
    for (const PublishedLine& line : *lines) {
      if (!labels.insert(line.label).second) {
        throw InputError("table " + table.id + ": " + line.label + ": two lines of that label");
      }
    }
  }
}

void require_used(const PublishedTable& table, const std::set<std::string>& used) {
  for (const auto* lines : {&table.rows, &table.columns}) {
    for (const PublishedLine& line : *lines) {
      for (const auto& [name, value] : line.names) {
        if (used.contains(name)) continue;
        throw InputError("table " + table.id + ", " + line.label + ": " + name +
                         ": no formula uses it");
      }
    }
  }
}

DerivedTable derive_table(const PublishedTable& table, const PublishedRecord& record) {
  require_different_labels(table);
  DerivedTable derived{&table, {}, {}};
  std::set<std::string> used;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const bool ours = table.columns[column].ours_decimals.has_value();
      if (table.cells[row][column].empty() && !ours) continue;
      try {
        (ours ? derived.ours : derived.cells)
            .push_back(derive_cell(table, row, column, record, used));
      } catch (const Error& error) {
        throw InputError("table " + table.id + ", " + table.rows[row].label + ", " +
                         table.columns[column].label + ": " + error.what());
      }
    }
  }
  require_used(table, used);
  return derived;
}

}  // namespace

std::vector<DerivedTable> derive(std::span<const PublishedTable> tables,
                                 const PublishedRecord& record) {
  std::vector<DerivedTable> derived;
  for (const PublishedTable& table : tables) derived.push_back(derive_table(table, record));
  return derived;
}

VerdictCounts count_verdicts(std::span<const DerivedTable> tables, bool claims) {
  VerdictCounts counts;
  for (const DerivedTable& table : tables) {
    if (table.table->claim != claims) continue;
    counts.tables += table.cells.empty() ? 0 : 1;
    for (const DerivedCell& cell : table.cells) {
      ++counts.cells;
      std::size_t* const by_verdict[] = {&counts.reproduces, &counts.rounding, &counts.differs,
                                         &counts.no_data};
      ++*by_verdict[static_cast<std::size_t>(cell.verdict)];
    }
  }
  return counts;
}

}  // namespace kakeya
