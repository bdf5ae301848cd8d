// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/device/device_vectors.h"

namespace kakeya {

namespace kernels {
struct Vectors;
}

/// What kernels take.
kernels::Vectors view_of(const DeviceVectors& x);

}  // namespace kakeya
