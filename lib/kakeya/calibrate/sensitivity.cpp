// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/sensitivity.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>

#include "kakeya/cache/kv_cache.h"
#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/measure/device_tap.h"
#include "kakeya/measure/likelihood.h"
#include "kakeya/measure/reference_tap.h"
#include "kakeya/measure/replay_tap.h"

namespace kakeya {
namespace {

// The profile that is being made.
class Unfinished final : public ProfileSource {
 public:
  explicit Unfinished(const Profile& profile) : profile_(profile) {}
  std::shared_ptr<const ProfileHead> find(std::string_view, std::string_view) const override {
    return {std::shared_ptr<void>(), &profile_};
  }

 private:
  const Profile& profile_;
};

using Heads = std::vector<std::unique_ptr<Codec>>;  // one a KV head
using Tokens = std::span<const std::int32_t>;

// Codes all tokens of one part but the first `sinks`: `values` [tokens, heads, dim], rounded to
// bf16.
void code_part(const Heads& heads, std::size_t sinks, float* values, std::size_t tokens,
               WorkerPool& pool) {
  const std::size_t dim = heads.front()->dim(), stride = heads.size() * dim;
  pool.run(heads.size(), [&](std::size_t head) {
    const Rows<float> rows{values + sinks * stride + head * dim, tokens - sinks, dim, stride};
    std::vector<float> decoded(rows.values());
    const Rows<float> out = dense_rows(decoded.data(), rows.count, rows.dim);
    heads[head]->reconstruct(rows, out);
    round_to_finite_bf16(decoded);
    for (std::size_t row = 0; row < rows.count; ++row) {
      std::copy(out[row].begin(), out[row].end(), rows[row].begin());
    }
  });
}

// The same of a part in device memory, whose tokens are all coded: by way of the host.
class PartOfDevice {
 public:
  void code(const Heads& heads, const DeviceVectors& part, DeviceStream stream, WorkerPool& pool) {
    values_.resize(part.tokens * part.heads * part.dim);
    const std::size_t bytes = values_.size() * sizeof(float);
    if (!dense_ || dense_->bytes() < bytes) dense_ = std::make_unique<DeviceBuffer>(bytes);
    const DeviceVectors dense =
        dense_device_vectors(dense_->data(), DeviceScalar::fp32, part.tokens, part.heads, part.dim);
    convert_vectors(part, dense, stream);
    device_wait(stream);
    dense_->copy_out(values_.data(), bytes);
    code_part(heads, 0, values_.data(), part.tokens, pool);
    dense_->copy_in(values_.data(), bytes);
    convert_vectors(dense, part, stream);
  }

 private:
  std::unique_ptr<DeviceBuffer> dense_;
  std::vector<float> values_;
};

// Rounds K and V to bf16; one part goes through codecs.
class OnePartTap final : public KvTap {
 public:
  OnePartTap(const SensitivitySettings& settings, WorkerPool& pool)
      : tap_(settings.tap), sinks_(settings.sinks), on_device_(settings.on_device), pool_(pool) {}

  void code(KvSite site, const Heads& heads) {
    site_ = site;
    heads_ = &heads;
  }

  void visit(KvSite site, KvView view) override {
    round_to_bf16(std::span<float>(view.data, view.tokens * view.heads * view.dim));
    if (heads_ == nullptr || site.layer != site_.layer || site.part != site_.part) return;
    code_part(*heads_, sinks_, view.data, view.tokens, pool_);
  }
  bool on_device() const override { return on_device_; }
  void visit_device(KvSite site, const DeviceKvView& view) override {
    round_vectors_to_bf16(view.values, view.stream);
    if (heads_ == nullptr || site.layer != site_.layer || site.part != site_.part) return;
    part_.code(*heads_, view.values.slice({sinks_, view.values.tokens - sinks_}), view.stream,
               pool_);
  }
  TapPoint tap_point() const override { return tap_; }

