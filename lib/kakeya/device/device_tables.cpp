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

// The value that stands for a symbol (PageContext).
std::int32_t value_of(const ValueModel& model, std::uint32_t symbol) {
  return model.high(0) + static_cast<std::int32_t>(symbol);
}

void append_bytes(std::vector<std::byte>& bytes, const void* data, std::size_t count) {
  const auto* from = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), from, from + count);
}

// Of PageContext: the entries, up to `behind` bytes behind that of 0, which is entries_before() behind
// the first. The escape has one at both ends.
std::vector<std::byte> entries(const ValueModel& model, std::uint32_t before,
                               std::uint32_t behind) {
  std::vector<std::uint32_t> words((before + behind) / 4);
  const auto place = [&](std::int32_t value) -> std::uint32_t& {
    return words.at(static_cast<std::size_t>(static_cast<std::int32_t>(before / 4) + value));
  };
  const FrequencyTable& table = model.frequencies();
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    place(value_of(model, symbol)) = table.frequency(symbol) << 20 | table.start(symbol);
  }
  std::uint32_t& escape = place(value_of(model, model.escape()));
  escape |= model.escape() << kFrequencyBits;
  place(model.high(0) - 1) = escape;
  std::vector<std::byte> bytes;
  append_bytes(bytes, words.data(), 4 * words.size());
  return bytes;
}

void append_slots(const ValueTable& table, std::vector<std::byte>& bytes) {
  const ValueModel& model = table.model();
  std::vector<std::int8_t> slots;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    const std::int32_t value =
        symbol == model.escape() ? model.high(0) - 1 : value_of(model, symbol);
    if (value < INT8_MIN || value > INT8_MAX) {
      throw Error("device tables: a symbol of " + std::to_string(value) + ", beyond a byte");
    }
    slots.insert(slots.end(), model.frequencies().frequency(symbol),
                 static_cast<std::int8_t>(value));
  }
  append_bytes(bytes, slots.data(), slots.size());
  std::vector<std::uint16_t> rows;
  for (std::uint32_t slot = 0; slot < kFrequencyTotal; ++slot) {
    rows.push_back(static_cast<std::uint16_t>(table.spread().row_position(slot)));
  }
  append_bytes(bytes, rows.data(), 2 * rows.size());
}

void append_buckets(const ValueModel& model, std::vector<std::byte>& bytes) {
  constexpr std::uint32_t kEach = 16;
  std::vector<std::int32_t> values;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    values.insert(values.end(), model.frequencies().frequency(symbol), value_of(model, symbol));
  }
  for (std::uint32_t first = 0; first < kFrequencyTotal; first += kEach) {
    std::uint32_t bucket = static_cast<std::uint16_t>(values[first + kEach - 1]);
    for (std::uint32_t k = 0; k + 1 < kEach; ++k) {
      if (values[first + k + 1] != values[first + k]) bucket |= 1u << (kEach + k);
    }
    append_bytes(bytes, &bucket, 4);
  }
}

PageContext context_of(const ValueModel& model) {
  PageContext context{};
  context.first = model.high(0);
  context.escape = model.escape();
  context.raw_bits = model.raw_bits();
  context.scale_bits = model.grid().scale_bits;
  context.offset = model.grid().offset;
  return context;
}

PageContext append_context(const ValueTable& table, std::uint32_t slots_behind,
                           DeviceImage& image) {
  const ValueModel& model = table.model();
  PageContext context = context_of(model);
  const std::uint32_t before = kernels::entries_before(context);
  auto with_slots = entries(model, before, slots_behind), with_buckets = with_slots;
  append_slots(table, with_slots);
  append_buckets(model, with_buckets);
  std::vector<RansSymbol> putters;
  std::vector<std::uint32_t> costs;
  for (std::uint32_t symbol = 0; symbol <= model.escape(); ++symbol) {
    putters.push_back(table.encoder(symbol));
    costs.push_back(table.most_cost(symbol));
  }
  std::vector<std::uint16_t> spread_slots;
  for (std::uint32_t i = 0; i < kFrequencyTotal; ++i) {
    spread_slots.push_back(static_cast<std::uint16_t>(table.spread().slot(i)));
  }
  const auto offset = [](std::size_t at) { return static_cast<TableOffset>(at); };
  context.zero = offset(image.append(with_slots)) + before;
  context.bucket_zero = offset(image.append(with_buckets)) + before;
  context.putters = offset(image.append(putters));
  context.spread_slots = offset(image.append(spread_slots));
  context.most_costs = offset(image.append(costs));
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
  DeviceImage image;
  std::map<const ValueTable*, std::uint32_t> numbers;
  std::vector<PageContext> contexts;
  std::uint32_t behind = 4;
  for (const ValueTable* table : all) {
    behind = std::max(behind, kernels::entries_behind(context_of(table->model())));
  }
  for (const ValueTable* table : all) {
    numbers[table] = static_cast<std::uint32_t>(contexts.size());
    contexts.push_back(append_context(*table, behind, image));
  }
  DeviceImage contexts_image;
  contexts_image.append(contexts);
  return std::make_unique<const Parts>(Parts{std::move(model), each, std::move(numbers),
                                             std::move(contexts), behind, image.uploaded(),
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
