// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace kakeya {

// Files that grow a line a measurement, in folders that one process writes to at a time.

using TakeLine = std::function<void(std::string_view line, const std::string& where)>;

/// Calls `line` for every whole line of a file, with "path:number"; returns how many bytes they
/// take. What follows the last line end is a line that was cut short. A file that does not exist
/// has no lines.
std::size_t for_each_line(const std::string& path, const TakeLine& line);
/// The same, of a file's text.
std::size_t for_each_line_of(const std::string& text, const std::string& path,
                             const TakeLine& line);

/// Appends a line in one write and syncs it. A file left with half a line by a full disk is cut
/// back before throwing IoError.
void append_line(const std::string& path, std::string line);

/// Cuts a file to its first `length` bytes, where it is there and longer. Throws IoError.
void cut_file(const std::string& path, std::size_t length);

/// Locks a folder for the one process that writes to it; returns the descriptor that holds the lock. Throws
/// IoError, where another process holds it too.
int lock_folder(const std::string& folder);

}  // namespace kakeya