 private:
  TapPoint tap_;
  std::size_t sinks_;
  bool on_device_;
  WorkerPool& pool_;
  PartOfDevice part_;
  KvSite site_;
  const Heads* heads_ = nullptr;
};

// ReplayTap where the model computes, of a clean cache, with one part coded as it is loaded.
class DeviceReplayTap final : public KvTap {
 public:
  DeviceReplayTap(const SensitivitySettings& settings, const DeviceKvCache& clean,
                  std::size_t replaced, KvSite coded, const Heads& heads, PartOfDevice& part,
                  WorkerPool& pool)
      : tap_(settings.tap),
        sinks_(settings.sinks),
        clean_(clean),
        replaced_(replaced),
        coded_(coded),
        heads_(heads),
        part_(part),
        pool_(pool) {}

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override {
    const DeviceVectors& x = view.values;
    clean_.load(site, x.slice({0, replaced_}), view.stream);
    round_vectors_to_bf16(x.slice({replaced_, x.tokens - replaced_}), view.stream);
    if (site.layer != coded_.layer || site.part != coded_.part) return;
    part_.code(heads_, x.slice({sinks_, replaced_ - sinks_}), view.stream, pool_);
  }
  void visit(KvSite site, KvView) override {
    throw InputError(site_name(site) + ": shown on the host to a tap that works on the device");
  }
  TapPoint tap_point() const override { return tap_; }
  std::size_t replaced_tokens() const override { return replaced_; }

 private:
  TapPoint tap_;
  std::size_t sinks_;
  const DeviceKvCache& clean_;
  std::size_t replaced_;
  KvSite coded_;
  const Heads& heads_;
  PartOfDevice& part_;
  WorkerPool& pool_;
};

// A pass over passages in which one part is coded, and what it costs.
class Trial {
 public:
  Trial(Model& model, std::span<const Tokens> passages, const SensitivitySettings& settings,
        WorkerPool& pool)
      : model_(model),
        settings_(settings),
        pool_(pool),
        first_(settings.context - settings.scored - 1) {
    for (const Tokens passage : passages) texts_.push_back(passage.first(settings.context));
  }
  virtual ~Trial() = default;

  std::size_t passages() const { return texts_.size(); }
  // The KL divergence of a passage in nats.
  virtual double loss(std::size_t passage, KvSite site, const Heads& heads) = 0;

 protected:
  void add_reference(KvTap& tap) {
    const Tokens text = texts_[references_.size()];
    references_.emplace_back(forward(text, tap), text.subspan(first_ + 1),
                             static_cast<std::size_t>(model_.facts().vocab), pool_);
  }
  double compare(std::size_t passage, KvTap& tap) {
    return *references_[passage].compare(*forward(texts_[passage], tap), pool_).kld_mean;
  }

  Model& model_;
  const SensitivitySettings& settings_;
  WorkerPool& pool_;
  std::size_t first_;  // position of the first scored prediction

 private:
  std::unique_ptr<Predictions> forward(Tokens text, KvTap& tap) {
    return model_.predict(text, first_, settings_.scored, &tap);
  }

  std::vector<Tokens> texts_;
  std::vector<ReferenceLikelihood> references_;
};

class InForwardTrial final : public Trial {
 public:
  InForwardTrial(Model& model, std::span<const Tokens> passages,
                 const SensitivitySettings& settings, WorkerPool& pool)
      : Trial(model, passages, settings, pool), tap_(settings, pool) {
    for (std::size_t p = 0; p < passages.size(); ++p) add_reference(tap_);
  }
  double loss(std::size_t passage, KvSite site, const Heads& heads) override {
    tap_.code(site, heads);
    return compare(passage, tap_);
  }

 private:
  OnePartTap tap_;
};

class PrefixTrial final : public Trial {
 public:
  PrefixTrial(Model& model, std::span<const Tokens> passages, const SensitivitySettings& settings,
              WorkerPool& pool)
      : Trial(model, passages, settings, pool) {
    const ModelFacts& facts = model.facts();
    const std::size_t heads = facts.shape.heads(), dim = facts.shape.dim();
    caches_.reserve(passages.size());
    for (std::size_t p = 0; p < passages.size(); ++p) {
      KvCache& cache = caches_.emplace_back(facts.shape, settings.context);
      ReferenceTap tap(settings.tap, facts.shape.layers, settings.context, heads, dim, &cache);
      add_reference(tap);
    }
    clean_.resize(settings.context * heads * dim);
  }
  double loss(std::size_t passage, KvSite site, const Heads& heads) override {
    KvCache& cache = caches_[passage];
    cache.load(site, settings_.context, clean_);
    std::vector<float> coded = clean_;
    code_part(heads, settings_.sinks, coded.data(), first_, pool_);
    cache.store(site, coded);
    ReplayTap tap(settings_.tap, cache, first_, cache, 0);
    const double loss = compare(passage, tap);
    cache.store(site, clean_);
    return loss;
  }

