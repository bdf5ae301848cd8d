// SPDX-License-Identifier: Apache-2.0
#include "kakeya/studies/published/published_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "kakeya/studies/published/derived_csv.h"
#include "kakeya/studies/published/functions.h"

namespace kakeya {
namespace {

constexpr char kIntroduction[] =
    R"(Every table that the projects KakeyaLattice and LatticeQuant published, computed anew from their raw record
(`data/published/*.jsonl`, imported by `scripts/import_published.py`). Nothing is typed in but the published
cells (`data/published/tables/`) and the formulas; `kakeya-report published` computes ours on every run and exits
with 1 when a verdict is not the one recorded in `data/published/verdicts.csv`.)";

constexpr char kReading[] = R"(How to read a cell:

| cell | verdict |
|---|---|
| 3.60 ± 1.02 | reproduces: each number is ours rounded to the digits printed |
| 0.62 ~ 0.61 | rounding: published 0.62, ours 0.61, at most one unit of the last digit apart |
| **55.56 ≠ 66.67** | differs: published 55.56, ours 66.67 |
| 5.67 (no data) | the record does not hold what the cell is computed from |

Columns marked "ours alone", and tables that say so, were never published; they have no verdict.

`d4:q=Q` is the published v1.4 codec, `e8:q=Q` v1.5, `tq:b=B` the baseline published under the name TurboQuant (an
abs-max integer grid after a Hadamard rotation, not the method of arXiv 2504.19874). Bits and ratios are computed from
the nominal bits of our own codecs. "Boundary layers" is KakeyaLattice's word for the skipped layers. |Δppl| is the
mean over passages of the absolute relative change of perplexity; the half widths are of 95 % Student-t intervals with
the rounded t that was published (2.042 for 32 passages, 2.365 for 8).)";

std::string cell_text(const DerivedCell& cell) {
  switch (cell.verdict) {
    case Verdict::reproduces:
      return cell.published;
    case Verdict::rounding:
      return cell.published + " ~ " + cell.ours_text();
    case Verdict::differs:
      return "**" + cell.published + " ≠ " + cell.ours_text() + "**";
    case Verdict::no_data:
      break;
  }
  return cell.published + " (no data)";
}

/// `$name` formulas of a table, each once, in order, and the names that stand for formulas.
std::vector<std::string> formulas_of(const PublishedTable& table) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  };
  const auto add_all = [&](const std::vector<std::string>& formulas) {
    for (const std::string& formula : formulas) add("`" + formula + "`");
  };
  for (const PublishedDefinition& definition : table.definitions) {
    add("`" + definition.name + " = " + definition.formula + "`" +
        (definition.over.empty() ? "" : " for each of the combinations"));
  }
  add_all(table.formulas);
  for (const PublishedLine& column : table.columns) add_all(column.formulas);
  for (const PublishedLine& row : table.rows) add_all(row.formulas);
  for (const PublishedLine& row : table.rows) {
    for (const auto& [name, value] : row.names) {
      if (value.find_first_of("[(") == std::string::npos) continue;
      add(fmt::format("{}: `${} = {}`", row.label, name, value));
    }
  }
  return lines;
}

Table shown_table(const DerivedTable& derived) {
  const PublishedTable& source = *derived.table;
  Table table = named_table(source.id, source.title);
  table.note =
      (source.claim ? "A claim in words, not counted as published cells. " : "") + source.note;
  table.source = source.source;
  table.columns.push_back({" ", "", false});
  for (const PublishedLine& column : source.columns) {
    const std::string ours = column.ours_decimals && !derived.cells.empty() ? " (ours alone)" : "";
    table.columns.push_back({column.label + ours, column.label});
  }
  for (const PublishedLine& row : source.rows) {
    table.rows.emplace_back(source.columns.size() + 1);
    table.rows.back().front() = text_cell(row.label);
  }
  const auto show = [&](const DerivedCell& cell, const std::string& text) {
    Cell& shown = table.rows[cell.row][cell.column + 1];
    shown = text_cell(text);
    if (!cell.ours.empty() && std::holds_alternative<double>(cell.ours.front())) {
      shown.value = std::get<double>(cell.ours.front());
    }
  };
  for (const DerivedCell& cell : derived.cells) show(cell, cell_text(cell));
  for (const DerivedCell& cell : derived.ours) {
    show(cell, in_decimals(*source.columns[cell.column].ours_decimals, cell.ours));
  }
  return table;
}

