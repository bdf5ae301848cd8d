// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/codec/cache_codecs.h"
#include "kakeya/model/model.h"
#include "kakeya/needle/prompt.h"
#include "kakeya/profile/profile_shelf.h"
#include "kakeya/store/needle_store.h"

namespace kakeya {

/// What is asked for.
struct NeedleConfig {
  std::string model;               ///< a Hugging Face folder or a .gguf file
  std::vector<std::string> texts;  ///< files, one behind the other: the haystack
  std::vector<std::string> codecs, profiles;
  std::vector<std::string> kinds = {"single", "multi-key", "multi-value", "variable-tracking"};
  std::vector<int> lengths = {512, 1024}, depths = {0, 25, 50, 75, 100};
  int samples = 4;
  CachePolicy policy;
  TapPoint tap = TapPoint::pre_rope;
  ModelOptions options;
  std::uint64_t seed = 0;
  bool plain = false;
  std::size_t prefill_chunk = 512, more_tokens = 16;
  double solved = 0.8;         ///< least share of answers that the bf16 cache's model has to give
  bool skip_unsolved = false;  ///< codecs are not measured where it does not
};

/// Told before every cell, and at the end.
struct NeedleEvent {
  std::size_t done = 0, total = 0, already = 0;
  std::string now;
};

struct NeedleOutcome {
  std::size_t total = 0, already = 0, finished = 0, skipped = 0;
  std::vector<NeedleFailure> failed;
  std::vector<NeedleSolved> tasks;  ///< those asked for, by all samples that are stored
};

/// A grid of prompts and codecs, loaded and checked: every prompt can be made and fits the context,
/// every codec fits the model and the policy and fills a page in the longest prompt.
class NeedleRun {
 public:
  /// Throws SpecError and InputError on what cannot be measured, naming it; IoError, CorruptStream.
  explicit NeedleRun(const NeedleConfig& config);
  ~NeedleRun();

  const NeedlePlan& plan() const { return plan_; }
  const ModelFacts& model() const { return model_->facts(); }
  const ModelFacts& facts() const { return model_->facts(); }
  std::vector<std::string> codecs() const;  ///< canonical, `identity` first
  std::size_t cells() const;
  std::vector<ProfileRecord> profile_records() const;

  /// Measures what `store` lacks: the bf16 cache on every prompt first, then every codec, beside it. A
  /// cell that fails is written down and the run goes on; one of the bf16 cache ends it with Error.
  NeedleOutcome run(NeedleStore& store, const std::function<void(const NeedleEvent&)>& notify);

 private:
  struct Cell;
  void check_prompts() const;
  NeedleSample measure(const Cell& cell, const CacheCodecs& codecs, const NeedleKey& key);
  std::vector<Cell> all_cells() const;

  NeedleConfig config_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<NeedlePrompts> prompts_;
  ProfileShelf shelf_;
  std::unique_ptr<Model> model_;
  NeedlePlan plan_;
  std::vector<CacheCodecs> codecs_;
  std::vector<std::int32_t> end_tokens_;
};

}  // namespace kakeya
