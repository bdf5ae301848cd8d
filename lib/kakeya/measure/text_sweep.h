// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kakeya/measure/grid.h"
#include "kakeya/measure/model_sweep.h"
#include "kakeya/measure/noise_floor.h"
#include "kakeya/model/windows.h"
#include "kakeya/stats/interval.h"
#include "kakeya/store/result_store.h"

namespace kakeya {

/// A text that is scored whole, in windows (model/windows.h). Refers to what it is made of.
struct ScoredText {
  std::span<const std::int32_t> tokens;
  std::span<const Window> windows;
  std::optional<std::int32_t> bos;  ///< stands in place of the first token of each window
  std::size_t first_window =
      0;  ///< the number of the first of `windows`, where these are a part of the text's

  std::size_t scored(std::size_t window) const {
    return windows[window].end - windows[window].first_scored;
  }
  std::vector<std::int32_t> tokens_of(std::size_t window) const;

  /// The passage that samples of windows[window] belong to.
  int passage_of(std::size_t window) const { return static_cast<int>(first_window + window); }
};

/// Told before every forward, and once at the end.
struct TextProgress {
  std::size_t done = 0, total = 0;  ///< cells
  std::size_t already = 0;          ///< of `done`, those that the store had
  std::string now;                  ///< "e8:q=10, window 3 of 590", empty at the end
};

/// What is measured of a text: EvalMode::in_forward, everything else as in a sweep.
struct TextSettings {
  CachePolicy policy;  ///< `layers` is taken from the model
  TapPoint tap = TapPoint::pre_rope;
  bool on_device = false;    ///< as ModelSubject::Settings
  bool token_arrays = true;  ///< whether samples keep what each token had
};

/// A sample for every window and every cell of `grid` but `identity`, [cell][window], whose key has
/// the window as its passage: the cache is coded inside the forward, and every scored token is
/// compared with the same window's pass in which it stays bf16. That pass is run once a window,
/// whatever the number of cells. Memory is ReferenceLikelihood's: it does not grow with vocabulary x
/// scored tokens, but for a model in a host, whose logits come whole. Samples have their means by octaves of the position too.
///
/// `identity`, the first of `grid`, must change nothing. Without a `store` it is measured on the
/// first window alone. With one, cells that it has (those of `stored`, what was read from it) are
/// not measured again, each is appended as it is done, and `identity` is measured on every window.
///
/// Throws SpecError of ModelSubject::check(); InputError where a window is too short for the policy;
/// Error, naming cell and window, where a cell cannot be measured or `identity` changes something.
std::vector<std::vector<Sample>> measure_text(
    Model& model, const ScoredText& text, const std::vector<GridCell>& grid,
    const TextSettings& settings, WorkerPool& pool, ResultStore* store,
    std::span<const Sample> stored, const std::function<void(const TextProgress&)>& notify);

/// Windows as passages of run_noise_floor(), each against the pass in which its cache stays bf16: the other
/// arithmetic and the other attention, with means by octaves of the position. "decode" is left out, a forward a token of the whole text. All but
/// `options` has to outlive the answer.
ControlPassages control_windows(Model& model, const ModelOptions& options, const ScoredText& text,
                                const TextSettings& settings, WorkerPool& pool);

/// What the samples of one cell say of a text. Means are over scored tokens; intervals are
/// Student-t intervals over windows, each weighted with the tokens that it scores, paired: both
/// passes of a window see the same tokens.
struct TextScore {
  CodecPair specs;
  Interval nll_reference, nll;  ///< nats a token
  Interval nll_change;          ///< nll - nll_reference
  Interval kld;                 ///< KL(reference || coded), nats a token
  double kld_max = 0, top1 = 0;
  double bits_per_value = 0;              ///< measured, of the coded layers
  double bits_per_value_whole_cache = 0;  ///< with skipped layers and open pages as bf16
};

/// `samples` of one cell, of every window of the text in order. Throws InputError on another number.
TextScore score_of_text(const ScoredText& text, std::span<const Sample> samples);

}  // namespace kakeya
