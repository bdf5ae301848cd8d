// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kakeya/device/device_vectors.h"

namespace kakeya {

namespace kernels {
struct Vectors;  // kernels/kernels.h
}

/// Bytes from one head's section to the next one's: its own, rounded up.
constexpr std::size_t device_room(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// A view as launchers take it.
kernels::Vectors kernel_view(const DeviceVectors& x);

}  // namespace kakeya
