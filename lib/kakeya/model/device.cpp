// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/device.h"

#include "kakeya/model/device_algebra.h"
#include "kakeya/model/device_name.h"
#include "kakeya/model/torch_library.h"

namespace kakeya {

void require_device(const std::string& device) {
  if (gpu_number(device)) torch_library("device " + device).require_device(device);
}

std::unique_ptr<DeviceAlgebra> make_device_algebra(const std::string& device) {
  return torch_library("device " + device).device_algebra(device);
}

}  // namespace kakeya
