// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/klt_plans.h"

#include <algorithm>
#include <cstring>
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

// Signed digits of base 256: value = 256 high + low.
std::int8_t low_digit(std::int16_t value) { return static_cast<std::int8_t>(value & 0xff); }
std::int8_t high_digit(std::int16_t value) {
  return static_cast<std::int8_t>((value - low_digit(value)) / 256);
}

// Where the whole numbers of product=exact are: both matrices of all heads as digits, then their
// factors. In words.
struct WholePlaces {
  std::size_t heads = 0, matrix = 0, vector = 0;
  explicit WholePlaces(std::span<const TransformPlan> plans) {
    if (plans[0].exact == nullptr) return;
    const int dim = static_cast<int>(plans[0].mean.size());
    heads = plans.size();
    matrix = 2 * static_cast<std::size_t>(kernels::klt_whole_fragments(dim));
    vector = static_cast<std::size_t>(kernels::klt_padded(dim));
  }
  std::size_t forward() const { return 0; }
  std::size_t backward() const { return heads * matrix; }
  std::size_t to_whole() const { return 3 * heads * matrix; }
  std::size_t forward_scale() const { return to_whole() + heads * vector; }
  std::size_t backward_scale() const { return forward_scale() + heads * vector; }
  std::size_t all() const { return backward_scale() + heads * vector; }
};

// One digit of each value, at plane `plane` of `planes`.
template <typename Digit>
void place_digits(const WholeMatrix& matrix, std::size_t planes, std::size_t plane, Digit digit,
                  std::uint32_t* to) {
  const int dim = static_cast<int>(matrix.dim);
  auto* bytes = reinterpret_cast<std::int8_t*>(to);
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < dim; ++j) {
      const kernels::WholePlace place = kernels::klt_whole_place(dim, i, j);
      const auto fragment = static_cast<std::size_t>(place.fragment);
      bytes[8 * (fragment * planes + plane) + static_cast<std::size_t>(place.byte)] =
          digit(matrix.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
    }
  }
}

std::vector<std::uint32_t> wholes_of(std::span<const TransformPlan> heads) {
  const WholePlaces places(heads);
  std::vector<std::uint32_t> all(places.all());
  for (std::size_t h = 0; h < places.heads; ++h) {
    const ExactProduct& exact = *heads[h].exact;
    std::uint32_t* backward = &all[places.backward() + 2 * h * places.matrix];
    place_digits(exact.forward, 1, 0, low_digit, &all[places.forward() + h * places.matrix]);
    place_digits(exact.backward, 2, 0, low_digit, backward);
    place_digits(exact.backward, 2, 1, high_digit, backward);
    const auto put = [&](const std::vector<float>& from, std::size_t to) {
      std::memcpy(&all[to + h * places.vector], from.data(), 4 * from.size());
    };
    put(exact.to_whole, places.to_whole());
    put(exact.forward_scale, places.forward_scale());
    put(exact.backward_scale, places.backward_scale());
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
    const std::uint32_t is_exact[] = {head.exact == nullptr ? 0u : 1u};  // of the same numbers
    add(std::span(is_exact));
    add(std::span<const std::uint8_t>(*head.format->known_classes));
  }
  return sum;
}

}  // namespace

struct DeviceKltPlans::Parts {
  explicit Parts(std::span<const TransformPlan> heads)
      : floats(4 * Places(heads).all()),
        wholes(4 * WholePlaces(heads).all()),
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
    if (heads[0].exact != nullptr) put_wholes(heads);
  }

  void put_wholes(std::span<const TransformPlan> heads) {
    const std::vector<std::uint32_t> values = wholes_of(heads);
    wholes.copy_in(values.data(), 4 * values.size());
    const WholePlaces places(heads);
    const auto* words = static_cast<const std::uint32_t*>(wholes.data());
    kernel.whole_forward = words + places.forward();
    kernel.whole_backward = words + places.backward();
    const auto at = [&](std::size_t place) { return reinterpret_cast<const float*>(words + place); };
    kernel.to_whole = at(places.to_whole());
    kernel.forward_scale = at(places.forward_scale());
    kernel.backward_scale = at(places.backward_scale());
  }

  DeviceBuffer floats, wholes;
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
