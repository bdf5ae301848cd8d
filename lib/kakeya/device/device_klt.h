// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kakeya/device/device_codec.h"

namespace kakeya {

/// Throws InputError unless there are kernels of klt for vectors of `dim`.
void require_klt_dim(const std::string& spec, std::size_t dim);

/// klt of single heads, one codec each, of the same spec and dim.
std::unique_ptr<DeviceCodec> make_klt_on_device(std::vector<std::unique_ptr<Codec>> hosts);

}  // namespace kakeya
