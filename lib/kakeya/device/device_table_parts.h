// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <type_traits>
#include <vector>

#include "kakeya/device/device_tables.h"

// Of device_tables.cpp and device_pages.cpp.

namespace kakeya {

namespace kernels {
struct PageContext;
}

// Bytes for device memory, each piece at a multiple of 16.
class DeviceImage {
 public:
  std::size_t size() const { return bytes_.size(); }
  const std::byte* data() const { return bytes_.data(); }

  std::size_t append(const void* data, std::size_t bytes);
  template <typename T>
  std::size_t append(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return append(values.data(), values.size() * sizeof(T));
  }
  void replace(std::size_t at, const void* data, std::size_t bytes) {
    std::memcpy(&bytes_[at], data, bytes);
  }
  DeviceBuffer uploaded() const {
    DeviceBuffer buffer(bytes_.size());
    buffer.copy_in(bytes_.data(), bytes_.size());
    return buffer;
  }

 private:
  std::vector<std::byte> bytes_;
};

struct DeviceTables::Parts {
  std::shared_ptr<const PointModel> model;
  std::set<std::uint8_t> classes;
  std::map<const ValueTable*, std::uint32_t> numbers;  // of contexts
  std::vector<kernels::PageContext> contexts;
  std::uint32_t slots_behind;  // PageCoding::slots_behind
  DeviceBuffer tables, contexts_there;
  int device = current_device();  // that has them

  static std::unique_ptr<const Parts> make(std::shared_ptr<const PointModel> model,
                                           std::span<const std::uint8_t> classes);
};

}  // namespace kakeya
