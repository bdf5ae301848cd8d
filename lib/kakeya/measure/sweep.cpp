// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/sweep.h"

#include <cstdint>
#include <optional>
#include <set>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/mode.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

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
  if (sample.key.mode == mode_name(EvalMode::decode)) {
    if (*sample.kld_mean <= kLargestStepChange) return {};
    return "KL divergence of " + std::to_string(*sample.kld_mean) + " nats, expected at most " +
           std::to_string(kLargestStepChange);
  }
  if (differs(sample.kld_max, 0)) return "KL divergence up to " + std::to_string(*sample.kld_max);
  if (differs(sample.delta_ppl, 0)) return "delta-ppl " + std::to_string(*sample.delta_ppl);
  if (differs(sample.top1, 1)) return "top-1 agreement " + std::to_string(*sample.top1);
  return {};
}

std::optional<double> per_value(std::optional<double> bits, std::uint64_t values) {
  return bits ? std::optional(*bits / static_cast<double>(values)) : std::nullopt;
}

/// Tables that a reader needs once: once for each of two different codecs.
void add_side_tables(RateLedger& keys, RateLedger& values, const GridCell& cell) {
  if (cell.tokens) {
    keys.table_bits += 8 * cell.tokens->side_bytes();
    return;
  }
  if (!cell.keys) return;  // K and V of a file: what they take is claimed
  keys.table_bits += 8 * cell.keys->side_bytes();
  if (cell.plan || cell.specs.keys != cell.specs.values) {
    values.table_bits += 8 * cell.values->side_bytes();
  }
}

