// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/device/device_pages.h"
#include "kakeya/device/device_vectors.h"

namespace kakeya {

namespace kernels {
struct Vectors;     // kernels/kernels.h
struct PagePoints;  // kernels/pages.h
struct PageSections;
}  // namespace kernels

/// Bytes from one head's section to the next one's: its own, rounded up.
constexpr std::size_t device_room(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// A view, points and sections as launchers take them.
kernels::Vectors kernel_view(const DeviceVectors& x);
kernels::PagePoints kernel_points(const DevicePoints& points);
kernels::PageSections kernel_sections(const DevicePageSections& sections);

}  // namespace kakeya
