// SPDX-License-Identifier: Apache-2.0
#include "report_published.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "kakeya/core/error.h"
#include "kakeya/report/charts.h"
#include "kakeya/report/result_group.h"
#include "kakeya/store/arrays.h"
#include "kakeya/studies/published/codec_arithmetic.h"
#include "kakeya/studies/published/derived_csv.h"
#include "kakeya/studies/published/hero_chart.h"
#include "kakeya/studies/published/published_report.h"
#include "program.h"

namespace kakeya {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kPublishedFooter[] = R"(
Every table that KakeyaLattice and LatticeQuant published, computed anew from their raw record in
data/published, beside the published cell and a verdict: reproduces, rounding, differs, no data. The
statements that the record contradicts are listed with the arithmetic. Without --out, only counted.

  report.md             one screen: how many cells of each verdict, by section
  details.md            every table, its formulas and its source
  results.csv           a line a cell: published, ours, ours in full precision, verdict
  arithmetic/report.md  what the published codecs cost and lose, from our own codecs: nominal bits, wasted
                        bits and free settings, predicted MSE ratios, everything at equal nominal bits, a chart
  hero_printed, hero    with --charts: the published hero chart from its record, as printed (its script divides a
                        relative change by the perplexity again) and right, with intervals
  hero_ours             with --ours: folders of results in the same form, compression of whole caches of 131072 tokens

Exit code 1 when a verdict is not the one recorded in data/published/verdicts.csv; --record writes that
file anew and prints what changed.

Examples:
  kakeya-report published
  kakeya-report published --out out/published --json
  kakeya-report published --out out/published --charts --ours out/sweep --families 'klt*' 'kivi')";

Json published_json(const VerdictCounts& counts) {
  return {{"tables", counts.tables},         {"cells", counts.cells},
          {"reproduces", counts.reproduces}, {"rounding", counts.rounding},
          {"differs", counts.differs},       {"no_data", counts.no_data}};
}

Json published_json(const DerivedTable& derived, const DerivedCell& cell) {
  const PublishedTable& table = *derived.table;
  Json entry = {{"table", table.id},
                {"row", table.rows[cell.row].label},
                {"column", table.columns[cell.column].label}};
  if (const auto decimals = table.columns[cell.column].ours_decimals) {
    entry["ours"] = in_decimals(*decimals, cell.ours);
    return entry;
  }
  entry["published"] = cell.published;
  entry["ours"] = cell.ours_text();
  entry["verdict"] = to_text(cell.verdict);
  if (table.statement > 0) entry["statement"] = table.statement;
  if (table.claim) entry["claim"] = true;
  return entry;
}

/// Number, arithmetic (a text a table) and the cells that differ or have no data, of each statement
/// that the record contradicts.
Json statements_of(const std::vector<DerivedTable>& tables) {
  std::map<int, Json> statements;
  for (const DerivedTable& derived : tables) {
    const int number = derived.table->statement;
    if (number == 0) continue;
    Json& statement = statements.try_emplace(number, Json::object()).first->second;
    statement["number"] = number;
    statement["arithmetic"].push_back(derived.table->note);
    Json& cells = statement["cells"];
    if (cells.is_null()) cells = Json::array();
    for (const DerivedCell& cell : derived.cells) {
      const bool holds = cell.verdict == Verdict::reproduces || cell.verdict == Verdict::rounding;
      if (!holds) cells.push_back(published_json(derived, cell));
    }
  }
  Json list = Json::array();
  for (const auto& [number, statement] : statements) list.push_back(statement);
  return list;
}

void print_published_json(const ReportPublishedOptions& options,
                          const std::vector<DerivedTable>& tables,
                          const std::vector<std::string>& changed,
                          const std::vector<std::string>& files) {
  Json verdicts = Json::array(), unpublished = Json::array(), differing = Json::array();
  for (const DerivedTable& derived : tables) {
    for (const DerivedCell& cell : derived.cells) {
      verdicts.push_back(published_json(derived, cell));
      if (cell.verdict == Verdict::differs) differing.push_back(verdicts.back());
    }
    for (const DerivedCell& cell : derived.ours)
      unpublished.push_back(published_json(derived, cell));
  }
  Json document = {{"out", options.out}, {"files", files}};
  document.update(published_json(count_verdicts(tables)));
  document["claims"] = published_json(count_verdicts(tables, true));
  document["changed"] = changed;
  document["differing"] = std::move(differing);
  document["statements"] = statements_of(tables);
  document["verdicts"] = std::move(verdicts);
  document["unpublished"] = std::move(unpublished);
  fmt::print("{}\n", document.dump(1));
}

