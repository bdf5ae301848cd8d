// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/report/table.h"
#include "kakeya/report/verify/cells.h"
#include "kakeya/report/verify/figures.h"
#include "kakeya/report/verify/verify_folder.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

constexpr char kBound[] = "figures.csv", kPages[] = "pages.txt";
constexpr char kHead[] = "page,context,figure,cell\n";
constexpr std::string_view kStated = "stated: ";

// A figure of a page, as figures.csv has it.
struct Bound {
  std::string page, context, figure, cell;
  bool same_place(const Bound& other) const {
    return page == other.page && context == other.context && figure == other.figure;
  }
};

std::vector<Bound> read_bound(const fs::path& path) {
  std::vector<Bound> bound;
  if (!fs::exists(path)) return bound;
  for (const std::vector<std::string>& line : csv_lines(read_text_file(path), path.string())) {
    if (line.size() != 4) {
      throw CorruptStream(
          fmt::format("{}: a line of {} fields, expected page, context, figure, cell",
                      path.string(), line.size()));
    }
    bound.push_back({line[0], line[1], line[2], line[3]});
  }
  if (!bound.empty()) bound.erase(bound.begin());  // the headings
  return bound;
}

std::vector<std::string> pages_of(const fs::path& folder) {
  std::vector<std::string> pages;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".md" && name != "report.md" && name != "details.md") {
      pages.push_back(name);
    }
  }
  std::sort(pages.begin(), pages.end());
  if (!fs::exists(folder / kPages)) return pages;
  const std::string text = read_text_file(folder / kPages);
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    pages.push_back(text.substr(begin, end - begin));
  }
  return pages;
}

struct Place {
  Bound bound;  // its cell not known yet
  QuotedFigure figure;
  std::string text() const {
    return fmt::format("{}:{}: {} after \"{}\"", bound.page, figure.line, bound.figure,
                       bound.context);
  }
};

std::vector<Place> places_in(const fs::path& folder) {
  std::vector<Place> places;
  for (const std::string& page : pages_of(folder)) {
    for (const QuotedFigure& figure : figures_of(read_text_file(folder / page))) {
      places.push_back({{page, figure.context, figure.text, ""}, figure});
    }
  }
  return places;
}

// Whether a page of the folder refers to the one beside it of this name.
bool refers_to(const std::string& pages, const std::string& name) {
  return pages.find("../" + name + "/") != std::string::npos ||
         pages.find("reports/" + name + "/") != std::string::npos;
}

// Cells of the folder, and of those beside it that its pages refer to.
std::vector<CommittedCell> cells_around(const fs::path& folder) {
  std::vector<CommittedCell> cells;
  const auto add = [&](const fs::path& from, const std::string& prefix) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(from)) {
      const std::string name = entry.path().filename().string();
      if (name == kBound || name == "provenance.json") continue;
      if (entry.path().extension() == ".csv" || entry.path().extension() == ".json") {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      std::vector<CommittedCell> more = cells_of(file.string(), prefix + file.filename().string());
      std::move(more.begin(), more.end(), std::back_inserter(cells));
    }
  };
  add(folder, "");
  std::string pages;
  for (const std::string& page : pages_of(folder)) pages += read_text_file(folder / page);
  const fs::path whole = fs::weakly_canonical(folder);
  std::vector<fs::path> beside;
  for (const auto& entry : fs::directory_iterator(whole.parent_path())) {
    if (!entry.is_directory() || entry.path() == whole) continue;
    if (refers_to(pages, entry.path().filename().string())) beside.push_back(entry.path());
  }
  std::sort(beside.begin(), beside.end());
  for (const fs::path& other : beside) add(other, fmt::format("../{}/", other.filename().string()));
  return cells;
}

