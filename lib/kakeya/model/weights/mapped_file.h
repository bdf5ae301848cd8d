// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace kakeya {

/// The bytes of a file, mapped for reading as long as this lives. An empty file has no bytes.
class MappedFile {
 public:
  /// Throws IoError naming the file and the reason: it cannot be opened, or is no regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_), byte_count_};
  }

 private:
  void* data_ = nullptr;
  std::size_t byte_count_ = 0;
};

}  // namespace kakeya
