// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "kakeya/host/host.h"

namespace kakeya {

/// Registers the codecs of a file of Python (foreign_codec.h), which the host runs: all of them, or
/// none where it throws. Returns their names. The host outlives every codec made of them; they work
/// inside forwards of a hosted model too, one vector of bytes at a time whatever the threads. Throws
/// what the host replies with, SpecError where a codec cannot be registered, CorruptStream on a reply
/// that makes no sense.
std::vector<std::string> register_hosted_codecs(Host& host, const std::string& path);

/// The same in host().
std::vector<std::string> register_hosted_codecs(const std::string& path);

}  // namespace kakeya
