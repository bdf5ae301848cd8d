// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kakeya/entropy/point_model.h"

namespace kakeya {

namespace kernels {
struct PageClasses;  // kernels/page_classes.h
}

/// All classes of a model in device memory, for heads whose classes are chosen there: their tables
/// (device_tables.h) and what each of their symbols costs. Immutable.
class DeviceClasses {
 public:
  /// Makes and uploads the tables of all classes, of E8 up to 35 MB. Of Z, D4 or E8.
  explicit DeviceClasses(std::shared_ptr<const PointModel> model);
  ~DeviceClasses();

  /// For launchers of kernels/page_classes.h, while this object lives.
  const kernels::PageClasses& kernel() const;
  /// For `dim` coordinates, the classes whose pages have the largest bound (PointCoder::page_bound()).
  std::vector<std::uint8_t> widest(std::size_t dim) const;
  /// Bytes in device memory, with those of the tables.
  std::size_t bytes() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// Those of `model` that live already, or new ones. Thread-safe.
std::shared_ptr<const DeviceClasses> shared_device_classes(std::shared_ptr<const PointModel> model);

}  // namespace kakeya
