// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kakeya {

/// All bytes of a file. Throws IoError naming the path and the reason.
std::vector<std::byte> read_file(const std::string& path);
/// The same as text.
std::string read_text_file(const std::string& path);

/// Replaces a file in one step: writes beside it and renames, so that nobody sees half a file.
/// Throws IoError.
void write_file(const std::string& path, const void* data, std::size_t length);
void write_file(const std::string& path, const std::string& text);

}  // namespace kakeya
