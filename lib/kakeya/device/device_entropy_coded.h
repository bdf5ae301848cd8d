// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "kakeya/device/device_codec.h"

namespace kakeya {

/// ece8, ecd4 and ecz, for any number of heads; with center=bias of the heads of `hosts`, in order,
/// otherwise one host.
std::unique_ptr<DeviceCodec> make_entropy_coded_on_device(
    std::vector<std::unique_ptr<Codec>> hosts);

}  // namespace kakeya
