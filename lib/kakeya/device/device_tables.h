// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "kakeya/device/device_memory.h"
#include "kakeya/entropy/point_model.h"

namespace kakeya {

/// Tables of classes in device memory, as the kernels of pages want them: those of each class that
/// is named, once. Immutable; shared by all who code with them.
class DeviceTables {
 public:
  /// Uploads the tables of `classes` of `model`, which are made where they are not made yet.
  /// Repeats among the classes are dropped. Throws InputError on a class that the model does not
  /// have, Error where there is no device.
  DeviceTables(std::shared_ptr<const PointModel> model, std::span<const std::uint8_t> classes);
  ~DeviceTables();

  const PointModel& model() const;
  /// Of the GPU that is current.
  bool has(std::span<const std::uint8_t> classes) const;
  /// Bytes in device memory.
  std::size_t bytes() const;

 private:
  friend class DevicePagePlans;
  friend class DeviceClasses;
  struct Parts;  // device_table_parts.h
  std::unique_ptr<const Parts> parts_;
};

/// The tables of these classes of `model`: an owner that lives already and has them all, or a new
/// one. Thread-safe.
std::shared_ptr<const DeviceTables> shared_device_tables(std::shared_ptr<const PointModel> model,
                                                         std::span<const std::uint8_t> classes);

}  // namespace kakeya
