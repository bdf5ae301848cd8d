// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "device/device_case.h"
#include "device/klt_heads.h"
#include "kakeya/codec/codec.h"
#include "kakeya/generate/device_cache.h"
#include "support/plain_step_cache.h"

namespace kakeya {
namespace {

using testing::PlainStepCache;

// bf16 numbers, those of sealed pages there and back through the codec.
class CodedSteps final : public PlainStepCache {
 public:
  CodedSteps(const ModelFacts& facts, const CachePolicy& policy, const DeviceCacheCodec& codec)
      : PlainStepCache(facts.shape, TapPoint::post_rope, true),
        dim_(facts.shape.dim()),
        policy_(policy),
        counts_(static_cast<std::size_t>(facts.shape.layers)),
        places_{static_cast<std::size_t>(policy.sinks),
                static_cast<std::size_t>(policy.residual_window),
                codec.profiles == nullptr ? 64u : 128u},
        together_(codec.spec.find("budget=") != std::string::npos) {
    for (int i = 0; codec.spec != "identity" && i < facts.shape.layers; ++i) {
      for (const Part part : {Part::key, Part::value}) {
        for (int head = 0; head < facts.shape.kv_heads; ++head) {
          const KvSite site{i, part, head};
          codecs_[site] = make_codec(codec.spec, {dim_, codec.profiles, site});
        }
      }
    }
  }

  void append(int sequence, int layer, Rows<const float> keys, Rows<const float> values) override {
    PlainStepCache::append(sequence, layer, keys, values);
    counts_[static_cast<std::size_t>(layer)][sequence] += keys.count;
  }

  void read(int sequence, KvSite site, TokenRange tokens, Rows<float> out) const override {
    PlainStepCache::read(sequence, site, tokens, out);
    if (codecs_.empty() || !policy_.codes(site.layer)) return;
    const std::size_t kept = counts_[static_cast<std::size_t>(site.layer)].at(sequence),
                      open = places_.open_token(kept);
    // A token alone, or all of its page, whose tokens share a step.
    const std::size_t count = together_ ? places_.page : 1;
    std::vector<float> made(count * out.dim);
    std::size_t begin = tokens.first + out.count;  // of those in `made`
    for (std::size_t row = 0; row < out.count; ++row) {
      const std::size_t token = tokens.first + row;
      if (token < places_.sinks || token >= open) continue;
      const std::size_t within = (token - places_.sinks) % count;
      if (token - within != begin) {
        begin = token - within;
        const Rows<float> page = dense_rows(made.data(), count, out.dim);
        PlainStepCache::read(sequence, site, {begin, count}, page);
        code(site, page);
      }
      std::copy_n(&made[within * out.dim], out.dim, out[row].begin());
    }
  }

  bool rounded = false;  // what is decoded

 private:
  struct BySite {
    bool operator()(const KvSite& a, const KvSite& b) const {
      return std::tie(a.layer, a.part, a.head) < std::tie(b.layer, b.part, b.head);
    }
  };

  // There and back, a head after another.
  void code(KvSite site, Rows<float> page) const {
    std::vector<float> vectors(page.count * dim_);
    const Rows<float> coded = dense_rows(vectors.data(), page.count, dim_);
    for (std::size_t at = 0; at < page.dim; at += dim_) {
      const int head = site.head == KvSite::kAllHeads ? static_cast<int>(at / dim_) : site.head;
      const Codec& codec = *codecs_.at({site.layer, site.part, head});
      for (std::size_t t = 0; t < page.count; ++t) {
        std::copy_n(page[t].data() + at, dim_, coded[t].begin());
      }
      std::vector<std::byte> frame(codec.encoded_bound(page.count));
      frame.resize(codec.encode(coded, frame));
      codec.decode(frame, coded);
      for (std::size_t t = 0; t < page.count; ++t) {
        std::transform(coded[t].begin(), coded[t].end(), page[t].data() + at, [&](float value) {
          return rounded ? bfloat16_to_float(float_to_bfloat16(value)) : value;
        });
      }
    }
  }

  std::size_t dim_;
  CachePolicy policy_;
  std::vector<std::map<int, std::size_t>> counts_;  // of each layer and sequence
  PagePlaces places_;
  bool together_;
  std::map<KvSite, std::unique_ptr<Codec>, BySite> codecs_;
};

}  // namespace
}  // namespace kakeya
