// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "kakeya/core/kv.h"
#include "kakeya/device/device_vectors.h"
#include "kakeya/measure/device_coder.h"
#include "kakeya/measure/device_token_coder.h"
#include "kakeya/measure/mode.h"
#include "kakeya/measure/reference_tap.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// ReferenceTap where the model computes.
class DeviceReferenceTap final : public ReferenceTap {
 public:
  /// `keep` may be null, and must outlive the tap.
  DeviceReferenceTap(TapPoint tap, int layers, std::size_t tokens, std::size_t heads,
                     std::size_t dim, DeviceKvCache* keep, std::size_t exact_window)
      : ReferenceTap(tap, layers, tokens, heads, dim, nullptr, exact_window), keep_(keep) {}

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;

 private:
  DeviceKvCache* keep_;
};

/// CodecTap where the model computes: the same steps, in the same order, on the model's own K and V.
class DeviceCodecTap final : public KvTap {
 public:
  /// As CodecTap; `clean` is the device's cache of the reference pass.
  DeviceCodecTap(EvalMode mode, TapPoint tap, const CachePolicy& policy, DevicePartCoder& coder,
                 const DeviceKvCache* clean, std::size_t tokens, std::size_t context,
                 std::size_t heads, std::size_t dim);

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t replaced_tokens() const override {
    return mode_ == EvalMode::in_forward ? 0 : coded_tokens();
  }
  std::size_t exact_window() const override { return policy_.exact_window(); }

  /// Seconds of the device's time between what the model did before each visit and after it. Waits
  /// for the device.
  double tap_seconds() const;

  /// As CodecTap::coded_tokens().
  std::size_t coded_tokens() const { return mode_ == EvalMode::prefix ? context_ : tokens_; }

 private:
  EvalMode mode_;
  TapPoint tap_;
  CachePolicy policy_;
  DevicePartCoder& coder_;
  const DeviceKvCache* clean_;
  std::size_t tokens_, context_, heads_, dim_;
  std::deque<DeviceTimer> visits_;
};

/// LayerTap where the model computes: a layer's keys are coded when its values are shown.
class DeviceLayerTap final : public KvTap {
 public:
  /// As LayerTap.
  DeviceLayerTap(TapPoint tap, const CachePolicy& policy, DeviceTokenCoder& coder,
                 std::size_t tokens, std::size_t heads, std::size_t dim)
      : tap_(tap), policy_(policy), coder_(coder), tokens_(tokens), heads_(heads), dim_(dim) {}

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t exact_window() const override { return policy_.exact_window(); }
  /// As DeviceCodecTap::tap_seconds().
  double tap_seconds() const;

 private:
  TapPoint tap_;
  CachePolicy policy_;
  DeviceTokenCoder& coder_;
  std::size_t tokens_, heads_, dim_;
  std::optional<std::pair<int, DeviceVectors>> keys_;  // of the layer whose values come next
  std::deque<DeviceTimer> visits_;
};

/// ReplayTap where the model computes.
class DeviceReplayTap final : public KvTap {
 public:
  /// As ReplayTap, of caches with such parts.
  DeviceReplayTap(TapPoint tap, const DeviceKvCache& cache, std::size_t replaced,
                  const DeviceKvCache& exact, std::size_t exact_window)
      : tap_(tap), cache_(cache), replaced_(replaced), exact_(exact), exact_window_(exact_window) {}

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }
  std::size_t replaced_tokens() const override { return replaced_; }
  std::size_t exact_window() const override { return exact_window_; }

 private:
  TapPoint tap_;
  const DeviceKvCache& cache_;
  std::size_t replaced_;
  const DeviceKvCache& exact_;
  std::size_t exact_window_;
};

}  // namespace kakeya
