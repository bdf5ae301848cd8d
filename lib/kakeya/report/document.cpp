// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/store/arrays.h"

namespace kakeya {

void Document::paragraph(const std::string& text) { markdown.append(text).append("\n\n"); }

void Document::table(const Table& table, const std::string& level, const std::string& provenance) {
  if (table.rows.empty()) return;
  paragraph(fmt::format("{} {}", level, table.title));
  markdown.append(to_markdown(table)).append("\n");
  if (!table.note.empty()) paragraph(table.note);
  if (!provenance.empty()) paragraph(fmt::format("<sub>{}</sub>", provenance));
  csv += to_csv(table);
}

void Document::put_behind(const FrontPage& front) {
  details = std::exchange(markdown, "");
  for (const std::string& text : front.head) paragraph(text);
  paragraph(
      "One screen: everything is in [details.md](details.md), every number in full precision in "
      "[results.csv](results.csv).");
  std::vector<std::string> others;
  const auto show = [&](const auto& drawing) {
    if (drawing.name == front.chart) {
      paragraph(fmt::format("![{}]({}.svg)", drawing.title, drawing.name));
    } else {
      others.push_back(fmt::format("[{0}]({0}.svg)", drawing.name));
    }
  };
  for (const Chart& chart : charts) show(chart);
  for (const HeatMap& map : heat_maps) show(map);
  for (const std::string& text : front.says) markdown += fmt::format("- {}\n", text);
  if (!front.says.empty()) markdown += "\n";
  if (!front.table.rows.empty()) {
    if (!front.table.title.empty()) paragraph("## " + front.table.title);
    markdown += to_markdown(front.table) + "\n";
    if (!front.table.note.empty()) paragraph(front.table.note);
  }
  if (!others.empty()) paragraph(fmt::format("More charts: {}.", fmt::join(others, ", ")));
  if (front.made_by.empty()) return;
  paragraph(front.made_by);
  details += front.made_by + "\n\n";
}

std::vector<std::string> write_document(const Document& document, const std::string& folder,
                                        bool draw) {
  const std::filesystem::path out = folder;
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) throw IoError(fmt::format("{}: {}", folder, error.message()));
  write_file((out / "report.md").string(), document.markdown);
  write_file((out / "results.csv").string(), document.csv);
  std::vector<std::string> files = {"report.md", "results.csv"};
  if (!document.details.empty()) {
    write_file((out / "details.md").string(), document.details);
    files.push_back("details.md");
  }
  std::vector<std::string> drawings;
  for (const Chart& chart : document.charts) {
    write_chart(folder, chart);
    drawings.push_back(chart.name);
  }
  for (const HeatMap& map : document.heat_maps) {
    write_heat_map(folder, map);
    drawings.push_back(map.name);
  }
  for (const std::string& name : drawings) files.insert(files.end(), {name + ".dat", name + ".gp"});
  if (!draw) return files;
  for (const std::string& name : drawings) {
    draw_chart(folder, name);
    files.insert(files.end(), {name + ".svg", name + ".png"});
  }
  return files;
}

}  // namespace kakeya
