// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kakeya {

/// Registers the codecs of a file of Python, which run in a Python process. Returns their names.
/// Throws SpecError beginning with `path`.
std::vector<std::string> register_hosted_codecs(const std::string& path);

}  // namespace kakeya