std::vector<Chart> charts_of(const ReportPublishedOptions& options, const PublishedRecord& record) {
  std::vector<Chart> charts;
  if (options.charts) charts = published_hero_charts(record);
  if (options.ours.empty()) return charts;
  std::vector<StoredResults> results;
  for (const std::string& folder : options.ours) results.push_back(read_results(folder));
  charts.push_back(compression_chart(group_results(results), options.families));
  return charts;
}

}  // namespace

CLI::App* define_report_published(CLI::App& app, ReportPublishedOptions& options) {
  CLI::App* sub = app.add_subcommand(
      "published", "Published tables of KakeyaLattice and LatticeQuant, re-derived");
  CLI::Option* out = sub->add_option("--out", options.out, "Folder for the report, made if missing")
                         ->type_name("R");
  sub->add_option("--data", options.data, "Folder of the record [data/published]")
      ->type_name("DIR");
  sub->add_flag("--record", options.record, "Record the verdicts in verdicts.csv of that folder");
  CLI::Option* charts = sub->add_flag("--charts", options.charts,
                                      "Also the published hero chart, as printed and right");
  charts->needs(out);
  CLI::Option* ours =
      sub->add_option("--ours", options.ours,
                      "Also folders of results of kakeya-sweep in the form of the hero chart")
          ->type_name("DIR")
          ->needs(charts);
  sub->add_option("--families", options.families,
                  "Their families in it: patterns as those of a report's --families")
      ->needs(ours);
  sub->add_flag("--no-charts", options.no_charts,
                "Write the charts' data and scripts, but do not run gnuplot");
  sub->add_flag(
      "--json", options.json,
      "Print one JSON document: out, files, tables, cells, reproduces, rounding, differs, "
      "no_data, claims (these of claims in words), changed, differing, statements (number, "
      "arithmetic, cells), verdicts (table, row, column, published, ours, verdict), unpublished");
  sub->footer(kPublishedFooter);
  sub->callback([&options] { options.chosen = true; });
  return sub;
}

void run_report_published(const ReportPublishedOptions& options) {
  const std::string data = options.data.empty() ? shipped_folder("data/published") : options.data;
  const std::vector<PublishedTable> tables = read_published_tables(data + "/tables");
  const PublishedRecord record = read_published_record(data);
  const std::vector<DerivedTable> derived = derive(tables, record);
  const VerdictCounts counts = count_verdicts(derived), claims = count_verdicts(derived, true);
  const std::string recorded = data + "/verdicts.csv", now = verdicts_csv(derived);
  const bool first = options.record && !std::filesystem::exists(recorded);
  const std::vector<std::string> changed =
      first ? std::vector<std::string>() : changed_verdicts(read_text_file(recorded), now);
  if (options.record) write_file(recorded, now);
  std::vector<std::string> files;
  if (!options.out.empty()) {
    Document report = make_published_report(derived);
    report.charts = charts_of(options, record);
    files = write_document(report, options.out, !options.no_charts);
    const Document arithmetic = make_codec_arithmetic(record, gaussian_vectors(16384, 128, 0));
    for (const std::string& file :
         write_document(arithmetic, options.out + "/arithmetic", !options.no_charts)) {
      files.push_back("arithmetic/" + file);
    }
  }
  if (options.json) {
    print_published_json(options, derived, changed, files);
  } else {
    fmt::print(
        "{} tables, {} cells: {} reproduce, {} within rounding, {} differ, {} without data\n"
        "{} claims in words: {} hold, {} do not, {} without data\n",
        counts.tables, counts.cells, counts.reproduces, counts.rounding, counts.differs,
        counts.no_data, claims.cells, claims.reproduces, claims.rounding + claims.differs,
        claims.no_data);
    if (options.record) {
      for (const std::string& change : changed) fmt::print("{}\n", change);
      fmt::print("{}: {} verdicts recorded, {} changed\n", recorded, counts.cells + claims.cells,
                 changed.size());
    }
    if (!options.out.empty()) fmt::print("{}/report.md\n", options.out);
  }
  if (!changed.empty() && !options.record) {
    throw InputError(fmt::format("{}: {} verdicts are not as recorded, the first: {}", recorded,
                                 changed.size(), changed.front()));
  }
}

}  // namespace kakeya
