// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kakeya/device/device_pages.h"
#include "kakeya/entropy/prefix_coder.h"

namespace kakeya {

namespace kernels {
struct PrefixPages;  // kernels/prefix.h
}

/// Tables of pages of prefix codes in device memory, of the heads of a layer, and their pages there: the
/// bytes of PrefixCoder. Flags and points are those of DevicePagePlans; pages have as many vectors as
/// `tokens` tell, DevicePoints::vectors is not read. Immutable; const means thread-safe.
class DevicePrefixPlans {
 public:
  /// One coder a head. Throws InputError on none, and on heads of unlike dims.
  explicit DevicePrefixPlans(std::span<const PrefixCoder* const> heads);
  ~DevicePrefixPlans();

  /// Bytes of device memory that encode(), and that decode() and sums() borrow.
  std::size_t encode_workspace(const DevicePoints& points) const;
  std::size_t decode_workspace(const DevicePoints& points) const;

  void encode(const DevicePoints& points, std::size_t tokens, const DevicePageSections& out,
              void* workspace, std::uint32_t* flags, DeviceStream stream) const;
  /// Damaged pages, and lanes without a vector, are 0.
  void decode(const DevicePageSections& in, const DevicePoints& points, std::size_t tokens,
              void* workspace, std::uint32_t* flags, DeviceStream stream) const;
  /// sums[(h * pages + p) * page + t]: the sum of twice the coordinates of vector t: decoding without
  /// memory for points (points.twice is not used).
  void sums(const DevicePageSections& in, const DevicePoints& points, std::size_t tokens,
            std::int32_t* sums, void* workspace, std::uint32_t* flags, DeviceStream stream) const;

  /// For launchers of kernels/prefix.h, while this object lives.
  const kernels::PrefixPages& kernel() const;
  /// Bytes in device memory.
  std::size_t bytes() const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

/// What a point costs in a page at most: base + the sum of slopes[i] * |coordinate i|, in bits.
struct PrefixCosts {
  explicit PrefixCosts(const PrefixCoder& coder);
  float base = 0;
  std::vector<float> slopes;  ///< [dim]
};

}  // namespace kakeya
