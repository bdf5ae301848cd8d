// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/h5_draft.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "kakeya/core/error.h"

namespace kakeya::h5 {

Draft::Draft(const std::string& path)
    : path_(path), unfinished_(path + ".part"), file_(File::create(unfinished_)) {}

Draft::~Draft() {
  if (!published_) std::remove(unfinished_.c_str());
}

void Draft::publish() {
  file_.close();
  const int file = ::open(unfinished_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && ::fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!synced) throw IoError(unfinished_ + ": " + std::strerror(reason));
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) {
    throw IoError(path_ + ": " + std::strerror(errno));
  }
  published_ = true;
}

}  // namespace kakeya::h5
