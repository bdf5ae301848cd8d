// SPDX-License-Identifier: Apache-2.0
// What klt of whole layers has in device memory (klt_plans.h).
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_pages.h"
#include "kakeya/device/klt_plan_parts.h"
#include "kakeya/device/klt_plans.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

// Where the numbers of a group are.
struct GroupPlaces {
  std::size_t forward, backward, negative_mean, mean, analysis, synthesis, slope;
  std::vector<std::size_t> predictors;
};

std::size_t add_panels(LayersPlan::Panels panels, std::size_t width, KltFloats& floats) {
  return floats.add_matrix(width, [&](std::size_t i, std::size_t j) {
    constexpr std::size_t kPanel = LayersPlan::kPanel;
    return panels[(j / kPanel * width + i) * kPanel + j % kPanel];
  });
}

std::size_t add_heads(const std::vector<std::span<const float>>& matrices, std::size_t dim,
                      KltFloats& floats) {
  const std::size_t first = floats.values().size();
  for (const std::span<const float> matrix : matrices) floats.add_rows(matrix, dim);
  return first;
}

// A vector of the whole group, head by head.
std::size_t add_pieces(std::span<const float> vector, std::size_t dim, KltFloats& floats) {
  const std::size_t first = floats.values().size();
  for (std::size_t at = 0; at < vector.size(); at += dim)
    floats.add_vector(vector.subspan(at, dim));
  return first;
}

GroupPlaces add_group(const LayersPlan& plan, const LayersPlan::Group& group,
                      std::span<const float> slopes, KltFloats& floats) {
  GroupPlaces at;
  at.forward = add_heads(group.forward, plan.head_dim, floats);
  at.backward = add_heads(group.backward, plan.head_dim, floats);
  at.negative_mean = add_pieces(group.negative_mean, plan.head_dim, floats);
  at.mean = add_pieces(group.mean, plan.head_dim, floats);
  at.analysis = add_panels(group.analysis, plan.width, floats);
  at.synthesis = add_panels(group.synthesis, plan.width, floats);
  for (const LayersPlan::Panels predictor : group.predictors) {
    at.predictors.push_back(add_panels(predictor, plan.width, floats));
  }
  at.slope = floats.add_vector(slopes);
  return at;
}

kernels::KltGroup group_at(const GroupPlaces& at, const float* data) {
  kernels::KltGroup group;
  group.order = static_cast<int>(at.predictors.size());
  group.forward = data + at.forward;
  group.backward = data + at.backward;
  group.negative_mean = data + at.negative_mean;
  group.mean = data + at.mean;
  group.analysis = data + at.analysis;
  group.synthesis = data + at.synthesis;
  for (std::size_t i = 0; i < at.predictors.size(); ++i) {
    group.predictors[i] = data + at.predictors[i];
  }
  group.slope = data + at.slope;
  return group;
}

std::uint32_t checksum_of(const LayersPlan& plan) {
  KltChecksum sum;
  sum.add(plan.record);
  sum.add(std::span<const std::uint8_t>(*plan.format->known_classes));
  for (const LayersPlan::Group& group : plan.groups) {
    sum.add(group.mean);
    for (const auto matrix : group.forward) sum.add(matrix);
    for (const auto matrix : group.backward) sum.add(matrix);
    for (const auto matrix : group.predictors) sum.add(matrix);
    sum.add(group.analysis);
    sum.add(group.synthesis);
  }
  return sum.value();
}

}  // namespace

struct DeviceLayersPlans::Parts {
  explicit Parts(const LayersPlan& plan)
      : tables(shared_device_tables(plan.format->model, *plan.format->known_classes)),
        pages(tables, std::span(&*plan.format->known_classes, 1), plan.format->path) {
    KltFloats from;
    const PointCoder coder = plan.format->known_coder();
    const DearVectors dear(coder, 8 * plan.kept_bytes);
    std::vector<GroupPlaces> places;
    for (std::size_t g = 0; g < plan.groups.size(); ++g) {
      const auto slopes = dear.slopes().subspan(g * plan.width, plan.width);
      places.push_back(add_group(plan, plan.groups[g], slopes, from));
    }
    const std::size_t base = from.add_number(dear.base());
    floats = std::make_unique<DeviceBuffer>(from.values().size_bytes());
    floats->copy_in(from.values().data(), floats->bytes());
    const auto* data = static_cast<const float*>(floats->data());
    for (const GroupPlaces& at : places) groups.push_back(group_at(at, data));
    kernel.klt = klt_kernel_of(plan, plan.width, plan.groups.size());
    kernel.klt.base = data + base;
    kernel.klt.coding = pages.coding();
    kernel.width = static_cast<int>(plan.width);
    kernel.head_dim = static_cast<int>(plan.head_dim);
    kernel.groups = groups.data();
  }

  std::shared_ptr<const DeviceTables> tables;
  DevicePagePlans pages;
  std::unique_ptr<DeviceBuffer> floats;
  std::vector<kernels::KltGroup> groups;
  kernels::KltLayers kernel;
};

DeviceLayersPlans::DeviceLayersPlans(const LayersPlan& plan)
    : parts_(std::make_unique<const Parts>(plan)) {}
DeviceLayersPlans::~DeviceLayersPlans() = default;
const kernels::KltLayers& DeviceLayersPlans::kernel() const { return parts_->kernel; }

std::shared_ptr<const DeviceLayersPlans> shared_layers_plans(const LayersPlan& plan) {
  return shared_plans<DeviceLayersPlans>(
      plan, plan.width, plan.groups.size(), checksum_of(plan),
      [&] { return std::make_shared<const DeviceLayersPlans>(plan); });
}

}  // namespace kakeya
