// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/error.h"
#include "kakeya/model/device.h"
#include "kakeya/model/device_algebra.h"
#include "kakeya/model/load_checkpoint.h"

namespace kakeya {

std::unique_ptr<Model> load_checkpoint(const std::string& path, const ModelOptions&) {
  throw InputError(path +
                   ": cannot run a model: this build has no LibTorch (see the configure output)");
}

std::unique_ptr<DeviceAlgebra> make_device_algebra(const std::string& device) {
  throw InputError("device " + device + ": this build has no LibTorch (see the configure output)");
}

void require_device(const std::string& text) { make_device_algebra(text); }

}  // namespace kakeya
