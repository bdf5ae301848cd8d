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

/// Replaces a file in one step: writes beside it and renames, so that nobody sees half a file. Who is killed meanwhile
/// may leave PATH.PROCESS.NUMBER.part, which nothing reads and no later write needs gone. Throws IoError.
void write_file(const std::string& path, const void* data, std::size_t length);
void write_file(const std::string& path, const std::string& text);

/// Removes a folder and all that is in it, or a file; links, not what they point to. What cannot be removed
/// stays, and what is not there is nothing wrong. In place of std::filesystem::remove_all(): LibTorch
/// 2.11 exports one of its own, which ends a program that is linked with it in a call of address 0.
void remove_folder(const std::string& path);

}  // namespace kakeya
