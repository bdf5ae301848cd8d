// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "kakeya/device/device_codec.h"

namespace kakeya {

/// klt of single heads, one codec each, of the same spec and dim; or of whole layers, one codec. Throws
/// InputError unless there are kernels for their dim.
std::unique_ptr<DeviceCodec> make_klt_on_device(std::vector<std::unique_ptr<Codec>> hosts);

}  // namespace kakeya