void fill_distortion(Sample& sample, const CodingRecord& record, bool keys_are_values) {
  for (const CodingRecord::Layer& layer : record.layers) {
    const Distortion& values = keys_are_values ? layer.keys : layer.values;
    sample.layers.push_back({layer.layer, layer.keys.rel_mse(), values.rel_mse(),
                             layer.keys.mean_cosine(), values.mean_cosine()});
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
       const std::function<void(const SweepEvent&)>& notify, const std::function<bool()>& stopped)
      : subject_(subject), store_(store), notify_(notify), stopped_(stopped) {}

  SweepOutcome run(const std::vector<GridCell>& grid) {
    if (grid.empty() || !grid.front().is_identity()) {
      throw InputError("sweep: expected identity as the first codec");
    }
    for (const GridCell& cell : grid) subject_.check(cell);
    const std::vector<std::string> modes = subject_.modes();
    for (const int passage : passages()) {
      for (const GridCell& cell : grid) {
        for (const std::string& mode : modes) {
          const CellKey key = key_of(cell, mode, passage);
          if (!store_.shard().has(key)) continue;
          ++outcome_.total;
          if (store_.contains(key)) ++outcome_.already;
        }
      }
    }
    try {
      for (const int passage : passages()) run_passage(grid, modes, passage);
    } catch (const StoppedWaiting&) {
      outcome_.stopped = true;
    }
    tell({});
    outcome_.reference_seconds = subject_.reference_seconds();
    return outcome_;
  }

 private:
  static CellKey key_of(const GridCell& cell, const std::string& mode, int passage) {
    return {cell.specs.keys, cell.specs.values, passage, mode};
  }

  /// In the order of this shard.
  std::vector<int> passages() const {
    const int count = subject_.passages();
    const Shard& shard = store_.shard();
    std::vector<int> order;
    for (int i = 0; i < count; ++i) {
      const auto begin = static_cast<std::int64_t>(shard.index - 1) * count / shard.count;
      order.push_back(subject_.first_passage() + static_cast<int>((begin + i) % count));
    }
    return order;
  }

  bool lacks(const CellKey& key) const { return store_.shard().has(key) && !store_.contains(key); }

  void tell(const std::string& now) {
    const std::size_t done = outcome_.already + outcome_.finished + outcome_.failed.size();
    store_.tell(now, done, outcome_.total);
    if (notify_) notify_({done, outcome_.total, outcome_.already, now});
  }

  bool stops() {
    outcome_.stopped = outcome_.stopped || (stopped_ && stopped_());
    return outcome_.stopped;
  }

  void run_passage(const std::vector<GridCell>& grid, const std::vector<std::string>& modes,
                   int passage) {
    std::vector<std::string> pending;
    for (const std::string& mode : modes) {
      for (const GridCell& cell : grid) {
        if (!cell.failure.empty() || !lacks(key_of(cell, mode, passage))) continue;
        pending.push_back(mode);
        break;
      }
    }
    if (!pending.empty()) {
      if (stops()) return;
      tell("reference passage " + std::to_string(passage));
      subject_.start_passage(passage, pending);
      if (!store_.shard().whole()) control(grid.front(), pending, passage);
    }
    for (const GridCell& cell : grid) {
      for (const std::string& mode : modes) {
        const CellKey key = key_of(cell, mode, passage);
        if (!lacks(key)) continue;
        if (stops()) return;
        run_cell(cell, key);
      }
    }
  }

  /// Once in every mode, and once more against a pass that was read: what this process computes is
  /// what the reference pass was.
  void control(const GridCell& identity, const std::vector<std::string>& pending, int passage) {
    for (const std::string& mode : pending) {
      const CellKey key = key_of(identity, mode, passage);
      const bool first = controlled_.insert({mode, subject_.reference_was_read()}).second;
      if (!first || lacks(key)) continue;
      if (stops()) return;
      tell("control, " + describe(key));
      Sample sample = subject_.measure(identity, mode);
      sample.key = key;
      if (const std::string change = change_of(sample); !change.empty()) {
        throw Error(describe(key) + ": " + change +
                    ": expected no change: the reference pass was made by a machine of "
                    "another kind, which needs a folder of its own, or the harness is at fault");
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
      if (stops()) return;  // whoever asks for the end may have ended what the cell needs
      fail(key, error.what());
      if (cell.is_identity()) throw Error(describe(key) + ": " + error.what());
      return;
    }
    sample.key = key;
    fill_rates(sample, cell);
    sample.cell_seconds = seconds_since(started);
    if (const std::string change = change_of(sample); cell.is_identity() && !change.empty()) {
      const bool steps = key.mode == mode_name(EvalMode::decode);
      const std::string reason =
          change + (steps ? ": the harness is at fault"
                          : ": expected exactly no change, the harness is at fault");
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
  const std::function<bool()>& stopped_;
  std::set<std::pair<std::string, bool>> controlled_;  // mode, whether the pass was read
  SweepOutcome outcome_;
};

}  // namespace

SweepOutcome run_sweep(SweepSubject& subject, const std::vector<GridCell>& grid, ResultStore& store,
                       const std::function<void(const SweepEvent&)>& notify,
                       const std::function<bool()>& stopped) {
  return Loop(subject, store, notify, stopped).run(grid);
}

PlannedCells cells_of(const SweepSubject& subject, const std::vector<GridCell>& grid) {
  PlannedCells planned;
  for (const GridCell& cell : grid) planned.codecs.push_back({cell.specs.keys, cell.specs.values});
  planned.modes = subject.modes();
  planned.first_passage = subject.first_passage();
  planned.passages = subject.passages();
  return planned;
}

void fill_rates(Sample& sample, const GridCell& cell) {
  sample.whole_cache_bits_per_value = whole_cache_bits(sample);
  if (const std::uint64_t bytes = cell.profile_bytes(); bytes > 0) sample.profile_bytes = bytes;
}

void fill_coding(Sample& sample, const GridCell& cell, const CodingRecord& record,
                 const CachePolicy& policy, std::size_t tokens, std::size_t heads, std::size_t dim,
                 std::uint64_t parts) {
  const auto layers = static_cast<std::uint64_t>(policy.coded_layers());
  const std::uint64_t part_values = tokens * heads * dim;
  const std::uint64_t expected = parts * layers * part_values;
  RateLedger keys = record.ledger_k, values = record.ledger_v;
  add_side_tables(keys, values, cell);
  RateLedger both = keys;
  both.merge(values);
  bool whole = record.visits == parts * layers && both.values == expected;
  for (const CodingRecord::Layer& layer : record.layers) {
    const std::uint64_t in_keys = layer.keys.vectors(), in_values = layer.values.vectors();
    const bool both_parts = in_values > 0 && (record.sealed_only || in_keys == in_values);
    whole = whole && in_keys > 0 && (parts == 1 ? in_values == 0 : both_parts);
  }
  if (!whole) {
    throw InputError("the codec coded " + std::to_string(record.visits) + " parts and " +
                     std::to_string(both.values) + " values, expected " +
                     std::to_string(parts * layers) + " parts (" + (parts == 1 ? "K" : "K and V") +
                     " of " + std::to_string(layers) + " layers) and " + std::to_string(expected) +
                     " values");
  }
  fill_distortion(sample, record, parts == 1);
  sample.visits = record.visits;
  sample.values = both.values;
  sample.bytes_written = both.written_bits() / 8;
  sample.bits_per_value =
      8.0 * static_cast<double>(sample.bytes_written) / static_cast<double>(sample.values);
  sample.nominal_bits_per_value = per_value(both.nominal_bits, both.values);
  sample.codebook_bits_per_value = per_value(both.codebook_bits, both.values);
  sample.ledger_k = keys;
  sample.ledger_v = values;
  const std::uint64_t skipped_values =
      parts * static_cast<std::uint64_t>(policy.layers - policy.coded_layers()) * part_values;
  sample.cache_values = sample.values + skipped_values;
  sample.cache_bytes = sample.bytes_written + 2 * skipped_values;
  sample.open_page = record.open_pages;
  sample.encode_seconds = record.encode_seconds;
  sample.decode_seconds = record.decode_seconds;
}

}  // namespace kakeya
