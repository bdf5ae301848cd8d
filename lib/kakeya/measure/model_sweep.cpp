// SPDX-License-Identifier: Apache-2.0
#include "kakeya/measure/model_sweep.h"

#include <algorithm>
#include <utility>

#include "kakeya/core/clock.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/codec_tap.h"
#include "kakeya/measure/decode_pass.h"
#include "kakeya/measure/device_tap.h"
#include "kakeya/measure/layer_tap.h"
#include "kakeya/measure/reference_tap.h"
#include "kakeya/measure/replay_tap.h"
#include "kakeya/measure/shared_references.h"
#include "kakeya/measure/token_coder.h"

namespace kakeya {

ModelSubject::ModelSubject(Model& model, const std::vector<Passage>& passages,
                           const Settings& settings, WorkerPool& pool)
    : model_(model),
      passages_(passages),
      settings_(settings),
      pool_(pool),
      tokens_(settings.context + settings.scored),
      heads_(model.facts().shape.heads()),
      dim_(model.facts().shape.dim()) {
  settings_.policy.layers = model.facts().shape.layers;
  if (settings.context < 1 || settings.scored < 1) {
    throw InputError("ctx " + std::to_string(settings.context) + ", eval " +
                     std::to_string(settings.scored) + ": expected at least 1 token each");
  }
  if (settings.modes.empty()) throw InputError("sweep: expected at least one mode");
  if (tokens_ > static_cast<std::size_t>(model.facts().context)) {
    throw InputError("ctx " + std::to_string(settings.context) + " + eval " +
                     std::to_string(settings.scored) + ": expected at most the " +
                     std::to_string(model.facts().context) + " tokens of the model's context");
  }
  for (const EvalMode mode : settings.modes) {
    settings_.policy.check(mode == EvalMode::prefix ? settings.context : tokens_);
  }
  for (std::size_t i = 0; i < passages.size(); ++i) {
    if (passages[i].tokens.size() != tokens_) {
      throw InputError("passage " + std::to_string(settings.first_passage + static_cast<int>(i)) +
                       " (" + passages[i].origin +
                       "): " + std::to_string(passages[i].tokens.size()) + " tokens, expected " +
                       std::to_string(tokens_));
    }
  }
}

int ModelSubject::passages() const { return static_cast<int>(passages_.size()); }

std::vector<std::string> ModelSubject::modes() const {
  std::vector<std::string> names;
  for (const EvalMode mode : settings_.modes) names.emplace_back(mode_name(mode));
  return names;
}

// A codec of whole tokens needs all layers of a token before any of them can be coded, so the cache
// has to be there before the pass that runs on it; unless each layer is coded by itself.
void ModelSubject::check(const GridCell& cell) const {
  const auto asked = [&](EvalMode mode) {
    return std::find(settings_.modes.begin(), settings_.modes.end(), mode) != settings_.modes.end();
  };
  const bool inside = asked(EvalMode::in_forward) || asked(EvalMode::decode);
  if (inside && cell.tokens && !cell.tokens->each_layer_alone()) {
    throw SpecError(cell.specs.keys +
                    ": codes several layers of a token together, which are not known inside the "
                    "forward: expected mode snapshot or prefix, or klt with restart=1");
  }
  if (settings_.on_device && !cell.on_host) settings_.policy.exact_ends(kDeviceCoder);
  if (asked(EvalMode::decode) && cell.failure.empty())
    check_decoding(model_.facts(), cell, cell.policy_of(settings_.policy), tokens_);
}

std::unique_ptr<Predictions> ModelSubject::forward(Model& model, KvTap& tap) const {
  return model.predict(passage_->tokens, settings_.context - 1, settings_.scored, &tap);
}

void ModelSubject::start_passage(int passage, const std::vector<std::string>& modes) {
  const auto started = Clock::now();
  passage_ = &passages_.at(static_cast<std::size_t>(passage - settings_.first_passage));
  reference_.reset();
  clean_.reset();
  device_clean_.reset();
  std::unique_ptr<Predictions> predictions = reference_predictions(modes);
  const std::span<const std::int32_t> scored =
      std::span<const std::int32_t>(passage_->tokens).subspan(settings_.context);
  reference_ = std::make_unique<ReferenceLikelihood>(
      std::move(predictions), scored, static_cast<std::size_t>(model_.facts().vocab), pool_);
  reference_seconds_ += seconds_since(started);
}

std::unique_ptr<Predictions> ModelSubject::reference_predictions(
    const std::vector<std::string>& modes) {
  const auto needs_cache = [](const std::vector<std::string>& of) {
    return std::any_of(of.begin(), of.end(), [](const std::string& mode) {
      return mode == mode_name(EvalMode::snapshot) || mode == mode_name(EvalMode::prefix);
    });
  };
  const bool keep = needs_cache(modes);
  // What is shared does not depend on which modes one shard lacks.
  const bool keep_shared = needs_cache(this->modes());
  const std::size_t logit_bytes =
      settings_.scored * static_cast<std::size_t>(model_.facts().vocab) * sizeof(float);
  const bool may_share =
      shared_ && !(settings_.on_device && keep_shared) && shared_->takes(logit_bytes);
  if (may_share) return shared_predictions(keep_shared);
  return settings_.on_device
             ? run_reference<DeviceReferenceTap>(model_, window(), keep, device_clean_)
             : run_reference<ReferenceTap>(model_, window(), keep, clean_);
}

std::unique_ptr<Predictions> ModelSubject::shared_predictions(bool keep) {
  const auto sites = 2 * static_cast<std::size_t>(settings_.policy.layers);
  const std::size_t part = tokens_ * heads_ * dim_;
  reference_was_read_ = true;
  StoredReference reference = shared_->of(passage_->tokens, keep, [&] {
    reference_was_read_ = false;
    StoredReference computed;
    computed.logits =
        (settings_.on_device
             ? run_reference<DeviceReferenceTap>(model_, window(), false, device_clean_)
             : run_reference<ReferenceTap>(model_, window(), keep, clean_))
            ->logits(0, settings_.scored);
    for (std::size_t i = 0; keep && i < sites; ++i) {
      const std::span<const std::uint16_t> patterns = clean_->patterns(site_of_index(i));
      computed.cache.insert(computed.cache.end(), patterns.begin(), patterns.end());
    }
    return computed;
  });
  if (!keep || clean_) return model_.predictions_of(std::move(reference.logits));
  if (reference.cache.size() != sites * part) {
    throw CorruptStream("reference pass: " + std::to_string(reference.cache.size()) +
                        " values of K and V, expected " + std::to_string(sites * part));
  }
  clean_ = std::make_unique<KvCache>(settings_.policy.layers, tokens_, heads_, dim_);
  for (std::size_t i = 0; i < sites; ++i) {
    std::copy_n(reference.cache.data() + i * part, part,
                clean_->writable_patterns(site_of_index(i)).data());
  }
  return model_.predictions_of(std::move(reference.logits));
}

template <typename Tap, typename Cache>
std::unique_ptr<Predictions> ModelSubject::run_reference(Model& model, std::size_t exact_window,
                                                         bool keep,
                                                         std::unique_ptr<Cache>& kept) const {
  const int layers = settings_.policy.layers;
  if (keep) kept = std::make_unique<Cache>(layers, tokens_, heads_, dim_);
  Tap tap(settings_.tap, layers, tokens_, heads_, dim_, keep ? kept.get() : nullptr, exact_window);
  std::unique_ptr<Predictions> predictions = forward(model, tap);
  tap.check_complete();
  return predictions;
}

Sample ModelSubject::measure_forward(Model& other) {
  if (!reference_) throw InputError("sweep: expected start_passage before a control");
  const auto started = Clock::now();
  std::unique_ptr<KvCache> none;
  std::unique_ptr<DeviceKvCache> none_there;
  const std::unique_ptr<Predictions> predictions =
      settings_.on_device ? run_reference<DeviceReferenceTap>(other, 0, false, none_there)
                          : run_reference<ReferenceTap>(other, 0, false, none);
  const double seconds = seconds_since(started);
  Sample sample = reference_->compare(*predictions, pool_);
  sample.forward_seconds = seconds;
  return sample;
}

Sample ModelSubject::measure(const GridCell& cell, const std::string& mode) {
  if (!reference_) throw InputError("sweep: expected start_passage before a cell");
  const EvalMode eval_mode = parse_modes({mode}).front();
  if (eval_mode == EvalMode::decode) return measure_decoding(cell);
  if (settings_.on_device && !cell.on_host) return measure_on_device(cell, eval_mode);
  if (eval_mode != EvalMode::in_forward && !clean_)
    run_reference<ReferenceTap>(model_, window(), true, clean_);
  if (cell.tokens) return measure_tokens(cell, eval_mode);
  const CachePolicy policy = cell.policy_of(settings_.policy);
  PartCoder coder(*cell.keys, *cell.values, policy, pool_);
  CodecTap tap(eval_mode, settings_.tap, policy, coder, clean_.get(), tokens_, settings_.context,
               heads_, dim_);
  return run(cell, tap, coder.record(), tap.coded_tokens(), [&] { return tap.tap_seconds(); });
}

Sample ModelSubject::measure_tokens(const GridCell& cell, EvalMode mode) {
  const CachePolicy policy = cell.policy_of(settings_.policy);
  TokenCoder coder(*cell.tokens, policy, pool_);
  if (mode == EvalMode::in_forward) {
    check(cell);
    LayerTap tap(settings_.tap, policy, coder, tokens_, heads_, dim_);
    return run(cell, tap, coder.record(), tokens_, [&] { return tap.tap_seconds(); });
  }
  const std::size_t coded = mode == EvalMode::prefix ? settings_.context : tokens_;
  KvCache decoded(settings_.policy.layers, tokens_, heads_, dim_);
  coder.code(*clean_, coded, decoded);
  // After a prefill nothing leaves the window: every query sees the cache as it was coded then.
  ReplayTap tap(settings_.tap, decoded, coded, mode == EvalMode::prefix ? decoded : *clean_,
                settings_.policy.exact_window());
  return run(cell, tap, coder.record(), coded, [] { return 0.0; });
}

Sample ModelSubject::measure_on_device(const GridCell& cell, EvalMode mode) {
  if (!cell.device && !cell.device_tokens) {
    throw InputError(cell.specs.keys + ": expected its codecs on the device");
  }
  if (cell.tokens) return measure_tokens_on_device(cell, mode);
  DevicePartCoder coder(cell, *cell.device, settings_.policy, workspace_, pool_);
  DeviceCodecTap tap(mode, settings_.tap, settings_.policy, coder, device_clean_.get(), tokens_,
                     settings_.context, heads_, dim_);
  return run(
      cell, tap, coder.record(), tap.coded_tokens(), [&] { return tap.tap_seconds(); },
      [&] { coder.finish(); });
}

Sample ModelSubject::measure_tokens_on_device(const GridCell& cell, EvalMode mode) {
  DeviceTokenCoder coder(*cell.tokens, *cell.device_tokens, settings_.policy, workspace_, pool_);
  const auto finish = [&] { coder.finish(); };
  if (mode == EvalMode::in_forward) {
    check(cell);
    DeviceLayerTap tap(settings_.tap, settings_.policy, coder, tokens_, heads_, dim_);
    return run(
        cell, tap, coder.record(), tokens_, [&] { return tap.tap_seconds(); }, finish);
  }
  const std::size_t coded = mode == EvalMode::prefix ? settings_.context : tokens_;
  DeviceKvCache decoded(settings_.policy.layers, tokens_, heads_, dim_);
  coder.code(*device_clean_, coded, decoded, nullptr);
  DeviceReplayTap tap(settings_.tap, decoded, coded,
                      mode == EvalMode::prefix ? decoded : *device_clean_,
                      settings_.policy.exact_window());
  return run(
      cell, tap, coder.record(), coded, [] { return 0.0; }, finish);
}

// The cache is on the host, wherever the model is.
Sample ModelSubject::measure_decoding(const GridCell& cell) {
  DecodedPassage decoded = decode_passage(model_, passage_->tokens, settings_.context, cell,
                                          cell.policy_of(settings_.policy), settings_.tap, pool_);
  Sample sample = reference_->compare(*model_.predictions_of(std::move(decoded.logits)), pool_);
  sample.forward_seconds = decoded.step_seconds - decoded.cache_seconds;
  fill_coding(sample, cell, decoded.record, cell.policy_of(settings_.policy), tokens_, heads_,
              dim_);
  return sample;
}

Sample ModelSubject::run(const GridCell& cell, KvTap& tap, const CodingRecord& record,
                         std::size_t coded, const std::function<double()>& tap_seconds,
                         const std::function<void()>& finish) {
  const auto started = Clock::now();
  const std::unique_ptr<Predictions> predictions = forward(model_, tap);
  const double forward_seconds = seconds_since(started) - tap_seconds();
  if (finish) finish();
  Sample sample = reference_->compare(*predictions, pool_);
  sample.forward_seconds = forward_seconds;
  fill_coding(sample, cell, record, cell.policy_of(settings_.policy), coded, heads_, dim_);
  return sample;
}

}  // namespace kakeya
