// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/planned_cells.h"

#include <algorithm>
#include <set>

#include "kakeya/store/result_store.h"

namespace kakeya {
namespace {

/// "2, 5 to 9, 12", of at most six runs.
std::string ranges_of(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t begin = 0, end, count = 0; begin < numbers.size(); begin = end, ++count) {
    if (count == 6) return text + ", ...";
    end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (begin == 0 ? "" : ", ") + std::to_string(numbers[begin]);
    if (end - begin > 1)
      text += (end - begin > 2 ? " to " : ", ") + std::to_string(numbers[end - 1]);
  }
  return text;
}

}  // namespace

void PlannedCells::for_each(const std::function<void(const CellKey&)>& take) const {
  for (int passage = first_passage; passage < first_passage + passages; ++passage) {
    for (const PlannedCodecs& codec : codecs) {
      for (const std::string& mode : modes) take({codec.codec_k, codec.codec_v, passage, mode});
    }
  }
}

std::vector<CellKey> planned_cells_of(const StoredResults& results) {
  std::set<CellKey> seen;
  std::vector<CellKey> cells;
  for (const auto& planned : results.planned) {
    if (!planned) continue;
    planned->for_each([&](const CellKey& cell) {
      if (seen.insert(cell).second) cells.push_back(cell);
    });
  }
  return cells;
}

std::vector<MissingCells> missing_cells(const StoredResults& results) {
  std::set<CellKey> done;
  for (const Sample& sample : results.samples) done.insert(sample.key);
  std::vector<MissingCells> missing;
  for (const CellKey& cell : planned_cells_of(results)) {
    if (done.contains(cell)) continue;
    const auto same = [&](const MissingCells& other) {
      return other.codec_k == cell.codec_k && other.codec_v == cell.codec_v &&
             other.mode == cell.mode;
    };
    auto at = std::find_if(missing.begin(), missing.end(), same);
    if (at == missing.end()) at = missing.insert(at, {cell.codec_k, cell.codec_v, cell.mode, {}});
    at->passages.push_back(cell.passage);
  }
  for (MissingCells& cells : missing) std::sort(cells.passages.begin(), cells.passages.end());
  return missing;
}

std::string missing_text(const std::vector<MissingCells>& missing, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, missing.size()); ++i) {
    const MissingCells& of = missing[i];
    const std::string codecs =
        of.codec_k == of.codec_v ? of.codec_k : "K " + of.codec_k + ", V " + of.codec_v;
    text += (i == 0 ? "" : "; ") + codecs + " " + of.mode + ": " +
            std::to_string(of.passages.size()) +
            (of.passages.size() == 1 ? " passage (" : " passages (") + ranges_of(of.passages) + ")";
  }
  if (missing.size() > most)
    text += "; and " + std::to_string(missing.size() - most) + " more codecs";
  return text;
}

}  // namespace kakeya
