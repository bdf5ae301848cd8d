// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/klt_plans.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/device/device_memory.h"
#include "kakeya/device/device_pages.h"
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

kernels::Klt::Points points_of(Lattice lattice) {
  if (lattice == Lattice::trellis) return kernels::Klt::trellis;
  return lattice == Lattice::e8 ? kernels::Klt::e8 : kernels::Klt::z;
}

// The numbers of all heads in the order of kernels::Klt: each array for all heads, then the next.
struct Places {
  std::size_t heads, matrix, vector;
  explicit Places(std::span<const TransformPlan> plans)
      : heads(plans.size()),
        matrix(kernels::klt_matrix_values(static_cast<int>(plans[0].mean.size()))),
        vector(
            static_cast<std::size_t>(kernels::klt_padded(static_cast<int>(plans[0].mean.size())))) {
  }
  std::size_t forward() const { return 0; }
  std::size_t backward() const { return heads * matrix; }
  std::size_t negative_mean() const { return 2 * heads * matrix; }
  std::size_t mean() const { return negative_mean() + heads * vector; }
  std::size_t slope() const { return mean() + heads * vector; }
  std::size_t base() const { return slope() + heads * vector; }
  std::size_t all() const { return base() + heads; }
};

void place_matrix(std::span<const float> matrix, std::size_t dim, float* to) {
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t j = 0; j < dim; ++j) {
      to[kernels::klt_place(static_cast<int>(dim), static_cast<int>(i), static_cast<int>(j))] =
          matrix[i * dim + j];
    }
  }
}

std::vector<float> floats_of(std::span<const TransformPlan> heads) {
  const Places places(heads);
  const std::size_t dim = heads[0].mean.size();
  std::vector<float> all(places.all());
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const TransformPlan& plan = heads[h];
    place_matrix(plan.forward, dim, &all[places.forward() + h * places.matrix]);
    place_matrix(plan.backward, dim, &all[places.backward() + h * places.matrix]);
    const PointCoder coder = plan.format->known_coder();
    const DearVectors dear(coder, 8 * plan.kept_bytes);
    const auto put = [&](std::span<const float> from, std::size_t to) {
      std::copy(from.begin(), from.end(), all.begin() + static_cast<std::ptrdiff_t>(to));
    };
    put(plan.negative_mean, places.negative_mean() + h * places.vector);
    put(plan.mean, places.mean() + h * places.vector);
    put(dear.slopes(), places.slope() + h * places.vector);
    all[places.base() + h] = dear.base();
  }
  return all;
}

// All but what is in device memory.
kernels::Klt kernel_of(const TransformPlan& plan) {
  kernels::Klt kernel;
  kernel.points = points_of(plan.format->lattice);
  kernel.dim = static_cast<int>(plan.mean.size());
  kernel.page = static_cast<int>(plan.format->page);
  kernel.largest = plan.largest;
  kernel.most_bits = static_cast<std::uint32_t>(8 * plan.kept_bytes);
  return kernel;
}

std::uint32_t checksum_of(std::span<const TransformPlan> heads) {
  std::uint32_t sum = 0;
  const auto add = [&](auto values) {
    const std::uint32_t both[] = {sum, crc32c(std::as_bytes(values))};
    sum = crc32c(std::as_bytes(std::span(both)));
  };
  for (const TransformPlan& head : heads) {
    add(head.site);
    add(head.mean);
    add(head.forward);
    add(head.backward);
    add(std::span<const std::uint8_t>(*head.format->known_classes));
  }
  return sum;
}

}  // namespace

struct DeviceKltPlans::Parts {
  explicit Parts(std::span<const TransformPlan> heads)
      : floats(4 * Places(heads).all()),
        tables(tables_of(heads)),
        pages(tables, classes_of(heads)),
        kernel(kernel_of(heads[0])) {
    const std::vector<float> values = floats_of(heads);
    floats.copy_in(values.data(), 4 * values.size());
    const Places places(heads);
    const auto* data = static_cast<const float*>(floats.data());
    kernel.forward = data + places.forward();
    kernel.backward = data + places.backward();
    kernel.negative_mean = data + places.negative_mean();
    kernel.mean = data + places.mean();
    kernel.slope = data + places.slope();
    kernel.base = data + places.base();
    kernel.coding = pages.coding();
  }

  DeviceBuffer floats;
  std::shared_ptr<const DeviceTables> tables;
  DevicePagePlans pages;
  kernels::Klt kernel;
};

DeviceKltPlans::DeviceKltPlans(std::span<const TransformPlan> heads)
    : parts_(std::make_unique<const Parts>(heads)) {}
DeviceKltPlans::~DeviceKltPlans() = default;
const kernels::Klt& DeviceKltPlans::kernel() const { return parts_->kernel; }

std::shared_ptr<const DeviceKltPlans> shared_klt_plans(std::span<const TransformPlan> heads) {
  static std::mutex mutex;
  using Key = std::tuple<const PointModel*, std::size_t, std::size_t, std::size_t, std::uint32_t>;
  static std::map<Key, std::weak_ptr<const DeviceKltPlans>> made;
  const Key key{heads[0].format->model.get(), heads.size(), heads[0].mean.size(),
                heads[0].format->page, checksum_of(heads)};
  const std::lock_guard lock(mutex);
  std::shared_ptr<const DeviceKltPlans> plans = made[key].lock();
  if (!plans) made[key] = plans = std::make_shared<const DeviceKltPlans>(heads);
  return plans;
}

}  // namespace kakeya
