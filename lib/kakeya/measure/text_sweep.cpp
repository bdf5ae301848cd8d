// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/text_sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "kakeya/core/error.h"
#include "kakeya/measure/by_position.h"
#include "kakeya/measure/sweep.h"
#include "kakeya/store/whole_cache.h"

namespace kakeya {
namespace {

const std::string kMode(mode_name(EvalMode::in_forward));

/// One window after the other as a passage of its own: windows differ in what they score.
class WindowSubject {
 public:
  WindowSubject(Model& model, const ScoredText& text, const TextSettings& settings,
                WorkerPool& pool)
      : model_(model), text_(text), settings_(settings), pool_(pool), passages_(1) {}

  /// Makes ready for a window. Throws InputError where it is too short for the policy.
  void take(std::size_t window) {
    const Window& of = text_.windows[window];
    if (!subject_ || of.first_scored - of.begin != context_ || text_.scored(window) != scored_) {
      context_ = of.first_scored - of.begin;
      scored_ = text_.scored(window);
      subject_.reset();
      passages_[0] = {text_.tokens_of(window), {}};
      subject_ = std::make_unique<ModelSubject>(model_, passages_,
                                                ModelSubject::Settings{{EvalMode::in_forward},
                                                                       context_,
                                                                       scored_,
                                                                       settings_.policy,
                                                                       settings_.tap,
                                                                       settings_.on_device},
                                                pool_);
    } else {
      passages_[0].tokens = text_.tokens_of(window);
    }
  }

  /// Runs the reference pass of the window taken.
  void start() { subject_->start_passage(0, {kMode}); }

  void check(const GridCell& cell) const { subject_->check(cell); }

  Sample measure(const GridCell& cell, std::size_t window) {
    Sample sample = subject_->measure(cell, kMode);
    sample.positions = by_position(sample, context_);
    sample.key = {cell.specs.keys, cell.specs.values, text_.passage_of(window), kMode};
    fill_rates(sample, cell);
    return trimmed(std::move(sample));
  }

  /// The window taken in another model's forward, nothing coded.
  Sample measure_forward(Model& other) {
    Sample sample = subject_->measure_forward(other);
    sample.positions = by_position(sample, context_);
    return trimmed(std::move(sample));
  }

 private:
  Sample trimmed(Sample sample) const {
    if (settings_.token_arrays) return sample;
    sample.nll_tokens.clear();
    sample.kld_tokens.clear();
    sample.nll_reference_tokens.clear();
    sample.top1_tokens.clear();
    return sample;
  }

  Model& model_;
  const ScoredText& text_;
  const TextSettings& settings_;
  WorkerPool& pool_;
  std::vector<Passage> passages_;  // the one of now
  std::unique_ptr<ModelSubject> subject_;
  std::size_t context_ = 0, scored_ = 0;
};

void require_unchanged(const Sample& sample, const std::string& where) {
  if (sample.kld_max == 0.0 && sample.delta_ppl == 0.0 && sample.top1 == 1.0 &&
      sample.rel_mse_k == 0 && sample.rel_mse_v == 0) {
    return;
  }
  throw Error(where + ": KL divergence up to " + std::to_string(sample.kld_max.value_or(0)) +
              ", delta-ppl " + std::to_string(sample.delta_ppl.value_or(0)) + ", rel-MSE " +
              std::to_string(sample.rel_mse_k) + " and " + std::to_string(sample.rel_mse_v) +
              ": expected exactly no change, the harness is at fault");
}

class TextLoop {
 public:
  TextLoop(Model& model, const ScoredText& text, const std::vector<GridCell>& grid,
           const TextSettings& settings, WorkerPool& pool, ResultStore* store,
           const std::function<void(const TextProgress&)>& notify)
      : text_(text),
        grid_(grid),
        store_(store),
        notify_(notify),
        subject_(model, text, settings, pool) {}

  std::vector<std::vector<Sample>> run(std::span<const Sample> stored) {
    std::map<CellKey, const Sample*> known;
    for (const Sample& sample : stored) known.emplace(sample.key, &sample);
    const std::size_t windows = text_.windows.size();
    std::vector<std::vector<Sample>> samples(grid_.size() - 1, std::vector<Sample>(windows));
    std::vector<std::vector<bool>> there(grid_.size(), std::vector<bool>(windows, false));
    progress_.total = windows * (store_ ? grid_.size() : grid_.size() - 1) + (store_ ? 0 : 1);
    for (std::size_t cell = 0; cell < grid_.size(); ++cell) {
      for (std::size_t window = 0; window < windows; ++window) {
        const auto at = known.find(key_of(cell, window));
        if (at == known.end()) continue;
        there[cell][window] = true;
        if (cell > 0) samples[cell - 1][window] = *at->second;
        ++progress_.already;
      }
    }
    progress_.done = progress_.already;
    for (std::size_t window = 0; window < windows; ++window) {
      bool started = false;
      for (std::size_t cell = 0; cell < grid_.size(); ++cell) {
        if (there[cell][window] || (cell == 0 && !store_ && window > 0)) continue;
        if (!std::exchange(started, true)) start(window);
        Sample sample = measure(cell, window);
        if (cell > 0) samples[cell - 1][window] = std::move(sample);
      }
    }
    tell({});
    return samples;
  }

