// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_classes.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "kakeya/bitstream/frequency_gain.h"
#include "kakeya/core/error.h"
#include "kakeya/device/device_table_parts.h"
#include "kakeya/entropy/page_plan.h"
#include "kakeya/entropy/point_coder.h"
#include "kernels/page_classes.h"

namespace kakeya {
namespace {

std::vector<std::uint8_t> all_classes(const PointModel& model) {
  std::vector<std::uint8_t> all(model.class_count());
  std::iota(all.begin(), all.end(), std::uint8_t{0});
  return all;
}

// What the choice of a class needs of each.
struct ClassNumbers {
  std::vector<std::uint32_t> bits_at, falling;
  std::vector<double> bits, variances, coset_bits, weights;
};

// ValueModel::bits() of a value of each symbol.
void append_bits(const ValueModel& model, ClassNumbers& numbers) {
  numbers.bits_at.push_back(static_cast<std::uint32_t>(numbers.bits.size()));
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    numbers.bits.push_back(model.bits(model.high(symbol) * (1 << model.raw_bits())));
  }
}

void append_cosets(const ClassModels& models, ClassNumbers& numbers) {
  const std::vector<const ClassModels*> block(8, &models);
  const std::uint32_t integers = make_coset_table(block).integers;
  numbers.coset_bits.push_back(frequency_bits(integers));
  numbers.coset_bits.push_back(frequency_bits(kFrequencyTotal - integers));
  numbers.weights.insert(numbers.weights.end(),
                         {models.integers, models.signed_integers, models.halves});
}

ClassNumbers numbers_of(const PointModel& model) {
  ClassNumbers numbers;
  for (std::size_t index = 0; index < model.class_count(); ++index) {
    const ClassModels& models = model.models(index);
    for (const ValueModel& context : models.free) append_bits(context, numbers);
    for (const ValueModel& context : models.last) append_bits(context, numbers);
    numbers.variances.push_back(quantised_variance(model, index));
    if (model.lattice() == Lattice::e8) append_cosets(models, numbers);
  }
  numbers.falling = falling_classes(model);
  return numbers;
}

// The most shared memory that the tables of one class take (class_plans.cu places them).
void set_shared_bytes(const std::vector<kernels::PageContext>& contexts, std::size_t each,
                      kernels::PageClasses& kernel) {
  for (std::size_t first = 0; first < contexts.size(); first += each) {
    std::uint32_t take = 0, put = 0;
    for (std::size_t k = first; k < first + each; ++k) {
      take += kernels::taken_bytes(contexts[k], kernel.slots_behind, kernels::kSlotBytes);
      put += 16 * (contexts[k].escape + 1);
    }
    kernel.take_shared_bytes = std::max(kernel.take_shared_bytes, take);
    kernel.put_shared_bytes = std::max(kernel.put_shared_bytes, put);
  }
}

}  // namespace

struct DeviceClasses::Parts {
  std::shared_ptr<const PointModel> model;
  std::shared_ptr<const DeviceTables> tables;
  DeviceBuffer numbers;
  kernels::PageClasses kernel;
};

DeviceClasses::DeviceClasses(std::shared_ptr<const PointModel> model) {
  if (model->lattice() == Lattice::trellis || model->class_count() > kernels::kMostClasses) {
    throw InputError("device classes: expected a model of Z, D4 or E8");
  }
  auto tables = shared_device_tables(model, all_classes(*model));
  const DeviceTables::Parts& parts = *tables->parts_;
  const ClassNumbers numbers = numbers_of(*model);
  const std::vector<double> gains(kFrequencyGain.begin(), kFrequencyGain.end());
  DeviceImage image;
  const std::size_t bits_at = image.append(numbers.bits_at), bits = image.append(numbers.bits),
                    variances = image.append(numbers.variances),
                    falling = image.append(numbers.falling),
                    coset_bits = image.append(numbers.coset_bits),
                    weights = image.append(numbers.weights), gain = image.append(gains);
  DeviceBuffer buffer = image.uploaded();
  const auto* base = static_cast<const std::byte*>(buffer.data());
  const auto doubles = [&](std::size_t at) { return reinterpret_cast<const double*>(base + at); };
  const auto words = [&](std::size_t at) {
    return reinterpret_cast<const std::uint32_t*>(base + at);
  };
  kernels::PageClasses kernel;
  kernel.lattice = static_cast<kernels::PageLattice>(model->lattice());
  kernel.count = static_cast<std::int32_t>(model->class_count());
  kernel.tables = static_cast<const std::uint8_t*>(parts.tables.data());
  kernel.contexts = static_cast<const kernels::PageContext*>(parts.contexts_there.data());
  kernel.bits_at = words(bits_at);
  kernel.bits = doubles(bits);
  kernel.variances = doubles(variances);
  kernel.falling = words(falling);
  kernel.coset_bits = doubles(coset_bits);
  kernel.weights = doubles(weights);
  kernel.gains = doubles(gain);
  kernel.slots_behind = parts.slots_behind;
  set_shared_bytes(parts.contexts,
                   static_cast<std::size_t>(kernels::class_contexts(kernel.lattice)), kernel);
  parts_ = std::make_unique<const Parts>(
      Parts{std::move(model), std::move(tables), std::move(buffer), kernel});
}
DeviceClasses::~DeviceClasses() = default;
const kernels::PageClasses& DeviceClasses::kernel() const { return parts_->kernel; }
std::size_t DeviceClasses::bytes() const {
  return parts_->tables->bytes() + parts_->numbers.bytes();
}

std::vector<std::uint8_t> DeviceClasses::widest(std::size_t dim) const {
  const PointModel& model = *parts_->model;
  std::size_t free = 0, last = 0;
  const auto raw_bits = [](const std::vector<ValueModel>& contexts) {
    return contexts.empty() ? 0 : contexts.front().raw_bits();
  };
  for (std::size_t index = 1; index < model.class_count(); ++index) {
    const ClassModels& models = model.models(index);
    if (raw_bits(models.free) > raw_bits(model.models(free).free)) free = index;
    if (raw_bits(models.last) > raw_bits(model.models(last).last)) last = index;
  }
  std::vector<std::uint8_t> classes;
  for (std::size_t i = 0; i < dim; ++i) {
    classes.push_back(static_cast<std::uint8_t>(is_last(model.lattice(), i) ? last : free));
  }
  return classes;
}

std::shared_ptr<const DeviceClasses> shared_device_classes(
    std::shared_ptr<const PointModel> model) {
  static std::mutex mutex;
  using Key = std::pair<int, const PointModel*>;
  static std::map<Key, std::weak_ptr<const DeviceClasses>> made;
  const std::lock_guard lock(mutex);
  std::erase_if(made, [](const auto& each) { return each.second.expired(); });
  const Key key{current_device(), model.get()};
  std::shared_ptr<const DeviceClasses> classes = made[key].lock();
  if (!classes) made[key] = classes = std::make_shared<const DeviceClasses>(std::move(model));
  return classes;
}

}  // namespace kakeya
