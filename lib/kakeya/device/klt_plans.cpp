// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/klt_plans.h"

#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_pages.h"
#include "kakeya/device/klt_plan_parts.h"
#include "kernels/klt.h"

namespace kakeya {
namespace {

using Classes = std::vector<std::vector<std::uint8_t>>;

Classes classes_of(std::span<const TransformPlan> heads) {
  Classes classes;
  for (const TransformPlan& head : heads) classes.push_back(*head.format->known_classes);
  return classes;
}

std::shared_ptr<const DeviceTables> tables_of(std::span<const TransformPlan> heads) {
  std::vector<std::uint8_t> all;
  for (const TransformPlan& head : heads) {
    all.insert(all.end(), head.format->known_classes->begin(), head.format->known_classes->end());
  }
  return shared_device_tables(heads[0].format->model, all);
}

// The numbers of all heads: each array for all of them, then the next.
struct HeadFloats {
  KltFloats floats;
  std::size_t forward, backward, negative_mean, mean, slope, base;

  explicit HeadFloats(std::span<const TransformPlan> heads) {
    const std::size_t dim = heads[0].mean.size();
    forward = of_each(heads, [&](const TransformPlan& h) { floats.add_rows(h.forward, dim); });
    backward = of_each(heads, [&](const TransformPlan& h) { floats.add_rows(h.backward, dim); });
    negative_mean = of_each(heads, [&](const auto& h) { floats.add_vector(h.negative_mean); });
    mean = of_each(heads, [&](const TransformPlan& h) { floats.add_vector(h.mean); });
    std::vector<float> bases;
    slope = of_each(heads, [&](const TransformPlan& h) {
      const PointCoder coder = h.format->known_coder();
      const DearVectors dear(coder, 8 * h.kept_bytes);
      floats.add_vector(dear.slopes());
      bases.push_back(dear.base());
    });
    base = floats.values().size();
    for (const float value : bases) floats.add_number(value);
  }

  template <typename Add>
  std::size_t of_each(std::span<const TransformPlan> heads, const Add& add) {
    const std::size_t first = floats.values().size();
    for (const TransformPlan& head : heads) add(head);
    return first;
  }
};

std::uint32_t checksum_of(std::span<const TransformPlan> heads) {
  KltChecksum sum;
  for (const TransformPlan& head : heads) {
    sum.add(head.record);
    sum.add(head.mean);
    sum.add(head.forward);
    sum.add(head.backward);
    sum.add(std::span<const std::uint8_t>(*head.format->known_classes));
  }
  return sum.value();
}

}  // namespace

struct DeviceKltPlans::Parts {
  Parts(std::span<const TransformPlan> heads, const HeadFloats& from)
      : floats(from.floats.values().size_bytes()),
        tables(tables_of(heads)),
        pages(tables, classes_of(heads)),
        kernel(klt_kernel_of(heads[0], heads[0].mean.size(), 1)) {
    floats.copy_in(from.floats.values().data(), floats.bytes());
    const auto* data = static_cast<const float*>(floats.data());
    kernel.forward = data + from.forward;
    kernel.backward = data + from.backward;
    kernel.negative_mean = data + from.negative_mean;
    kernel.mean = data + from.mean;
    kernel.slope = data + from.slope;
    kernel.base = data + from.base;
    kernel.coding = pages.coding();
  }

  DeviceBuffer floats;
  std::shared_ptr<const DeviceTables> tables;
  DevicePagePlans pages;
  kernels::Klt kernel;
};

DeviceKltPlans::DeviceKltPlans(std::span<const TransformPlan> heads)
    : parts_(std::make_unique<const Parts>(heads, HeadFloats(heads))) {}
DeviceKltPlans::~DeviceKltPlans() = default;
const kernels::Klt& DeviceKltPlans::kernel() const { return parts_->kernel; }

std::shared_ptr<const DeviceKltPlans> shared_klt_plans(std::span<const TransformPlan> heads) {
  return shared_plans<DeviceKltPlans>(
      heads[0], heads[0].mean.size(), heads.size(), checksum_of(heads),
      [&] { return std::make_shared<const DeviceKltPlans>(heads); });
}

}  // namespace kakeya