Table counts_table(std::span<const DerivedTable> tables) {
  Table table = named_table("verdicts", "Verdicts");
  table.columns = {{"section", "section", false}, {"tables", "tables"},     {"cells", "cells"},
                   {"reproduces", "reproduces"},  {"rounding", "rounding"}, {"differs", "differs"},
                   {"no data", "no data"}};
  const auto add = [&](const std::string& name, const VerdictCounts& counts) {
    std::vector<Cell> row = {text_cell(name)};
    for (std::size_t count : {counts.tables, counts.cells, counts.reproduces, counts.rounding,
                              counts.differs, counts.no_data}) {
      row.push_back(number_cell(static_cast<double>(count), std::to_string(count)));
    }
    table.rows.push_back(std::move(row));
  };
  for (std::size_t begin = 0; begin < tables.size();) {
    std::size_t end = begin;
    while (end < tables.size() && tables[end].table->section == tables[begin].table->section) ++end;
    add(tables[begin].table->section, count_verdicts(tables.subspan(begin, end - begin)));
    begin = end;
  }
  add("all", count_verdicts(tables));
  add("claims in words, apart", count_verdicts(tables, true));
  table.note =
      "Claims that were published in words stand as 1 (yes) and 0 in tables of their own, and are "
      "not counted as published cells.";
  return table;
}

/// Under each number: the tables that show it, every cell that differs or has no data, and the
/// arithmetic.
void add_statements(Document& document, std::span<const DerivedTable> tables) {
  document.paragraph("## Statements that the record contradicts");
  int last = 0;
  for (const DerivedTable& derived : tables) last = std::max(last, derived.table->statement);
  for (int statement = 1; statement <= last; ++statement) {
    std::string text;
    for (const DerivedTable& derived : tables) {
      const PublishedTable& table = *derived.table;
      if (table.statement != statement) continue;
      text += fmt::format("- {} ({})\n", table.title, table.source);
      for (const DerivedCell& cell : derived.cells) {
        if (cell.verdict == Verdict::reproduces || cell.verdict == Verdict::rounding) continue;
        text += fmt::format("  - {}, {}: {}\n", table.rows[cell.row].label,
                            table.columns[cell.column].label, cell_text(cell));
      }
      text += fmt::format("  - {}\n", table.note);
    }
    if (!text.empty()) document.paragraph(fmt::format("**{}.**\n\n{}", statement, text));
  }
}

void add_functions(Document& document) {
  document.paragraph("## Functions of the formulas");
  document.paragraph(
      "`name[kind key=value ...]` are the numbers `name` of the row of the record that has these "
      "keys; operators work entry by entry. Without such a row a formula is an error, but for "
      "`name?[...]`, which is nothing then, as is `nothing`: the record lacks what the cell "
      "takes.");
  std::string lines;
  for (const auto functions : {number_functions(), run_functions()}) {
    for (const FormulaFunction& function : functions) {
      lines += fmt::format("- `{}`: {}\n", function.name, function.help);
    }
  }
  document.markdown += lines;
}

}  // namespace

Document make_published_report(std::span<const DerivedTable> tables) {
  Document document;
  document.paragraph("# Published figures, re-derived");
  document.paragraph(kIntroduction);
  document.paragraph(kReading);
  document.table(counts_table(tables), "##");
  add_statements(document, tables);
  std::string section;
  for (const DerivedTable& derived : tables) {
    const PublishedTable& table = *derived.table;
    if (table.section != section) document.paragraph("## " + table.section);
    section = table.section;
    std::string under = table.source;
    for (const std::string& formula : formulas_of(table)) under += "<br>" + formula;
    document.table(shown_table(derived), "###", under);
  }
  add_functions(document);
  document.csv = results_csv(tables);
  document.put_behind({{"# Published figures, re-derived", kIntroduction},
                       "",
                       {"Reproduces: each number is ours rounded to the digits printed.",
                        "Rounding: at most one unit of the last digit apart.",
                        "Differs: further apart; details.md shows both numbers, cell by cell.",
                        "No data: the record does not hold what the cell is computed from."},
                       counts_table(tables),
                       ""});
  return document;
}

}  // namespace kakeya
