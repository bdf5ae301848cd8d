// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/origin.h"
#include "kakeya/store/provenance.h"

namespace kakeya {

/// What makes a sample of a needle grid that sample: what was hidden, in how long a prompt, how
/// deep, which draw of it, and the codecs of the cache that the model answered from.
struct NeedleKey {
  std::string codec_k, codec_v;  ///< canonical specs
  std::string task;              ///< "single", "multi-key", "multi-value", "variable-tracking"
  int length = 0;                ///< tokens of the prompt
  int depth = 0;                 ///< percent of the haystack before the needle
  int sample = 0;                ///< counted from 0
  bool is_identity() const { return codec_k == "identity" && codec_v == "identity"; }
  bool operator==(const NeedleKey&) const = default;
  auto operator<=>(const NeedleKey&) const = default;
};

/// What came of it.
struct NeedleSample {
  NeedleKey key;
  double answer_nll = 0;            ///< nats a token of the right answer, teacher-forced
  double answer_nll_reference = 0;  ///< the same over the bf16 cache, on the same prompt
  double substring = 0;             ///< share of the answers that stand in what was generated
  std::string answer, generated;
  std::uint64_t answer_tokens = 0, generated_tokens = 0;
  std::uint64_t live_bytes = 0, bf16_bytes = 0;  ///< of the cache behind the prompt
  double bits_per_value_whole_cache = 0;         ///< 16 * live_bytes / bf16_bytes
  double seconds = 0;
};

/// The fixed circumstances of a grid. A folder holds one plan only.
struct NeedlePlan {
  Origin origin;
  std::string dtype, device;
  TapPoint tap = TapPoint::pre_rope;
  CachePolicy policy = {};
  std::uint64_t seed = 0;
  std::string chat;                                ///< "plain", or the SHA-256 of the chat template
  std::size_t prefill_chunk = 0, more_tokens = 0;  ///< generated beyond the answer's
  int draws = 0;  ///< kNeedleDraws of the prompts; of folders that do not say it 1
};

/// A cell that could not be measured, and why.
struct NeedleFailure {
  NeedleKey key;
  std::string reason;
};

/// "single, 512 tokens, depth 50 %, sample 0, codec e8:q=10".
std::string describe(const NeedleKey& key);

/// A folder of needle samples, laid out as that of a sweep (result_store.h) and written to by one process: samples.jsonl,
/// failures.jsonl, provenance.json with the plan and every run. A kill loses the sample in flight.
class NeedleStore {
 public:
  /// Opens for writing; throws as ResultStore() does: InputError naming what differs on a folder of
  /// another plan or of a sweep, IoError where another process writes, CorruptStream on damage.
  NeedleStore(const std::string& folder, const NeedlePlan& plan, const Provenance& provenance,
              std::size_t cells_planned);
  ~NeedleStore();
  NeedleStore(const NeedleStore&) = delete;
  NeedleStore& operator=(const NeedleStore&) = delete;

  /// The sample of that key; null where it is not there yet.
  const NeedleSample* find(const NeedleKey& key) const;
  const std::map<NeedleKey, NeedleSample>& samples() const { return samples_; }

  /// One line, synced. Throws InputError on a number that is not finite or a key that is there.
  void append(const NeedleSample& sample);
  void append_failure(const NeedleFailure& failure);

 private:
  std::string folder_;
  std::map<NeedleKey, NeedleSample> samples_;
  int lock_ = -1;
};

/// A folder of needle samples, read only.
struct NeedleResults {
  std::string folder;
  NeedlePlan plan;
  std::vector<Provenance> runs;   ///< at least one
  std::size_t cells_planned = 0;  ///< by the last run
  std::vector<NeedleSample> samples;
  std::vector<NeedleFailure> failures;  ///< of cells that no later run finished
};

/// Reads one, samples.jsonl.xz too where samples.jsonl is not there. Throws IoError, or CorruptStream
/// naming file and line.
NeedleResults read_needle_results(const std::string& folder);

/// How the bf16 cache does at a task and length, over all depths and samples.
struct NeedleSolved {
  std::string task;
  int length = 0;
  double substring = 0;
  bool solved = false;
};

/// Of samples over the bf16 cache, in the order in which tasks and lengths come; others are left out. Solved is a share of
/// at least `solved`, but for rounding.
std::vector<NeedleSolved> solved_tasks(const std::vector<NeedleSample>& samples, double solved);

}  // namespace kakeya
