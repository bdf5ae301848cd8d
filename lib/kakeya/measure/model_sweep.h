// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/core/worker_pool.h"
#include "kakeya/device/device_vectors.h"
#include "kakeya/measure/device_coder.h"
#include "kakeya/measure/likelihood.h"
#include "kakeya/measure/mode.h"
#include "kakeya/measure/passages.h"
#include "kakeya/measure/sweep.h"
#include "kakeya/model/model.h"

namespace kakeya {

/// Cells measured inside a model. The cache is bf16 in every pass, the reference pass included: K
/// and V are rounded where the tap sees them, codecs are given bf16 values, and what they give back
/// is rounded to bf16 before the model goes on.
///
/// A passage has context + scored tokens. Token i of [context, context + scored) is scored from the
/// logits of token i - 1; K and V of every token are coded (EvalMode::prefix: of the context's;
/// EvalMode::decode: of those in full pages).
class ModelSubject : public SweepSubject {
 public:
  struct Settings {
    std::vector<EvalMode> modes;
    std::size_t context = 2048, scored = 64;  ///< tokens
    CachePolicy policy;                       ///< `layers` is taken from the model
    TapPoint tap = TapPoint::pre_rope;
    bool on_device =
        false;  ///< taps and codecs work where the model does (GridCell::device), but for
                ///< cells that are GridCell::on_host
    int first_passage = 0;  ///< the number of the first of the passages
  };

  /// `model`, `passages` and `pool` must outlive the subject. Throws InputError on passages of
  /// another length, more tokens than the model's context, or a policy that leaves nothing to code.
  ModelSubject(Model& model, const std::vector<Passage>& passages, const Settings& settings,
               WorkerPool& pool);

  int passages() const override;
  int first_passage() const override { return settings_.first_passage; }
  std::vector<std::string> modes() const override;

  /// Refuses codecs of several layers of a token together in modes inforward and decode, and in the
  /// latter what check_decoding() refuses.
  void check(const GridCell& cell) const override;

  /// Runs the reference pass, or takes that of the shared ones; its K and V are kept only where a mode
  /// needs them. K and V that a mode needs on a GPU are not shared, nor is the pass that they come from,
  /// nor one whose logits would take more than SharedReferences::kMostLogitBytes.
  void start_passage(int passage, const std::vector<std::string>& modes) override;

  Sample measure(const GridCell& cell, const std::string& mode) override;

  /// What `other`, the same weights in another forward, does to the started passage with nothing coded,
  /// its cache bf16: all that predictions tell, and forward_seconds.
  Sample measure_forward(Model& other);

  double reference_seconds() const override { return reference_seconds_; }
  void share_references(SharedReferences* shared) override { shared_ = shared; }
  bool reference_was_read() const override { return reference_was_read_; }

 protected:
  // The forward that `tap` codes; `tap_seconds` of it are not the model's. `finish` is called
  // before the record is read.
  Sample run(const GridCell& cell, KvTap& tap, const CodingRecord& record, std::size_t coded,
             const std::function<double()>& tap_seconds, const std::function<void()>& finish = {});

  const Settings& settings() const { return settings_; }
  std::size_t tokens() const { return tokens_; }  ///< of a passage
  int passage() const { return static_cast<int>(passage_ - passages_.data()); }
  const KvCache* clean() const { return clean_.get(); }  ///< of the started passage, on the host

 private:
  std::unique_ptr<Predictions> forward(Model& model, KvTap& tap) const;
  // The predictions of the pass in which nothing is coded. With `keep` its K and V stay in `kept`.
  template <typename Tap, typename Cache>
  std::unique_ptr<Predictions> run_reference(Model& model, std::size_t exact_window, bool keep,
                                             std::unique_ptr<Cache>& kept) const;
  // Those of the reference pass of the started passage, its K and V in clean_ or device_clean_.
  std::unique_ptr<Predictions> reference_predictions(const std::vector<std::string>& modes);
  std::unique_ptr<Predictions> shared_predictions(bool keep);
  std::size_t window() const { return settings_.policy.exact_window(); }
  Sample measure_decoding(const GridCell& cell);
  Sample measure_tokens(const GridCell& cell, EvalMode mode);
  Sample measure_on_device(const GridCell& cell, EvalMode mode);
  Sample measure_tokens_on_device(const GridCell& cell, EvalMode mode);

  Model& model_;
  const std::vector<Passage>& passages_;
  Settings settings_;
  WorkerPool& pool_;
  std::size_t tokens_, heads_, dim_;
  const Passage* passage_ = nullptr;
  std::unique_ptr<ReferenceLikelihood> reference_;
  std::unique_ptr<KvCache> clean_;  // or, on the device:
  std::unique_ptr<DeviceKvCache> device_clean_;
  DeviceWorkspace workspace_;
  bool reference_was_read_ = false;
  double reference_seconds_ = 0;
  SharedReferences* shared_ = nullptr;
};

}  // namespace kakeya
