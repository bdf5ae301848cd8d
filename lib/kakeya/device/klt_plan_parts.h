// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "kakeya/bitstream/crc32c.h"
#include "kakeya/codec/transform_codec.h"
#include "kakeya/device/device_tables.h"

namespace kakeya {

namespace kernels {
struct Klt;  // kernels/klt.h
}

/// Numbers of plans as kernels/klt.h wants them, one array after another, before they are uploaded.
/// What is added says where in floats it begins.
class KltFloats {
 public:
  /// A vector that goes with columns, and zeros up to klt_padded() of its length.
  std::size_t add_vector(std::span<const float> vector);
  /// Value (i, j) of [dim, dim] is at(i, j).
  using At = std::function<float(std::size_t i, std::size_t j)>;
  std::size_t add_matrix(std::size_t dim, const At& at);
  /// Row-major.
  std::size_t add_rows(std::span<const float> matrix, std::size_t dim);
  std::size_t add_number(float value);
  std::span<const float> values() const { return values_; }

 private:
  std::vector<float> values_;
};

/// All but what is in device memory, of vectors of so many groups of `width` scalars.
kernels::Klt klt_kernel_of(const TransformFrames& frames, std::size_t width, std::size_t groups);

/// A checksum of numbers, one array after another.
class KltChecksum {
 public:
  template <typename Value>
  void add(std::span<const Value> values) {
    const std::uint32_t both[] = {sum_, crc32c(std::as_bytes(values))};
    sum_ = crc32c(std::as_bytes(std::span(both)));
  }
  std::uint32_t value() const { return sum_; }

 private:
  std::uint32_t sum_ = 0;
};

/// Those Plans that live already on this GPU and are of the same numbers, or make(). Thread-safe.
template <typename Plans, typename Make>
std::shared_ptr<const Plans> shared_plans(const TransformFrames& frames, std::size_t dim,
                                          std::size_t count, std::uint32_t checksum,
                                          const Make& make) {
  static std::mutex mutex;
  using Key =
      std::tuple<int, const PointModel*, std::size_t, std::size_t, std::size_t, std::uint32_t>;
  static std::map<Key, std::weak_ptr<const Plans>> made;
  const Key key{current_device(), frames.format->model.get(), count, dim, frames.format->page,
                checksum};
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Plans> plans = made[key].lock();
  if (!plans) made[key] = plans = make();
  return plans;
}

}  // namespace kakeya
