// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kakeya/core/kv.h"
#include "kakeya/core/layer_windows.h"
#include "kakeya/core/ledger.h"
#include "kakeya/core/origin.h"
#include "kakeya/store/lease.h"
#include "kakeya/store/planned_cells.h"
#include "kakeya/store/provenance.h"
#include "kakeya/store/shard.h"
#include "kakeya/store/stream_facts.h"

namespace kakeya {

struct StoreHead;

/// What makes a cell of a sweep that cell. Two cells with equal keys are the same measurement.
struct CellKey {
  std::string codec_k, codec_v;  ///< canonical specs
  int passage = 0;
  std::string
      mode;  ///< "inforward", "snapshot", "prefix", "decode" or "distortion" (over a dump: no
             ///< likelihoods)
  bool operator==(const CellKey&) const = default;
  auto operator<=>(const CellKey&) const = default;
};

/// The most that `identity` may move the predictions of a passage in mode "decode", mean KL
/// divergence in nats: steps sum in another order than the reference pass, and rounding the cache to
/// bf16 makes that visible: 1e-5 was measured in float32 (SmolLM2-135M), and bf16 arithmetic alone
/// moves 7e-4. In all other modes it moves nothing.
inline constexpr double kLargestStepChange = 0.002;

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Distortion of one layer in one cell. Values not measured are NaN in memory and absent from JSON.
struct LayerSample {
  int layer = 0;
  double rel_mse_k = kNotMeasured,
         rel_mse_v = kNotMeasured;  ///< sum ||x - x'||^2 / sum ||x||^2 over coded vectors
  double cosine_k = kNotMeasured, cosine_v = kNotMeasured;  ///< mean over vectors
};

/// The splits that passages can be of, as stored in plans and given on the command line.
inline constexpr std::string_view kSplits = "development or held-out";
inline constexpr std::string_view kDevelopment = "development", kHeldOut = "held-out";
inline bool is_split(std::string_view text) { return text == kDevelopment || text == kHeldOut; }

/// Means over the scored tokens of one octave of positions in the window: 1 to 63, 64 to 127, 128 to 255 ...
struct PositionSample {
  std::uint64_t first = 0;                               ///< position of the first that is scored
  std::uint64_t tokens = 0;                              ///< scored
  double nll_reference = 0, nll = 0, kld = 0, top1 = 0;  ///< as those of Sample
  bool operator==(const PositionSample&) const = default;
};

/// One finished cell: raw, nothing rounded. Optional fields are those a distortion-only sweep
/// cannot have.
struct Sample {
  CellKey key;
  std::string split = {};  ///< SweepPlan::split; absent in files where it is empty
  std::optional<double> nll_reference, nll;  ///< mean over scored tokens, nats
  std::optional<double> delta_ppl;  ///< (ppl - ppl_reference) / ppl_reference, signed fraction
  std::optional<double> kld_mean, kld_max;  ///< KL(reference || coded), nats, over scored tokens
  /// The largest |q(word) - p(word)| over the vocabulary and the scored tokens. Absent in older samples.
  std::optional<double> delta_p_max = {};
  std::optional<double> top1;  ///< share of scored positions whose most likely token stayed
  double rel_mse_k = 0, rel_mse_v = 0;  ///< mean over coded layers
  double cosine_k = 0, cosine_v = 0;
  std::uint64_t values =
      0;  ///< scalars coded (exact tokens of coded layers included, which are stored as bf16)
  std::uint64_t bytes_written = 0;  ///< of those values: frames, side tables, exact tokens
  double bits_per_value = 0;        ///< of the coded values: 8 * bytes_written / values
  std::optional<double> nominal_bits_per_value;  ///< published formula over the same values; absent
                                                 ///< where none was published
  std::optional<double> codebook_bits_per_value;
  /// What the vectors of K and of V cost by every counting. The exact tokens (sinks, residual
  /// window) are in each of them, 16 bits a scalar in those by formula, so that all are of the same
  /// values; a codec's tables for both parts are booked with K. Absent in samples of schema 1. Of a
  /// codec of whole tokens, all is in ledger_k.
  std::optional<RateLedger> ledger_k, ledger_v;
  std::uint64_t cache_values = 0,
                cache_bytes = 0;  ///< the whole cache, skipped layers as bf16 included; pages
                                  ///< that are not full as they were written
  /// Of the coded values. Absent in older samples.
  std::optional<OpenPages> open_page;
  /// Of the whole cache, by whole_cache_bits() (whole_cache.h). Absent in older samples.
  std::optional<double> whole_cache_bits_per_value;
  /// Of the profile: what a reader has to have once, in no rate. Absent where there is none, and in older samples.
  std::optional<std::uint64_t> profile_bytes = {};
  /// forward_seconds: to the final norm's output; the output matrix belongs to the comparison. In mode
  /// decode, and of a model in a host, with the output matrix.
  double encode_seconds = 0, decode_seconds = 0, forward_seconds = 0, cell_seconds = 0;
  std::uint64_t visits = 0;  ///< how many (layer, part) the codec coded
  std::vector<LayerSample> layers;
  std::vector<PositionSample> positions = {};  ///< of a text's window; absent in other samples
  std::vector<double> nll_tokens, kld_tokens, nll_reference_tokens;  ///< one a scored token
  std::vector<std::uint8_t> top1_tokens;
};

/// What another forward of the model does to a passage with nothing coded: what KL divergences are to be
/// seen beside. Against the reference pass, as a Sample.
struct ControlSample {
  std::string
      control;  ///< "bf16" or "fp32": the arithmetic; "fused": the attention; "decode": steps
  int passage = 0;
  int run = 0;  ///< which entry of provenance.json made it, from 0
  double nll_reference = 0, nll = 0, delta_ppl = 0, kld_mean = 0, kld_max = 0, top1 = 0;
  double forward_seconds = 0;
  std::vector<PositionSample> positions = {};  ///< of a text's window; absent in other controls
  std::vector<double> nll_tokens, kld_tokens;  ///< one a scored token
  std::vector<std::uint8_t> top1_tokens;
};

/// The fixed circumstances of a sweep: everything that is not the cell's key. A folder holds one
/// plan only.
struct SweepPlan {
  Origin origin;
  std::string dtype, device;
  KvShape shape;
  TapPoint tap = TapPoint::pre_rope;
  int context = 0, scored = 0;
  CachePolicy policy = {};  ///< in files without its layers, and without a residual window of 0
  std::uint64_t seed = 0;
  LayerWindows windows = {};  ///< absent in files where no layer has one or nobody knows
  /// How a text file was cut into passages: "tokens" or "published". Empty, and absent in files,
  /// where nothing was cut; and in older files, where it was "published".
  std::string cut = {};
  /// How kakeya-perplexity cut a text into windows and what stands first in each: "all, BOS 2", "sliding,
  /// stride 512". Empty, and absent in files, of a sweep; and in older files, where nobody knows.
  std::string scoring = {};
  /// Which passages these are: "development", on which choices were made, or "held-out". Empty, and
  /// absent in files, where nobody said.
  std::string split = {};
  /// Which lines of the text are of which split, "development 1-1951, held-out 1952-4358": every passage
  /// was held against it. Empty, and absent in files, where no file said so.
  std::string split_lines = {};
  std::optional<StreamFacts> stream = {};  ///< of a sweep over a dump of one; absent in other files
  bool operator==(const SweepPlan&) const = default;
};

/// A cell that could not be measured, and why.
struct Failure {
  CellKey key;
  std::string reason;
};

/// A folder of results: samples.jsonl (one line a finished cell, appended and flushed whole),
/// failures.jsonl (one line a failed cell: key and reason), controls.jsonl where there are controls (one
/// line each), provenance.json (the plan, and one
/// entry a run with `first_sample`, the number of samples there were when it began: run r made the
/// lines from its own first_sample up to the next run's; and `cells_planned`, which older folders
/// lack), .writer (a Lease of the writer).
///
/// Shards of a sweep write to one folder at once, each to files of its own: samples.2-of-8.jsonl,
/// failures.2-of-8.jsonl, controls.2-of-8.jsonl, provenance.2-of-8.json, .writer.2-of-8. The plan that all of
/// them have is in provenance.json too, which the first of them writes. What is in any file is
/// finished, for a later run of whatever division. A folder has writers of one division at a time.
///
/// A number is written in the shortest form that reads back as the same double. An absent optional
/// field is null. Readers refuse a key that is unknown or missing in the record's schema, but for
/// `cells_planned`, "recent", `windows` and `cut` of a plan, `beyond_profile_values` of a ledger,
/// `open_page`, `whole_cache_bits_per_value` (`bits_per_value_whole_cache`), `profile_bytes`, `positions` and `split` of a sample, `positions` of a control, `scoring`, `split`, `split_lines` and `stream` of a plan, `planned` of a run. Samples are written in schema 2; those of schema 1, which has no ledgers, are read too.
///
/// A folder holds one split. One whose plan names none is taken for one of kDevelopment when that is
/// asked for, and is one from then on: its older samples name none. One whose plan has no `split_lines` takes
/// those that are asked for, where all of its samples are of passages that are asked for too: those are known to
/// lie within the lines.
/// Not thread-safe.
class ResultStore {
 public:
  /// What a run says beside its plan.
  struct Writer {
    Shard shard = {};
    std::optional<PlannedCells> planned = {};
    LeaseWait lease = {};
  };

