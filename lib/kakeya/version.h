// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The version of these headers. CMake reads it from here.
#define KAKEYA_VERSION_MAJOR 0
#define KAKEYA_VERSION_MINOR 1
#define KAKEYA_VERSION_PATCH 0

namespace kakeya {

/// "0.1.0": the version of the library that is linked.
std::string_view version();

/// The commit the sources were built from, "-dirty" appended when the tree had changes; "unknown"
/// outside git and of an archive that git did not make.
std::string_view build_commit();

/// "g++ 12.2.0 Release": the compiler and build type.
std::string_view build_compiler();

}  // namespace kakeya
