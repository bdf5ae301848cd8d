// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"

namespace kakeya {

/// A new empty folder below the system's temporary one, removed at the end. Throws IoError where it
/// cannot be made.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kakeya-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw IoError(name + ": cannot be made: " + std::strerror(errno));
    }
    path_ = name;
  }
  ~ScratchFolder() { remove_folder(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace kakeya
