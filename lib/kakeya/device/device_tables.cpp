// SPDX-License-Identifier: Apache-2.0
#include "kakeya/device/device_tables.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/device/device_table_parts.h"
#include "kakeya/entropy/point_model.h"
#include "kernels/pages.h"

namespace kakeya {
namespace {

using kernels::PageContext;
using kernels::TableOffset;

static_assert(sizeof(RansSymbol) == 16 && std::is_trivially_copyable_v<RansSymbol>,
              "the kernels read it as four numbers");

std::vector<std::uint8_t> slot_bytes(const ValueTable& table) {
  std::vector<std::uint8_t> slots(kFrequencyTotal);
  const ValueModel& model = table.model();
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    const auto byte = static_cast<std::uint8_t>(symbol == model.escape() ? 0 : symbol + 1);
    std::fill_n(slots.begin() + model.frequencies().start(symbol),
                model.frequencies().frequency(symbol), byte);
  }
  return slots;
}

std::vector<std::int32_t> takers(const ValueModel& model) {
  std::vector<std::int32_t> pairs;
  for (std::uint32_t byte = 0; byte <= model.escape(); ++byte) {
    const std::uint32_t symbol = byte == 0 ? model.escape() : byte - 1;
    const auto frequency = static_cast<std::int32_t>(model.frequencies().frequency(symbol));
    pairs.push_back(frequency - static_cast<std::int32_t>(kFrequencyTotal));
    pairs.push_back(-static_cast<std::int32_t>(model.frequencies().start(symbol)));
  }
  return pairs;
}

// Of PageContext::buckets: symbols are numbered from the last, the escape.
std::vector<std::uint32_t> buckets(const ValueModel& model) {
  constexpr std::uint32_t kEach = 16;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    numbers.insert(numbers.end(), model.frequencies().frequency(symbol), model.escape() - symbol);
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t first = 0; first < kFrequencyTotal; first += kEach) {
    std::uint32_t bucket = numbers[first + kEach - 1];
    for (std::uint32_t k = 0; k + 1 < kEach; ++k) {
      if (numbers[first + k + 1] != numbers[first + k]) bucket |= 1u << (kEach + k);
    }
    result.push_back(bucket);
  }
  return result;
}

std::vector<std::int32_t> bucket_takers(const ValueModel& model) {
  std::vector<std::int32_t> pairs;
  for (std::uint32_t symbol = model.escape() + 1; symbol-- > 0;) {
    const auto frequency = static_cast<std::int32_t>(model.frequencies().frequency(symbol));
    pairs.push_back(frequency - static_cast<std::int32_t>(kFrequencyTotal));
    pairs.push_back(-static_cast<std::int32_t>(model.frequencies().start(symbol)));
  }
  return pairs;
}

// Everything of a context but its slots.
PageContext append_context(const ValueTable& table, DeviceImage& image) {
  const ValueModel& model = table.model();
  std::vector<RansSymbol> putters;
  std::vector<std::uint32_t> costs;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    putters.push_back(table.encoder(symbol));
    costs.push_back(table.most_cost(symbol));
  }
  std::vector<std::uint16_t> spread_slots, row_positions;
  for (std::uint32_t i = 0; i < kFrequencyTotal; ++i) {
    spread_slots.push_back(static_cast<std::uint16_t>(table.spread().slot(i)));
    row_positions.push_back(static_cast<std::uint16_t>(table.spread().row_position(i)));
  }
  const auto offset = [](std::size_t at) { return static_cast<TableOffset>(at); };
  PageContext context{};
  context.takers = offset(image.append(takers(model)));
  context.buckets = offset(image.append(buckets(model)));
  context.bucket_takers = offset(image.append(bucket_takers(model)));
  context.putters = offset(image.append(putters));
  context.spread_slots = offset(image.append(spread_slots));
  context.row_positions = offset(image.append(row_positions));
  context.most_costs = offset(image.append(costs));
  context.first = model.high(0);
  context.escape = model.escape();
  context.raw_bits = model.raw_bits();
  context.scale_bits = model.grid().scale_bits;
  context.offset = model.grid().offset;
  return context;
}

}  // namespace

std::size_t DeviceImage::append(const void* data, std::size_t bytes) {
  const std::size_t at = bytes_.size();
  bytes_.resize(at + (bytes + 15) / 16 * 16);
  if (bytes != 0) std::memcpy(&bytes_[at], data, bytes);
  return at;
}

std::unique_ptr<const DeviceTables::Parts> DeviceTables::Parts::make(
    std::shared_ptr<const PointModel> model, std::span<const std::uint8_t> classes) {
  const std::set<std::uint8_t> each(classes.begin(), classes.end());
  std::vector<const ValueTable*> all;
  for (const std::uint8_t number : each) {
    if (number >= model->class_count()) {
      throw InputError("device tables: class " + std::to_string(number) + ", the model has " +
                       std::to_string(model->class_count()));
    }
    const ClassTables& tables = model->tables(number);
    for (const ValueTable& table : tables.free) all.push_back(&table);
    for (const ValueTable& table : tables.last) all.push_back(&table);
  }
  // The slots first, so that each lies at a multiple of 4096.
  DeviceImage image;
  std::map<const ValueTable*, std::uint32_t> numbers;
  std::vector<PageContext> contexts;
  for (const ValueTable* table : all) image.append(slot_bytes(*table));
  for (const ValueTable* table : all) {
    const std::size_t number = contexts.size();
    numbers[table] = static_cast<std::uint32_t>(number);
    contexts.push_back(append_context(*table, image));
    contexts.back().slots = static_cast<TableOffset>(number * kFrequencyTotal);
  }
  DeviceImage contexts_image;
  contexts_image.append(contexts);
  return std::make_unique<const Parts>(Parts{std::move(model), each, std::move(numbers),
                                             std::move(contexts), image.uploaded(),
                                             contexts_image.uploaded()});
}

DeviceTables::DeviceTables(std::shared_ptr<const PointModel> model,
                           std::span<const std::uint8_t> classes)
    : parts_(Parts::make(std::move(model), classes)) {}
DeviceTables::~DeviceTables() = default;
const PointModel& DeviceTables::model() const { return *parts_->model; }
std::size_t DeviceTables::bytes() const {
  return parts_->tables.bytes() + parts_->contexts_there.bytes();
}
bool DeviceTables::has(std::span<const std::uint8_t> classes) const {
  return parts_->device == current_device() &&
         std::all_of(classes.begin(), classes.end(),
                     [&](std::uint8_t number) { return parts_->classes.count(number) != 0; });
}

std::shared_ptr<const DeviceTables> shared_device_tables(std::shared_ptr<const PointModel> model,
                                                         std::span<const std::uint8_t> classes) {
  static std::mutex mutex;
  static std::vector<std::weak_ptr<const DeviceTables>> made;
  const std::lock_guard lock(mutex);
  std::erase_if(made, [](const auto& tables) { return tables.expired(); });
  for (const auto& weak : made) {
    const auto tables = weak.lock();
    if (tables && &tables->model() == model.get() && tables->has(classes)) return tables;
  }
  auto tables = std::make_shared<const DeviceTables>(std::move(model), classes);
  made.push_back(tables);
  return tables;
}

}  // namespace kakeya