 private:
  CellKey key_of(std::size_t cell, std::size_t window) const {
    return {grid_[cell].specs.keys, grid_[cell].specs.values, text_.passage_of(window), kMode};
  }

  /// "window 3 of 590"; of a part of a text, "window 203 of 201 to 300".
  std::string number_of(std::size_t window) const {
    const std::size_t first = text_.first_window;
    return "window " + std::to_string(first + window + 1) + " of " +
           (first > 0 ? std::to_string(first + 1) + " to " : "") +
           std::to_string(first + text_.windows.size());
  }

  std::string where(std::size_t cell, std::size_t window) const {
    return grid_[cell].specs.label() + ", " + number_of(window);
  }

  void tell(const std::string& now) {
    progress_.now = now;
    if (notify_) notify_(progress_);
  }

  void start(std::size_t window) {
    tell("reference, " + number_of(window));
    subject_.take(window);
    if (!std::exchange(checked_, true)) {
      for (const GridCell& cell : grid_) subject_.check(cell);
    }
    subject_.start();
  }

  Sample measure(std::size_t cell, std::size_t window) {
    tell(where(cell, window));
    if (!grid_[cell].failure.empty()) {
      throw InputError(where(cell, window) + ": " + grid_[cell].failure);
    }
    Sample sample;
    try {
      sample = subject_.measure(grid_[cell], window);
    } catch (const Error& error) {
      throw Error(where(cell, window) + ": " + error.what());
    }
    if (grid_[cell].is_identity()) require_unchanged(sample, where(cell, window));
    if (store_) store_->append(sample);
    ++progress_.done;
    return sample;
  }

  const ScoredText& text_;
  const std::vector<GridCell>& grid_;
  ResultStore* store_;
  const std::function<void(const TextProgress&)>& notify_;
  WindowSubject subject_;
  TextProgress progress_;
  bool checked_ = false;
};

}  // namespace

std::vector<std::int32_t> ScoredText::tokens_of(std::size_t window) const {
  const Window& of = windows[window];
  const auto seen = tokens.subspan(of.begin, of.end - of.begin);
  std::vector<std::int32_t> given(seen.begin(), seen.end());
  if (bos) given.front() = *bos;
  return given;
}

std::vector<std::vector<Sample>> measure_text(
    Model& model, const ScoredText& text, const std::vector<GridCell>& grid,
    const TextSettings& settings, WorkerPool& pool, ResultStore* store,
    std::span<const Sample> stored, const std::function<void(const TextProgress&)>& notify) {
  if (grid.empty() || !grid.front().is_identity())
    throw InputError("text: expected identity as the first codec");
  if (text.windows.empty()) throw InputError("text: expected at least one window");
  return TextLoop(model, text, grid, settings, pool, store, notify).run(stored);
}

ControlPassages control_windows(Model& model, const ModelOptions& options, const ScoredText& text,
                                const TextSettings& settings, WorkerPool& pool) {
  std::vector<std::string> controls = controls_of(options);
  std::erase(controls, mode_name(EvalMode::decode));
  const auto windows = std::make_shared<WindowSubject>(model, text, settings, pool);
  return {text.passage_of(0), static_cast<int>(text.windows.size()), std::move(controls),
          [windows, &text](int passage, Model* other) {
            windows->take(static_cast<std::size_t>(passage) - text.first_window);
            windows->start();
            return windows->measure_forward(*other);
          }};
}

TextScore score_of_text(const ScoredText& text, std::span<const Sample> samples) {
  if (samples.size() != text.windows.size()) {
    throw InputError(std::to_string(samples.size()) + " samples of a text: expected " +
                     std::to_string(text.windows.size()) + ", one a window");
  }
  TextScore score;
  score.specs = {samples.front().key.codec_k, samples.front().key.codec_v};
  std::vector<double> weights, before, after, change, kld;
  double bytes = 0, values = 0, cache_bytes = 0, cache_values = 0, kept = 0, scored = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const auto tokens = static_cast<double>(text.scored(i));
    weights.push_back(tokens);
    before.push_back(sample.nll_reference.value());
    after.push_back(sample.nll.value());
    change.push_back(after.back() - before.back());
    kld.push_back(sample.kld_mean.value());
    score.kld_max = std::max(score.kld_max, sample.kld_max.value());
    kept += tokens * sample.top1.value();
    scored += tokens;
    bytes += static_cast<double>(sample.bytes_written);
    values += static_cast<double>(sample.values);
    cache_bytes += whole_cache_bytes(sample);
    cache_values += static_cast<double>(sample.cache_values);
  }
  score.nll_reference = weighted_t_interval(before, weights);
  score.nll = weighted_t_interval(after, weights);
  score.nll_change = weighted_t_interval(change, weights);
  score.kld = weighted_t_interval(kld, weights);
  score.top1 = kept / scored;
  score.bits_per_value = 8 * bytes / values;
  score.bits_per_value_whole_cache = 8 * cache_bytes / cache_values;
  return score;
}

}  // namespace kakeya
