// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_step_plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kakeya/lattice/enumerate.h"
#include "kernels/entropy_coded.h"
#include "kernels/page_classes.h"

namespace kakeya {

StepPlan plan_of(const Codec& codec) { return dynamic_cast<const StepCodec&>(codec).step_plan(); }

kernels::EntropyCoded kernel_of(const StepPlan& plan) {
  kernels::EntropyCoded kernel;
  kernel.lattice = static_cast<kernels::PageLattice>(plan.format->lattice);
  kernel.scales = static_cast<kernels::ScaleOf>(plan.scale);
  kernel.dim = static_cast<std::int32_t>(plan.format->dim);
  kernel.page = static_cast<std::int32_t>(plan.format->page);
  kernel.outliers = static_cast<std::int32_t>(plan.outliers);
  kernel.place_bits = index_bits(static_cast<PointIndex>(plan.format->dim));
  kernel.rotates = plan.rotates;
  kernel.centres = plan.centres;
  kernel.halves = plan.scales == ScaleFormat::half;
  if (plan.rotates) {
    kernel.unit = static_cast<float>(1.0 / std::sqrt(static_cast<double>(plan.format->dim)));
  }
  kernel.factors = {plan.factor, plan.reconstruct};
  return kernel;
}

static_assert(static_cast<int>(SharedBy::page) == static_cast<int>(kernels::ScaleOf::page) &&
              static_cast<int>(SharedBy::frame) == static_cast<int>(kernels::ScaleOf::frame));

// A vector has at most sqrt(dim) times its root mean square in a coordinate, its own scale is at most
// 9.1 % off, a point at most 1.
std::int32_t reach_of(const StepPlan& plan) {
  if (plan.scale != SharedBy::vector) return kernels::kNearCounts;
  const double most = std::sqrt(static_cast<double>(plan.format->dim)) / plan.factor;
  return std::max(kernels::kNearCounts, static_cast<std::int32_t>(1.1 * most) + 4);
}

DeviceBuffer signs_of(const StepPlan& plan) {
  DeviceBuffer buffer(std::max<std::size_t>(plan.signs.size_bytes(), 16));
  if (!plan.signs.empty()) buffer.copy_in(plan.signs.data(), plan.signs.size_bytes());
  return buffer;
}

DeviceBuffer known_means(const DeviceCodec& codec) {
  std::vector<float> both;
  for (std::size_t head = 0; head < codec.heads(); ++head) {
    const std::vector<float>& means = plan_of(codec.host(head)).known->mean;
    both.insert(both.end(), means.begin(), means.end());
    for (const float mean : means) both.push_back(-mean);
  }
  DeviceBuffer buffer(std::max<std::size_t>(4 * both.size(), 16));
  if (!both.empty()) buffer.copy_in(both.data(), 4 * both.size());
  return buffer;
}

}  // namespace kakeya
