// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kakeya {

/// What an .xz file holds once unpacked (all of its streams, one after another). Throws IoError where
/// it cannot be read, or where this build has no liblzma (and then says how to unpack it), and
/// CorruptStream where it is damaged or ends early.
std::string read_xz(const std::string& path);

}  // namespace kakeya
