// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/document.h"
#include "kakeya/report/table.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// What a codec does to the tokens of one octave of positions.
struct OctaveLosses {
  std::uint64_t first = 0, last = 0;  ///< positions in the window
  std::uint64_t tokens = 0;           ///< scored, of all windows
  /// Nats a token, over windows that have such tokens, weighted with them: KL divergence, and NLL less that
  /// of the bf16 pass, window by window.
  Interval kld, nll_change;
  double top1 = 0;
  Cell growth;  ///< ratio_cell() of the last octave's KL divergence over this one's
};

/// A codec of one folder of kakeya-perplexity --out, or a control (ControlSample).
struct PositionLosses {
  std::string source, mode;
  std::string
      label;  ///< of keys and values: SpecPair::label(); of a control "nothing coded: bf16 arithmetic"
  std::string control = {};  ///< its name; empty: a codec
  const StoredResults* results = nullptr;
  std::size_t windows = 0;  ///< those that all codecs of the folder have
  std::size_t seen = 0;     ///< those that any has
  std::vector<OctaveLosses> octaves;
};

/// The codecs in folders of results, in the order of their cells, `identity` left out, and behind those of a folder
/// its controls with means by position. A window counts where all codecs of its folder have it, of a control
/// where it has it too. The answer points into `results`. Throws InputError where a folder has no
/// sample with means by position, or some without; where no window is one that all have; and where `identity`
/// changes something.
std::vector<PositionLosses> losses_by_position(std::span<const StoredResults> results);

/// A table of each codec and control, a row an octave.
std::vector<Table> position_tables(std::span<const PositionLosses> codecs);

/// These, and a chart of the KL divergence against the position, controls in broken lines. Says which controls
/// have no means by position.
Document make_position_report(std::span<const PositionLosses> codecs, const Provenance& self);

}  // namespace kakeya
