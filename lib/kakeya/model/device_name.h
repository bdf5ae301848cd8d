// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace kakeya {

/// The number of the GPU that is called "cuda" (0) or "cuda:N"; nothing of "cpu". Asks no driver, so that a
/// process may fork behind it. Throws SpecError for any other name.
std::optional<int> gpu_number(const std::string& device);

}  // namespace kakeya
