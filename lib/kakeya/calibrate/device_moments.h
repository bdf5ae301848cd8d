// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "kakeya/calibrate/layer_moments.h"
#include "kakeya/calibrate/moments.h"
#include "kakeya/calibrate/whole_token_moments.h"
#include "kakeya/model/device_algebra.h"
#include "kakeya/model/kv_tap.h"

namespace kakeya {

/// MomentsTap where the model computes: sums there in float64, as on the host but in another order,
/// and the same vectors of K and V kept, to the bit.
class DeviceMomentsTap final : public KvTap {
 public:
  /// As CacheMoments. `algebra` is of the model's device, and must outlive the tap.
  DeviceMomentsTap(const ModelFacts& facts, const DeviceAlgebra& algebra, TapPoint tap,
                   std::size_t sinks, std::size_t tokens_in_all, std::size_t samples);

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  bool wants(KvSite) const override { return true; }
  TapPoint tap_point() const override { return tap_; }

  /// Waits for the device, and adds all that was seen to `moments`, which was made for as many tokens.
  void finish(CacheMoments& moments) const;

 private:
  struct Sums {
    std::unique_ptr<DeviceHeadSums> sums;
    std::unique_ptr<DeviceBuffer> samples;  // float32 [kept, heads, dim]; null of queries
    std::size_t heads = 0, seen = 0, kept = 0;
  };
  void keep(Sums& part, const DeviceVectors& x, DeviceStream stream) const;

  TapPoint tap_;
  std::size_t sinks_, dim_, stride_, room_;
  std::vector<Sums> parts_;  // [layer][K, V, Q]
};

/// LayerMomentsTap where the model computes: coordinates in float32 as on the host, their products
/// summed in float64 (the host: in float32 within a passage, in float64 over passages).
class DeviceLayerMomentsTap final : public KvTap {
 public:
  /// As LayerMomentsTap. `algebra` is of the model's device.
  DeviceLayerMomentsTap(const Profile& profile, const DeviceAlgebra& algebra, LayerMoments& moments,
                        TapPoint tap, std::size_t tokens_in_all, std::size_t samples);

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }

  /// After the last passage: gives `moments` the sums.
  void finish();

 private:
  const Profile& profile_;
  const DeviceAlgebra& algebra_;
  LayerMoments& moments_;
  TapPoint tap_;
  std::size_t stride_, seen_ = 0;
  std::vector<std::unique_ptr<DeviceRows>> recent_;  // u, [group % (kMostOrder + 1)]
  std::vector<std::vector<std::unique_ptr<DeviceProduct>>> products_;  // [group][back]
};

/// WholeTokenTap where the model computes: sums in float64 (the host: products in float32), the same
/// tokens kept, to the bit. Takes 16 * width^2 bytes there, and half as many again in take().
class DeviceWholeTokenTap final : public KvTap {
 public:
  /// As WholeTokenTap. `algebra` is of the model's device.
  DeviceWholeTokenTap(const ModelFacts& facts, const DeviceAlgebra& algebra, TapPoint tap,
                      std::size_t sinks, std::size_t tokens_in_all, std::size_t samples);

  bool on_device() const override { return true; }
  void visit_device(KvSite site, const DeviceKvView& view) override;
  /// Not called by a model: throws InputError.
  void visit(KvSite site, KvView view) override;
  TapPoint tap_point() const override { return tap_; }

  /// Waits for the device. Leaves nothing behind.
  std::array<WholeTokens, 2> take();

 private:
  struct PartSums {
    std::unique_ptr<DeviceRows> tokens;  // of this prefill
    std::unique_ptr<DeviceCovariance> sums;
    std::vector<float> samples;
  };

  const DeviceAlgebra& algebra_;
  TapPoint tap_;
  int layers_;
  std::size_t width_, sinks_, stride_, seen_ = 0;
  std::array<PartSums, 2> parts_;
};

}  // namespace kakeya