  /// Opens for writing: makes the folder, reads what is there (a last line cut short by a kill is
  /// dropped and truncated away), and adds this run to provenance.json. `cells_planned` is how many
  /// cells the run sets out to have in the folder, those found there included; a report says
  /// whether they are. Throws InputError when the folder holds results of another plan, naming what
  /// differs, IoError when another process writes the same shard, or shards of another number;
  /// CorruptStream when what is there is damaged; StoppedWaiting.
  ResultStore(const std::string& folder, const SweepPlan& plan, const Provenance& provenance,
              std::optional<std::size_t> cells_planned, const Writer& writer);
  ResultStore(const std::string& folder, const SweepPlan& plan, const Provenance& provenance,
              std::optional<std::size_t> cells_planned = std::nullopt);
  ResultStore(ResultStore&& other) noexcept = default;
  ResultStore& operator=(ResultStore&&) = delete;

  const Shard& shard() const { return shard_; }

  /// Says what is done now, for those who look (kakeya-sweep status).
  void tell(const std::string& now, std::size_t done, std::size_t total);

  bool contains(const CellKey& key) const;

  /// Appends one line, with the plan's split, in one write and syncs it to the disk. Throws InputError on a non-finite
  /// number or a cell that is there already; IoError when the line cannot be written, the file then
  /// being what it was before.
  void append(const Sample& sample);

