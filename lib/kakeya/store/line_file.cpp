// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/line_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "kakeya/core/error.h"
#include "kakeya/store/arrays.h"

namespace kakeya {

namespace fs = std::filesystem;

std::size_t for_each_line_of(const std::string& text, const std::string& path,
                             const TakeLine& line) {
  std::size_t begin = 0, number = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string where = path + ":" + std::to_string(++number);
    line(std::string_view(text).substr(begin, end - begin), where);
  }
  return begin;
}

std::size_t for_each_line(const std::string& path, const TakeLine& line) {
  return fs::exists(path) ? for_each_line_of(read_text_file(path), path, line) : 0;
}

void append_line(const std::string& path, std::string line) {
  line += '\n';
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw IoError(path + ": " + std::strerror(errno));
  const off_t before = ::lseek(file, 0, SEEK_END);
  ssize_t written;
  do {
    written = ::write(file, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  int reason = written < 0 ? errno : 0;
  if (reason == 0 && static_cast<std::size_t>(written) != line.size()) reason = ENOSPC;
  if (reason == 0 && ::fsync(file) != 0) reason = errno;
  if (reason != 0 && written > 0 && ::ftruncate(file, before) != 0) reason = errno;
  ::close(file);
  if (reason != 0) throw IoError(path + ": " + std::strerror(reason));
}

void cut_file(const std::string& path, std::size_t length) {
  std::error_code error;
  if (!fs::exists(path, error) || fs::file_size(path, error) == length) return;
  if (::truncate(path.c_str(), static_cast<off_t>(length)) != 0) {
    throw IoError(path + ": " + std::strerror(errno));
  }
}

int lock_folder(const std::string& folder) {
  const std::string path = (fs::path(folder) / ".lock").string();
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw IoError(path + ": " + std::strerror(errno));
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  const int reason = errno;
  ::close(file);
  if (reason == EWOULDBLOCK) {
    throw IoError(folder + ": another process is writing results here; give each its own folder");
  }
  throw IoError(path + ": cannot lock: " + std::strerror(reason));
}

}  // namespace kakeya
