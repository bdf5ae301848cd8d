// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kakeya/codec/paged_frame.h"
#include "kakeya/codec/scale_code.h"
#include "kakeya/codec/scaled.h"
#include "kakeya/codec/stages.h"
#include "kakeya/codec/step_codec.h"
#include "kakeya/lattice/lattice.h"

namespace kakeya {

// The step of an entropy-coded codec.
//
//   per=vector      the root mean square of each vector
//   per=head-page   one for a page: the geometric mean, over all tokens before it, of their root
//                   mean squares. The first page, which has nothing before it, begins anew at its
//                   vectors 1, 2, 4, 8, ...; vector 0 has its own
//   step=           none: the step itself is given
//
// times a factor from the target rate. No step depends on a later vector.

/// The step, in root mean squares, at which a normal source costs `bits` a value at high rate:
/// sqrt(2 pi e) 2^-bits for a lattice with a cell of volume 1, from R = h - log2(V) / n (Zamir,
/// "Lattice Coding for Signals and Networks", section 5). The same number everywhere: no library
/// function but sqrt is called.
double step_of_bits(Lattice lattice, double bits);

/// What a step is multiplied with on rung `rung` of a budget (codec/budget_pages.h): 2^(rung / 16), the same number
/// everywhere.
double step_of_rung(int rung);

struct StepRule {
  SharedBy granularity = SharedBy::vector;  ///< of a step
  ScaleFormat format = ScaleFormat::log8;
  double factor = 1;       ///< step in root mean squares, or the step itself
  double reconstruct = 1;  ///< what decoded points are multiplied with besides
  std::size_t page = kDefaultPage;

  /// Scales stored for `vectors`, and the one that holds for a vector.
  std::size_t scales(std::size_t vectors) const;
  std::size_t scale_of(std::size_t vector) const;
};

/// Chooses the steps of some pages of a frame, tile after tile.
class StepChooser {
 public:
  /// Of `vectors` vectors from vector `first` of the frame on, where a page begins. `history` is
  /// that of the vectors before them.
  StepChooser(const StepRule& rule, std::size_t vectors, std::size_t dim, std::size_t first = 0,
              StepHistory history = {});

  /// For the tile's vectors: the inverse step in the tile's domain (0: nothing but zeros, or a
  /// vector to be kept exactly), the step and window of the decoded domain, and whether a vector
  /// has to be kept exactly because its points would be too large. state.first counts from `first`.
  struct Steps {
    float inverse_step[kTileRows], step[kTileRows];
    int window[kTileRows];
    bool exact[kTileRows];
  };
  void choose(const TileState& state, Steps& steps);

  // After the last tile: the sections "scales" and "windows".
  std::span<const std::byte> scales() const { return scales_; }
  const WindowList& windows() const { return windows_; }
  std::size_t items() const { return items_; }  ///< scales and windows
  StepHistory history() const { return history_; }

 private:
  void begin_page(std::size_t vector, int sixteenths, bool zero);

  const StepRule& rule_;
  std::size_t dim_, first_, first_item_, items_;
  std::vector<std::byte> scales_;
  WindowList windows_;
  StepHistory history_;
  ScaleCode current_;
};

/// The step and window of the decoded domain for vector number `first + vector` of a frame, from
/// the sections of its pages from vector `first` on.
void read_step(const StepRule& rule, std::span<const std::byte> scales,
               std::span<const std::byte> windows, std::size_t first, std::size_t vector,
               float& step, int& window);

}  // namespace kakeya
