// SPDX-License-Identifier: Apache-2.0
#include "kakeya/calibrate/sensitivity.h"

#include <algorithm>
#include <memory>
#include <string>

#include "kakeya/codec/codec.h"
#include "kakeya/core/error.h"
#include "kakeya/cache/kv_cache.h"
#include "kakeya/eval/likelihood.h"

namespace kakeya {
namespace {

// The profile that is being made.
class Unfinished final : public ProfileSource {
 public:
  explicit Unfinished(const Profile& profile) : profile_(profile) {}
  std::shared_ptr<const Profile> find(std::string_view) const override {
    return {std::shared_ptr<void>(), &profile_};
  }

 private:
  const Profile& profile_;
};

// Rounds K and V to bf16; one part goes through codecs, one a head.
class OnePartTap final : public KvTap {
 public:
  OnePartTap(TapPoint tap, std::size_t sinks, WorkerPool& pool)
      : tap_(tap), sinks_(sinks), pool_(pool) {}

  void code(KvSite site, const std::vector<std::unique_ptr<Codec>>& heads) {
    site_ = site;
    heads_ = &heads;
  }

  void visit(KvSite site, KvView view) override {
    round_to_bf16(std::span<float>(view.data, view.tokens * view.heads * view.dim));
    if (heads_ == nullptr || site.layer != site_.layer || site.part != site_.part) return;
    const std::size_t stride = view.heads * view.dim;
    pool_.run(view.heads, [&](std::size_t head) {
      const Rows<float> rows{view.data + sinks_ * stride + head * view.dim, view.tokens - sinks_,
                             view.dim, stride};
      std::vector<float> decoded(rows.values());
      const Rows<float> out = dense_rows(decoded.data(), rows.count, rows.dim);
      (*heads_)[head]->reconstruct(rows, out);
      round_to_bf16(decoded);
      for (std::size_t row = 0; row < rows.count; ++row) {
        std::copy(out[row].begin(), out[row].end(), rows[row].begin());
      }
    });
  }
  TapPoint tap_point() const override { return tap_; }

 private:
  TapPoint tap_;
  std::size_t sinks_;
  WorkerPool& pool_;
  KvSite site_;
  const std::vector<std::unique_ptr<Codec>>* heads_ = nullptr;
};

}  // namespace

void measure_sensitivities(Model& model, std::span<const std::span<const std::int32_t>> passages,
                           const SensitivitySettings& settings, Profile& profile, WorkerPool& pool,
                           const std::function<void(std::size_t part)>& done) {
  if (settings.sinks + settings.scored + 1 >= settings.context) {
    throw InputError("sensitivities: " + std::to_string(settings.sinks) + " sinks and " +
                     std::to_string(settings.scored) + " scored tokens leave nothing to code of " +
                     std::to_string(settings.context) + " tokens");
  }
  OnePartTap tap(settings.tap, settings.sinks, pool);
  const std::size_t first = settings.context - settings.scored - 1;
  const auto forward = [&](std::span<const std::int32_t> tokens) {
    return model.logits(tokens, first, settings.scored, &tap);
  };
  std::vector<ReferenceLikelihood> references;
  std::vector<std::span<const std::int32_t>> texts;
  for (const auto& passage : passages) {
    if (passage.size() < settings.context) {
      throw InputError("sensitivities: a passage of " + std::to_string(passage.size()) +
                       " tokens, expected at least " + std::to_string(settings.context));
    }
    texts.push_back(passage.first(settings.context));
    references.emplace_back(forward(texts.back()), texts.back().subspan(first + 1),
                            static_cast<std::size_t>(model.facts().vocab), pool);
  }
  profile.sensitivity_bits = settings.bits;
  const Unfinished source(profile);
  const std::string spec = "klt:bits=" + std::to_string(settings.bits) + ",alloc=none";
  for (std::size_t part = 0; part < profile.parts.size(); ++part) {
    if (profile.parts[part].sensitivity > 0) continue;
    std::vector<std::unique_ptr<Codec>> heads;
    const CacheSite site{static_cast<int>(part / 2), part % 2 == 0, 0};
    for (int head = 0; head < profile.kv_heads; ++head) {
      heads.push_back(make_codec(spec, {static_cast<std::size_t>(profile.head_dim), &source,
                                        CacheSite{site.layer, site.key, head}}));
    }
    tap.code({site.layer, site.key ? Part::key : Part::value}, heads);
    double sum = 0;
    for (std::size_t p = 0; p < texts.size(); ++p) {
      sum += mean_of(references[p].compare(forward(texts[p]), pool).kld);
    }
    profile.parts[part].sensitivity = sum / static_cast<double>(texts.size());
    done(part);
  }
}

}  // namespace kakeya
