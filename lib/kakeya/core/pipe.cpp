// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "kakeya/core/error.h"

namespace kakeya {

Pipe::Pipe() {
  if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
    throw IoError(std::string("pipe: ") + std::strerror(errno));
}

Pipe::~Pipe() {
  close_reader();
  close_writer();
}

void Pipe::close_end(std::size_t end) {
  if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
}

}  // namespace kakeya
