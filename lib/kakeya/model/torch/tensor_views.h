// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kakeya/device/device_vectors.h"

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
}

namespace kakeya {

/// A tensor [tokens, heads, dim], its last dim dense, as kernels take it. Throws InputError unless it is of
/// float32 or bfloat16.
DeviceVectors device_vectors(const at::Tensor& part);

/// LibTorch's stream on the device of `part`. Throws InputError unless it is the default one.
DeviceStream stream_of(const at::Tensor& part);

/// Vectors on `device` as a tensor, [tokens, heads, dim], a view.
at::Tensor tensor_of(const DeviceVectors& part, const c10::Device& device);

}  // namespace kakeya
