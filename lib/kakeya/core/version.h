// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kakeya {

/// "0.1.0": the project's version.
std::string_view version();

/// The commit the sources were built from, "-dirty" appended when the tree had changes; "unknown" outside git.
std::string_view build_commit();

/// "g++ 12.2.0 Release": the compiler and build type.
std::string_view build_compiler();

}  // namespace kakeya
