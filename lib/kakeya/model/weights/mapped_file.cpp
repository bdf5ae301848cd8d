// SPDX-License-Identifier: Apache-2.0
#include "kakeya/model/weights/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kakeya/core/error.h"

namespace kakeya {

MappedFile::MappedFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw IoError(path + ": cannot be opened: " + std::strerror(errno));
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(file);
    throw IoError(path + ": expected a regular file");
  }
  byte_count_ = static_cast<std::size_t>(info.st_size);
  if (byte_count_ > 0) data_ = ::mmap(nullptr, byte_count_, PROT_READ, MAP_PRIVATE, file, 0);
  const int reason = errno;
  ::close(file);
  if (data_ == MAP_FAILED) {
    throw IoError(path + ": cannot be mapped: " + std::strerror(reason));
  }
}

MappedFile::~MappedFile() {
  if (byte_count_ > 0) ::munmap(data_, byte_count_);
}

}  // namespace kakeya
