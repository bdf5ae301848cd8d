// SPDX-License-Identifier: Apache-2.0
#include "kakeya/eval/sweep.h"

#include <chrono>
#include <optional>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

using Clock = std::chrono::steady_clock;

std::string describe(const CellKey& key) {
  const std::string codecs =
      key.codec_k == key.codec_v ? key.codec_k : "k " + key.codec_k + " v " + key.codec_v;
  return codecs + " " + key.mode + " passage " + std::to_string(key.passage);
}

/// What `identity` changed, or nothing.
std::string change_of(const Sample& sample) {
  const auto differs = [](const std::optional<double>& value, double expected) {
    return value && *value != expected;
  };
  if (sample.rel_mse_k != 0) return "rel-MSE of keys " + std::to_string(sample.rel_mse_k);
  if (sample.rel_mse_v != 0) return "rel-MSE of values " + std::to_string(sample.rel_mse_v);
  if (differs(sample.kld_max, 0)) return "KL divergence up to " + std::to_string(*sample.kld_max);
  if (differs(sample.delta_ppl, 0)) return "delta-ppl " + std::to_string(*sample.delta_ppl);
  if (differs(sample.top1, 1)) return "top-1 agreement " + std::to_string(*sample.top1);
  return {};
}

/// The published or the exact rate of both parts over all their values, or nothing where a codec
/// has none.
std::optional<double> nominal_rate(const std::optional<double>& keys,
                                   const std::optional<double>& values, std::uint64_t coded_vectors,
                                   std::uint64_t sink_values, std::uint64_t all_values) {
  if (!keys || !values) return std::nullopt;
  const double bits = (*keys + *values) * static_cast<double>(coded_vectors) +
                      16.0 * static_cast<double>(sink_values);
  return bits / static_cast<double>(all_values);
}

void fill_distortion(Sample& sample, const CodingRecord& record) {
  for (const CodingRecord::Layer& layer : record.layers) {
    sample.layers.push_back({layer.layer, layer.keys.rel_mse(), layer.values.rel_mse(),
                             layer.keys.mean_cosine(), layer.values.mean_cosine()});
    const LayerSample& last = sample.layers.back();
    sample.rel_mse_k += last.rel_mse_k;
    sample.rel_mse_v += last.rel_mse_v;
    sample.cosine_k += last.cosine_k;
    sample.cosine_v += last.cosine_v;
  }
  const auto layers = static_cast<double>(record.layers.size());
  sample.rel_mse_k /= layers;
  sample.rel_mse_v /= layers;
  sample.cosine_k /= layers;
  sample.cosine_v /= layers;
}

class Loop {
 public:
  Loop(SweepSubject& subject, ResultStore& store,
       const std::function<void(const SweepEvent&)>& notify)
      : subject_(subject), store_(store), notify_(notify) {}

  SweepOutcome run(const std::vector<GridCell>& grid) {
    if (grid.empty() || !grid.front().is_identity()) {
      throw InputError("sweep: expected identity as the first codec");
    }
    const std::vector<std::string> modes = subject_.modes();
    const auto passages = static_cast<std::size_t>(subject_.passages());
    outcome_.total = passages * grid.size() * modes.size();
    for (int passage = 0; passage < subject_.passages(); ++passage) {
      for (const GridCell& cell : grid) {
        for (const std::string& mode : modes) {
          if (store_.contains(key_of(cell, mode, passage))) ++outcome_.already;
        }
      }
    }
    for (int passage = 0; passage < subject_.passages(); ++passage) {
      run_passage(grid, modes, passage);
    }
    tell({});
    outcome_.reference_seconds = subject_.reference_seconds();
    return outcome_;
  }

 private:
  static CellKey key_of(const GridCell& cell, const std::string& mode, int passage) {
    return {cell.specs.keys, cell.specs.values, passage, mode};
  }

  void tell(const std::string& now) const {
    const std::size_t done = outcome_.already + outcome_.finished + outcome_.failed.size();
    if (notify_) notify_({done, outcome_.total, outcome_.already, now});
  }

  void run_passage(const std::vector<GridCell>& grid, const std::vector<std::string>& modes,
                   int passage) {
    std::vector<std::string> pending;
    for (const std::string& mode : modes) {
      for (const GridCell& cell : grid) {
        if (!cell.failure.empty() || store_.contains(key_of(cell, mode, passage))) continue;
        pending.push_back(mode);
        break;
      }
    }
    if (!pending.empty()) {
      tell("reference passage " + std::to_string(passage));
      subject_.start_passage(passage, pending);
    }
    for (const GridCell& cell : grid) {
      for (const std::string& mode : modes) {
        const CellKey key = key_of(cell, mode, passage);
        if (!store_.contains(key)) run_cell(cell, key);
      }
    }
  }