// Cells of the files that references name, as far as these are there.
std::vector<CommittedCell> cells_named(const fs::path& folder, const std::vector<Bound>& bound) {
  std::set<std::string> files;
  for (const Bound& each : bound) {
    if (each.cell.starts_with(kStated)) continue;
    for (const std::string& file : files_of(each.cell)) {
      if (file.ends_with(".csv") || file.ends_with(".json")) files.insert(file);
    }
  }
  std::vector<CommittedCell> cells;
  const fs::path whole = fs::weakly_canonical(folder);
  for (const std::string& file : files) {
    if (!fs::exists(whole / file)) continue;
    std::vector<CommittedCell> more = cells_of((whole / file).string(), file);
    std::move(more.begin(), more.end(), std::back_inserter(cells));
  }
  return cells;
}

}  // namespace

Verified verify_figures(const std::string& folder) {
  Verified verified{"figures"};
  const std::vector<Place> places = places_in(folder);
  const std::vector<Bound> bound = read_bound(fs::path(folder) / kBound);
  if (places.empty() && bound.empty()) return verified;
  const CellNames cells(cells_named(folder, bound));
  std::size_t stated = 0;
  for (std::size_t i = 0; i < std::max(places.size(), bound.size()); ++i) {
    if (i >= places.size() || i >= bound.size() || !places[i].bound.same_place(bound[i])) {
      const std::string here = i < places.size() ? places[i].text() : "no figure";
      const std::string there = i < bound.size()
                                    ? fmt::format("{} after \"{}\" in {}", bound[i].figure,
                                                  bound[i].context, bound[i].page)
                                    : "none";
      verified.problems.push_back(fmt::format(
          "{} is quoted, {} expected ({}; --bind binds figures that were added or moved)", here,
          there, kBound));
      return verified;
    }
    ++verified.checked;
    if (bound[i].cell.starts_with(kStated) && bound[i].cell.size() > kStated.size()) {
      ++stated;
      continue;
    }
    if (bound[i].cell.empty()) {
      verified.problems.push_back(places[i].text() + ": no cell has it, expected one or \"" +
                                  std::string(kStated) + "WHERE FROM\" in " + kBound);
      continue;
    }
    const std::string wrong = cells.mismatch(bound[i].cell, places[i].figure);
    if (!wrong.empty()) verified.problems.push_back(places[i].text() + ": " + wrong);
  }
  if (stated > 0) verified.note = fmt::format("{} of them are stated, of no cell here", stated);
  return verified;
}

BoundFigures bind_figures(const std::string& folder) {
  BoundFigures made;
  const std::vector<Bound> before = read_bound(fs::path(folder) / kBound);
  std::vector<CommittedCell> around = cells_around(folder), known = cells_named(folder, before);
  known.insert(known.end(), around.begin(), around.end());
  const CellNames cells(
      known);  // a person may have bound a figure to a file that is not sought through
  const CellFinder finder(std::move(around));
  std::string text = kHead;
  std::size_t next = 0;  // of `before`, where figures in order are sought first
  for (Place& place : places_in(folder)) {
    Bound& bound = place.bound;
    ++made.figures;
    const auto same = [&](const Bound& other) { return other.same_place(bound); };
    auto old = std::find_if(before.begin() + static_cast<std::ptrdiff_t>(next), before.end(), same);
    if (old == before.end()) old = std::find_if(before.begin(), before.end(), same);
    if (old != before.end() && !old->cell.empty() &&
        (old->cell.starts_with(kStated) || cells.mismatch(old->cell, place.figure).empty())) {
      bound.cell = old->cell;
      next = static_cast<std::size_t>(old - before.begin()) + 1;
      ++made.kept;
    } else {
      bound.cell = finder.find(place.figure);
      if (bound.cell.empty()) {
        made.unbound.push_back(place.text());
      } else {
        ++made.found;
      }
    }
    text += fmt::format("{},{},{},{}\n", csv_field(bound.page), csv_field(bound.context),
                        csv_field(bound.figure), csv_field(bound.cell));
  }
  write_file((fs::path(folder) / kBound).string(), text);
  return made;
}

}  // namespace kakeya
