// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "kakeya/store/lease.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/reference_file.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// The reference passes that the shards of a sweep share: references/DIGEST.ref in the folder of results.
///
/// DIGEST is of all that a pass follows from: the plan (model and tokenizer by their digests, lengths,
/// tap, window, arithmetic), the tokens, this program's commit and compiler, and the kind of machine:
/// processor, and GPU where the model runs on one. Shards on other kinds of machines thus compute their
/// own. A file is 4 bytes x scored tokens x vocabulary and, where a mode needs them, the bf16 K and V. A pass
/// whose logits would take more than kMostLogitBytes is not shared: every shard computes its own, and holds
/// its hidden states.
class SharedReferences {
 public:
  static constexpr std::size_t kMostLogitBytes = std::size_t{256} << 20;

  using Compute = std::function<StoredReference()>;

  /// `say` is told of a file that is damaged. Makes the folder. Throws IoError.
  SharedReferences(const std::string& folder, const SweepPlan& plan, const Provenance& maker,
                   LeaseWait how, std::function<void(const std::string&)> say,
                   std::size_t most_logit_bytes = kMostLogitBytes);

  /// That of a passage: read, or computed and written for the others. Where another process computes it,
  /// waits. A damaged one is computed anew. `cache`: whether K and V belong to it. Throws what
  /// `compute` does, IoError, StoppedWaiting.
  StoredReference of(std::span<const std::int32_t> tokens, bool cache, const Compute& compute);

  /// Whether a pass of so many bytes of logits is shared.
  bool takes(std::size_t logit_bytes) const { return logit_bytes <= most_logit_bytes_; }

  std::size_t computed() const { return computed_; }
  std::size_t read() const { return read_; }

 private:
  std::string folder_, circumstances_;
  LeaseWait how_;
  std::function<void(const std::string&)> say_;
  std::size_t most_logit_bytes_;
  std::size_t computed_ = 0, read_ = 0;
};

/// Removes the references of a folder of results, which nobody needs once no cell is missing. They may be
/// removed at any other time too: they are computed again.
void remove_references(const std::string& folder);

}  // namespace kakeya
