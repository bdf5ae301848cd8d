// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "kakeya/host/host.h"

namespace kakeya {

/// The host of this program, started on first need: the other end of the descriptors that
/// KAKEYA_HOST="SOCKET,MEMORY" names, or else `$KAKEYA_PYTHON -m kakeya.host` (python3 where it is
/// not set), which ends with this program. Thread-safe. Throws IoError where there is none to be
/// had, SpecError on another text in KAKEYA_HOST.
Host& host();

/// Models of a host are called "transformers:NAME".
inline constexpr std::string_view kHostedPrefix = "transformers:";
inline bool is_hosted(std::string_view model) { return model.starts_with(kHostedPrefix); }

/// The NAME of "transformers:NAME". Throws SpecError where it is empty.
std::string hosted_name(std::string_view model);

}  // namespace kakeya
