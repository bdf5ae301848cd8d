// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "kakeya/core/origin.h"

namespace kakeya {

/// SHA-256 as 64 lower-case hex digits.
std::string sha256(std::span<const std::byte> bytes);

/// SHA-256 of a file's bytes; of a folder, SHA-256 over the lines "name digest" of its files in
/// name order (subfolders left out). Throws IoError naming the path.
std::string sha256_path(const std::string& path);

/// What a path is called: its last part, "text" of "data/text/", and of "." the folder's own name.
std::string last_part(const std::string& path);

/// last_part() and sha256_path() of a file or folder that data are made with.
Source source_of(const std::string& path);

}  // namespace kakeya
