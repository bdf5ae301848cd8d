// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/report/generation_report.h"

namespace kakeya {

/// What `kakeya-bench generate` wrote, as a report takes it. Throws CorruptStream naming `source` where a
/// field is missing or of another kind.
GenerationSpeeds generation_speeds(const nlohmann::ordered_json& document,
                                   const std::string& source);

}  // namespace kakeya
