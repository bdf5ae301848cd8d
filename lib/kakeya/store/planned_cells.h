// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kakeya {

struct CellKey;
struct StoredResults;

/// The codecs of a column of a grid, canonical.
struct PlannedCodecs {
  std::string codec_k, codec_v;
};

/// The cells that a run sets out to have in its folder: every codec in every mode on every passage.
struct PlannedCells {
  std::vector<PlannedCodecs> codecs;
  std::vector<std::string> modes;
  int first_passage = 0, passages = 0;

  /// Passage by passage, codec by codec, as a sweep measures them.
  void for_each(const std::function<void(const CellKey&)>& take) const;
};

/// The cells of one codec in one mode that nobody has finished.
struct MissingCells {
  std::string codec_k, codec_v, mode;
  std::vector<int> passages;  ///< ascending
};

/// Every cell that any run of the folder set out to have, each once, in the order of the runs; those of
/// runs that recorded none are unknown.
std::vector<CellKey> planned_cells_of(const StoredResults& results);

/// Those of planned_cells_of() that have no sample, failed ones included, in the order of the first.
std::vector<MissingCells> missing_cells(const StoredResults& results);

/// "e8:q=10 inforward: 3 passages (2, 5, 7)", of at most so many entries, and how many more there are.
std::string missing_text(const std::vector<MissingCells>& missing, std::size_t most = 4);

}  // namespace kakeya
