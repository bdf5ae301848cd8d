// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/measure/codec_tap.h"
#include "kakeya/measure/grid.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

class SharedReferences;

/// What a sweep measures on: a model with passages of text (model_sweep.h), or a dump of K and V
/// (dump_sweep.h).
class SweepSubject {
 public:
  virtual ~SweepSubject() = default;

  virtual int passages() const = 0;

  /// The number of the first one; the others follow.
  virtual int first_passage() const { return 0; }

  /// The ways of measuring that are asked for, as stored in CellKey::mode.
  virtual std::vector<std::string> modes() const = 0;

  /// Throws SpecError where the codecs of the cell and one of modes() exclude each other, whatever
  /// the passage.
  virtual void check(const GridCell&) const {}

  /// Gets ready to measure cells of `passage`, of these modes. Called once a passage, and only
  /// where a cell is missing.
  virtual void start_passage(int passage, const std::vector<std::string>& modes) = 0;

  /// One cell of the started passage: everything of a Sample but its key's passage and
  /// cell_seconds. Throws kakeya::Error when the cell cannot be measured: the codec refused, or it
  /// did not fire wherever the policy says.
  virtual Sample measure(const GridCell& cell, const std::string& mode) = 0;

  /// Takes reference passes from `shared` from now on, which has to outlive it. Nothing where a subject has
  /// none.
  virtual void share_references(SharedReferences*) {}

  /// Whether the reference pass of the started passage is another process's, or an earlier one's.
  virtual bool reference_was_read() const { return false; }

  /// Seconds spent in reference passes so far.
  virtual double reference_seconds() const { return 0; }
};

/// Told before every cell, and once at the end.
struct SweepEvent {
  std::size_t done = 0, total = 0;  ///< cells
  std::size_t already = 0;          ///< of `done`, those found in the store when the sweep began
  std::string now;                  ///< "e8:q=10 snapshot passage 3", empty at the end
};

struct SweepOutcome {
  std::size_t total = 0, already = 0,
              finished = 0;  ///< cells asked for, found in the store, measured now
  std::vector<Failure> failed;
  double cell_seconds = 0, forward_seconds = 0;  ///< of the cells measured now
  double reference_seconds = 0;
  std::size_t references_computed = 0, references_read = 0;  ///< where shards share them
  bool stopped = false;  ///< somebody asked for the end before all was done
};

/// Measures every cell codec x mode x passage that `store` lacks, passages outermost, and appends
/// each as soon as it is done: a kill loses the cell in flight. A cell that fails is written down
/// as such and the sweep goes on.
///
/// `grid` begins with `identity` (build_grid), which is measured first on each passage and must
/// change nothing at all: rel-MSE and KL divergence exactly 0, the same likelihoods; in mode decode
/// rel-MSE exactly 0 and KL divergence at most kLargestStepChange. Where it does,
/// the harness is at fault and the sweep stops with Error. Exceptions of start_passage() and of the
/// store stop it too, and what SweepSubject::check() throws, of any cell, before anything is
/// measured.
///
/// Of a store of one shard, its cells alone. The passages then begin elsewhere for each shard, so that they
/// compute the reference passes of different ones; and as the cell of `identity` may be another shard's,
/// `identity` is measured, and not stored, in every mode on the first passage, where this
/// shard has no such cell to measure there: a machine that does not repeat the shared passes exactly stops.
///
/// `stopped` is asked before each cell and each reference pass: once it says yes, nothing is begun.
SweepOutcome run_sweep(SweepSubject& subject, const std::vector<GridCell>& grid, ResultStore& store,
                       const std::function<void(const SweepEvent&)>& notify,
                       const std::function<bool()>& stopped = {});

/// The cells of a sweep, as records name them.
PlannedCells cells_of(const SweepSubject& subject, const std::vector<GridCell>& grid);

/// Fills what follows of a measured sample's bytes: the rate of the whole cache, and the bytes of the cell's profiles.
void fill_rates(Sample& sample, const GridCell& cell);

/// Fills what coding alone determines: rates, bytes, distortion, visits. `tokens` is how many
/// tokens of a part the mode codes, `parts` how many parts of a layer: 2, or 1 of a stream, whose
/// keys are its values, so that the error of one is that of the other and its bytes count once.
/// Throws InputError unless every coded layer's parts went through the codec exactly once, whole.
void fill_coding(Sample& sample, const GridCell& cell, const CodingRecord& record,
                 const CachePolicy& policy, std::size_t tokens, std::size_t heads, std::size_t dim,
                 std::uint64_t parts = 2);

}  // namespace kakeya
