// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/report/metric.h"
#include "kakeya/report/rates.h"
#include "kakeya/stats/interval.h"
#include "kakeya/stats/pareto.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// A codec spec taken apart (Spec): family "d4:pack=joint", rate key "q" and rate "38" of
/// "d4:q=38,pack=joint". A text whose first key is no rate, or that is no
/// spec, is a family of its own.
struct SpecParts {
  std::string family, rate_key, rate;
};
SpecParts split_spec(const std::string& text);

/// Whether a codec of samples is a plan (codec/plans.md), of which they have the label. Its family is
/// "plan:name=NAME", its rate the bits that it aims at, where it says them.
bool is_plan_label(std::string_view codec);

/// Whether it is one of kakeya-sweep --layer-study: a plan of the name "layers". Groups leave these
/// out: kakeya-report layers has them.
bool is_layer_study_label(std::string_view codec);

/// Whether it is K and V of a file, whose author claims its bits (kakeya-sweep --replace).
bool is_claimed_label(std::string_view codec);

/// The key that says the rate of each codec that is not known here, by name: of plugins.
using RateKeys = std::map<std::string, std::string, std::less<>>;
SpecParts split_spec(const std::string& text, const RateKeys& plugins);

/// Every sample of one codec (one pair of specs for K and V) in one group.
struct CodecResult {
  std::string codec_k, codec_v;
  std::string label;                   ///< the spec, or "K spec, V spec" where they differ
  std::string family;                  ///< as split_spec, of the pair
  std::string rate_keys;               ///< "q"; empty where the family has one setting only
  std::string rate;                    ///< "38", "38/10" for a pair
  std::vector<const Sample*> samples;  ///< in order of passage, each passage once
  CodedRates rates;  ///< over all samples, K and V together, of ResultGroup::bits_of
  BitsOf bits_of = BitsOf::coded_values;         ///< the group's
  double coded_bits = 0, whole_cache_bits = 0;   ///< measured, by the one and the other
  bool open_page_known = false;                  ///< knows_open_page() of all samples
  std::optional<RateLedger> ledger_k, ledger_v;  ///< sums; absent where a sample has none

  bool identity() const { return codec_k == "identity" && codec_v == "identity"; }
  std::vector<int> passages() const;
};

/// What is compared with one another: one folder of results, one mode.
struct ResultGroup {
  std::string source;  ///< the folder's name; its path where two folders have the same name
  std::string mode;
  const StoredResults* results = nullptr;
  std::vector<CodecResult> codecs;  ///< by family, then by rate; identity last
  std::vector<int> passages;        ///< of all codecs together
  /// Failed cells, unequal passage sets, passages that a profile was calibrated on, a broken
  /// control: one sentence each.
  std::vector<std::string> warnings;
  bool control_broken = false;            ///< identity is there and is not exactly zero
  BitsOf bits_of = BitsOf::coded_values;  ///< what the rates are of that are compared

  bool likelihoods() const { return mode != "distortion"; }
  std::vector<std::string> families() const;  ///< in order, identity left out
};

/// The name of one of `results` in a report: the folder's last part, or the whole path where two
/// folders end alike.
std::string display_name(const std::string& folder, std::span<const StoredResults> results);

/// The largest number of cells that a run of the folder set out to have there; 0 where no run
/// recorded it. Runs of one folder may measure different grids, so plans cannot be added up.
std::size_t planned_cells(const StoredResults& results);

/// Sorts the samples of several folders into groups: folders in the order given, modes in the order
/// inforward, decode, snapshot, prefix, distortion, others. The groups point into `results`, which must
/// outlive them. Throws InputError when there is no sample at all (saying how many were planned),
/// when a cell is stored twice, when a sample lacks the likelihoods its mode promises, or when
/// bits_per_value, whole_cache_bits_per_value or the ledgers contradict its bytes and values.
std::vector<ResultGroup> group_results(std::span<const StoredResults> results,
                                       BitsOf bits_of = BitsOf::coded_values);

/// The plan of a sweep with the layers that this codec codes: those of a plan are its own.
SweepPlan plan_for(const SweepPlan& plan, const CodecResult& codec);

/// The whole-cache bits of a codec: "4.852", "≥ 4.852" where its open pages are not known.
Cell whole_cache_cell(const CodecResult& codec);

/// A column for it.
Column whole_cache_column();

/// named_table(), with the source and the mode of `group`.
Table group_table(const ResultGroup& group, std::string name, std::string title);

/// The samples of a metric, of the passages given (all when empty), in order of passage. Throws
/// InputError when a passage is missing or the metric was not measured.
std::vector<double> series(const CodecResult& codec, const Metric& metric,
                           std::span<const int> passages = {});

/// A codec's summary of a metric: t interval of the mean, or the maximum (then without an
/// interval).
Interval summary(const CodecResult& codec, const Metric& metric);

/// Passages that both codecs have.
std::vector<int> common_passages(const CodecResult& a, const CodecResult& b);

/// The codecs as points of (measured bits per value, mean of the metric), in the group's order.
std::vector<OperatingPoint> operating_points(const ResultGroup& group, const Metric& metric);

}  // namespace kakeya
