// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kakeya/measure/model_sweep.h"
#include "kakeya/store/kv_store.h"

namespace kakeya {

/// K and V that another program coded and decoded, and the bits a value that its author claims for
/// them. Nothing here can check the bits, so every name of such a cell begins with "claimed:".
struct Replacement {
  const DumpReader& dump;
  std::string file;  ///< its name in messages
  double bits = 0;   ///< a value; above 0
};

/// The cell of a replacement: "claimed:bits=4.5,of=NAME", NAME the last part of `path` without its
/// ending, other characters than letters, digits, '.', '-' and '_' as '_'. It has no codecs. Throws
/// SpecError unless the bits are above 0 and at most 64.
GridCell claimed_cell(const std::string& path, double bits);

/// Throws SpecError where K and V of a file cannot be used: in modes inforward and decode, where each layer's
/// depend on the coded ones before it, and with codecs on a GPU.
void check_replacement(const std::vector<EvalMode>& modes,
                       const std::optional<std::string>& codec_device);

/// A model and passages (ModelSubject), where one cell of the grid takes K and V from a dump of the
/// same passages: of the tokens that the mode codes, but for sinks, residual window and skipped
/// layers, which stay those of the clean pass. They are rounded to bf16 as decoded values are.
class ReplacedSubject : public ModelSubject {
 public:
  /// As ModelSubject(); `replacement.dump` must outlive the subject. Throws InputError naming file
  /// and field where the dump is of another model (if it says which), shape, tap or other tokens,
  /// or has too few passages or tokens: as many as a passage, or for mode prefix alone as its
  /// context.
  ReplacedSubject(Model& model, const std::vector<Passage>& passages, const Settings& settings,
                  WorkerPool& pool, Replacement replacement, const std::string& model_sha256);

  void check(const GridCell& cell) const override;

  /// Throws InputError naming file and place where a value of the dump is not finite.
  Sample measure(const GridCell& cell, const std::string& mode) override;

 private:
  Replacement replacement_;
};

}  // namespace kakeya