  void run_cell(const GridCell& cell, const CellKey& key) {
    tell(describe(key));
    if (!cell.failure.empty()) return fail(key, cell.failure);
    Sample sample;
    const auto started = Clock::now();
    try {
      sample = subject_.measure(cell, key.mode);
    } catch (const Error& error) {
      fail(key, error.what());
      if (cell.is_identity()) throw Error(describe(key) + ": " + error.what());
      return;
    }
    sample.key = key;
    sample.cell_seconds = std::chrono::duration<double>(Clock::now() - started).count();
    if (const std::string change = change_of(sample); cell.is_identity() && !change.empty()) {
      const std::string reason = change + ": expected exactly no change, the harness is at fault";
      fail(key, reason);
      throw Error(describe(key) + ": " + reason);
    }
    try {
      store_.append(sample);
    } catch (const InputError& error) {  // a number that is not finite; nothing was written
      return fail(key, error.what());
    }
    ++outcome_.finished;
    outcome_.cell_seconds += sample.cell_seconds;
    outcome_.forward_seconds += sample.forward_seconds;
  }

  void fail(const CellKey& key, const std::string& reason) {
    store_.append_failure(key, reason);
    outcome_.failed.push_back({key, reason});
  }

  SweepSubject& subject_;
  ResultStore& store_;
  const std::function<void(const SweepEvent&)>& notify_;
  SweepOutcome outcome_;
};

}  // namespace

SweepOutcome run_sweep(SweepSubject& subject, const std::vector<GridCell>& grid, ResultStore& store,
                       const std::function<void(const SweepEvent&)>& notify) {
  return Loop(subject, store, notify).run(grid);
}

void fill_coding(Sample& sample, const GridCell& cell, const CodingRecord& record,
                 const CachePolicy& policy, std::size_t tokens, std::size_t heads,
                 std::size_t dim) {
  const auto layers = static_cast<std::uint64_t>(policy.coded_layers());
  const std::uint64_t part_values = tokens * heads * dim;
  const std::uint64_t expected = 2 * layers * part_values;
  bool whole = record.visits == 2 * layers && record.values == expected;
  for (const CodingRecord::Layer& layer : record.layers) {
    whole = whole && layer.keys.vectors() > 0 && layer.keys.vectors() == layer.values.vectors();
  }
  if (!whole) {
    throw InputError("the codec coded " + std::to_string(record.visits) + " parts and " +
                     std::to_string(record.values) + " values, expected " +
                     std::to_string(2 * layers) + " parts (K and V of " + std::to_string(layers) +
                     " layers) and " + std::to_string(expected) + " values");
  }
  fill_distortion(sample, record);
  const std::uint64_t sink_values =
      2 * layers * static_cast<std::uint64_t>(policy.sinks) * heads * dim;
  const std::uint64_t coded_vectors =
      (expected - sink_values) / (2 * dim);  // of K, and as many of V
  sample.visits = record.visits;
  sample.values = record.values;
  // Tables that a reader needs once: once for each of two different codecs.
  const std::uint64_t side_bytes =
      cell.keys->side_bytes() +
      (cell.specs.keys == cell.specs.values ? 0 : cell.values->side_bytes());
  sample.bytes_written = record.frame_bytes + record.sink_bytes + side_bytes;
  sample.bits_per_value =
      8.0 * static_cast<double>(sample.bytes_written) / static_cast<double>(sample.values);
  const Rates keys = cell.keys->rates(), values = cell.values->rates();
  sample.charged_bits_per_value =
      nominal_rate(keys.charged_bits_per_vector, values.charged_bits_per_vector, coded_vectors,
                   sink_values, expected);
  sample.exact_bits_per_value =
      nominal_rate(keys.exact_bits_per_vector, values.exact_bits_per_vector, coded_vectors,
                   sink_values, expected);
  const std::uint64_t boundary_values =
      2 * 2 * static_cast<std::uint64_t>(policy.boundary) * part_values;
  sample.cache_values = sample.values + boundary_values;
  sample.cache_bytes = sample.bytes_written + 2 * boundary_values;
  sample.encode_seconds = record.encode_seconds;
  sample.decode_seconds = record.decode_seconds;
}

}  // namespace kakeya
