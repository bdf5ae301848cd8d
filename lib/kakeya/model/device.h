// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kakeya {

/// Whether a model can run on "cpu", "cuda" or "cuda:N". Throws SpecError for any other text, InputError for a
/// GPU that is not there or that this build cannot use.
void require_device(const std::string& device);

}  // namespace kakeya
