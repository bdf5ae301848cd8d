// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kakeya/device/device_codec.h"

namespace kakeya {

/// ece8, ecd4 and ecz, for any number of heads.
std::unique_ptr<DeviceCodec> make_entropy_coded_on_device(std::unique_ptr<Codec> host);

}  // namespace kakeya
