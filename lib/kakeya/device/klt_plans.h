// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "kakeya/codec/transform_codec.h"

namespace kakeya {

namespace kernels {
struct Klt;  // kernels/klt.h
struct KltLayers;
}  // namespace kernels

/// What klt needs of the heads of a layer in device memory: matrices, means, bounds of costs, classes.
/// Immutable.
class DeviceKltPlans {
 public:
  /// One a head, all with the same lattice, dim and page.
  explicit DeviceKltPlans(std::span<const TransformPlan> heads);
  ~DeviceKltPlans();

  /// For launchers of kernels/klt.h, while this object lives.
  const kernels::Klt& kernel() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// And of whole layers.
class DeviceLayersPlans {
 public:
  explicit DeviceLayersPlans(const LayersPlan& plan);
  ~DeviceLayersPlans();
  const kernels::KltLayers& kernel() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// Plans that live already and are of the same numbers, or new ones. Thread-safe.
std::shared_ptr<const DeviceKltPlans> shared_klt_plans(std::span<const TransformPlan> heads);
std::shared_ptr<const DeviceLayersPlans> shared_layers_plans(const LayersPlan& plan);

}  // namespace kakeya