 private:
  std::vector<KvCache> caches_;  // of a clean pass, all tokens
  std::vector<float> clean_;     // one part of one of them
};

class DevicePrefixTrial final : public Trial {
 public:
  DevicePrefixTrial(Model& model, std::span<const Tokens> passages,
                    const SensitivitySettings& settings, WorkerPool& pool)
      : Trial(model, passages, settings, pool) {
    const KvShape& shape = model.facts().shape;
    for (std::size_t p = 0; p < passages.size(); ++p) {
      DeviceKvCache& cache =
          caches_.emplace_back(shape.layers, settings.context, shape.heads(), shape.dim());
      DeviceReferenceTap tap(settings.tap, shape.layers, settings.context, shape.heads(),
                             shape.dim(), &cache, 0);
      add_reference(tap);
    }
  }
  double loss(std::size_t passage, KvSite site, const Heads& heads) override {
    DeviceReplayTap tap(settings_, caches_[passage], first_, site, heads, part_, pool_);
    return compare(passage, tap);
  }

 private:
  std::deque<DeviceKvCache> caches_;  // of a clean pass, all tokens
  PartOfDevice part_;
};

void check(std::span<const Tokens> passages, const SensitivitySettings& settings) {
  if (settings.sinks + settings.scored + 1 >= settings.context) {
    throw InputError("sensitivities: " + std::to_string(settings.sinks) + " sinks and " +
                     std::to_string(settings.scored) + " scored tokens leave nothing to code of " +
                     std::to_string(settings.context) + " tokens");
  }
  for (const Tokens passage : passages) {
    if (passage.size() < settings.context) {
      throw InputError("sensitivities: a passage of " + std::to_string(passage.size()) +
                       " tokens, expected at least " + std::to_string(settings.context));
    }
  }
}

void measure(Trial& trial, double bits, Profile& profile, double PartProfile::*sensitivity,
             const std::function<void(std::size_t part)>& done) {
  const Unfinished source(profile);
  const std::string spec = "klt:bits=" + std::to_string(bits) + ",alloc=none";
  for (std::size_t part = 0; part < profile.parts.size(); ++part) {
    double& found = profile.parts[part].*sensitivity;
    if (found > 0) continue;
    Heads heads;
    KvSite site = site_of_index(part);
    for (site.head = 0; site.head < profile.shape.kv_heads; ++site.head) {
      heads.push_back(make_codec(spec, {profile.shape.dim(), &source, site}));
    }
    site.head = KvSite::kAllHeads;
    double sum = 0;
    for (std::size_t p = 0; p < trial.passages(); ++p) {
      sum += trial.loss(p, site, heads);
    }
    found = sum / static_cast<double>(trial.passages());
    done(part);
  }
}

}  // namespace

void measure_sensitivities(Model& model, std::span<const Tokens> passages,
                           const SensitivitySettings& settings, Profile& profile, WorkerPool& pool,
                           const std::function<void(std::size_t part)>& done) {
  check(passages, settings);
  profile.sensitivity_bits = settings.bits;
  InForwardTrial trial(model, passages, settings, pool);
  measure(trial, settings.bits, profile, &PartProfile::sensitivity, done);
}

void measure_prefix_sensitivities(Model& model, std::span<const Tokens> passages,
                                  const SensitivitySettings& settings, Profile& profile,
                                  WorkerPool& pool,
                                  const std::function<void(std::size_t part)>& done) {
  check(passages, settings);
  profile.prefix_sensitivity_bits = settings.bits;
  const auto run = [&](auto&& trial) {
    measure(trial, settings.bits, profile, &PartProfile::prefix_sensitivity, done);
  };
  settings.on_device ? run(DevicePrefixTrial(model, passages, settings, pool))
                     : run(PrefixTrial(model, passages, settings, pool));
}

}  // namespace kakeya