  /// The cell stays unfinished: a later run tries it again.
  void append_failure(const CellKey& key, const std::string& reason);

  /// Appends a control of this run, as append(). One that is there already is refused.
  bool contains_control(const std::string& control, int passage) const;
  void append_control(const ControlSample& sample);

  std::size_t finished() const;

 private:
  StoreHead open_plan(const SweepPlan& plan, const Writer& writer) const;

  std::string folder_, split_;
  Shard shard_;
  std::vector<CellKey> keys_;  ///< sorted; of all files
  std::set<std::pair<std::string, int>> controls_;
  int run_ = 0;
  std::unique_ptr<Lease> lock_;
};

/// A folder of results, read only.
struct StoredResults {
  std::string folder;
  SweepPlan plan;
  std::vector<Provenance> runs;
  std::vector<std::size_t>
      first_samples;  ///< of each run: index of its first sample, if it made any
  std::vector<std::optional<std::size_t>>
      cells_planned;  ///< of each run; nothing where its version did not record it
  std::vector<std::optional<PlannedCells>> planned = {};  ///< likewise
  std::vector<Sample> samples;
  std::vector<ControlSample> controls = {};
  std::vector<Failure> failures =
      {};  ///< of cells that no later run finished, the last reason of each
};

/// Reads a folder that a sweep, whole or in shards, has written or is writing (a last line still without its
/// end is left out); of one whose samples or controls are there as .xz alone, these. Samples and runs of
/// the whole sweep come first, then those of each shard. Throws IoError, or CorruptStream naming the
/// file and line; where a cell is there twice with other numbers, or shards have other plans, too.
StoredResults read_results(const std::string& folder);

/// Whether shards have written to a folder of results.
bool has_shards(const std::string& folder);

/// Whether a file of this name holds samples, controls or the provenance of a sweep or a shard of one, packed or not.
bool is_result_file(const std::string& name);

}  // namespace kakeya
