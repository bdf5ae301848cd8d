// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/files.h"

// Through the operating system's own calls, so that errors keep their reason.
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw IoError(path + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }

  /// Closes now, so that the last error of a network file system is seen.
  bool close() {
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

bool write_all(int descriptor, const void* data, std::size_t length) {
  const char* next = static_cast<const char*>(data);
  while (length > 0) {
    const ssize_t written = ::write(descriptor, next, length);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    next += written;
    length -= static_cast<std::size_t>(written);
  }
  return true;
}

// A file of a name that nobody has: a process of this number that was killed may have left one, and one on
// another machine may be writing it.
int create_beside(const std::string& target, std::string& name) {
  static std::atomic<unsigned> serial{0};
  int descriptor = -1;
  do {
    name = target + "." + std::to_string(::getpid()) + "." + std::to_string(serial++) + ".part";
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail(path);
  std::vector<std::byte> bytes(status.st_size > 0 ? static_cast<std::size_t>(status.st_size) : 0);
  std::size_t length = 0;
  for (;;) {  // to the end, whatever stat said: pipes and /proc have no length, files may grow
    if (length == bytes.size()) {
      std::byte probe;
      const ssize_t more = ::read(file.get(), &probe, 1);
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) fail(path);
      if (more == 0) return bytes;
      bytes.resize(2 * length + 4096);
      bytes[length++] = probe;
      continue;
    }
    const ssize_t got = ::read(file.get(), bytes.data() + length, bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path);
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  bytes.resize(length);
  return bytes;
}

std::string read_text_file(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_file(const std::string& path, const void* data, std::size_t length) {
  namespace fs = std::filesystem;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {  // a pipe or /dev/null is written to, never replaced
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0 || !write_all(file.get(), data, length)) fail(path);
    return;
  }
  const std::string target = exists ? fs::canonical(path).string() : path;  // through a link
  std::string beside;
  Descriptor file(create_beside(target, beside));
  if (file.get() < 0) fail(path);
  const bool written = write_all(file.get(), data, length) && ::fsync(file.get()) == 0;
  if (!written || !file.close() || std::rename(beside.c_str(), target.c_str()) != 0) {
    const int reason = errno;
    ::unlink(beside.c_str());
    errno = reason;
    fail(path);
  }
  // The rename itself reaches the disk with the folder; a file system that cannot sync folders
  // loses nothing but this promise.
  const fs::path folder = fs::path(target).parent_path();
  const Descriptor parent(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
}

void write_file(const std::string& path, const std::string& text) {
  write_file(path, text.data(), text.size());
}

void remove_folder(const std::string& path) {
  constexpr int kOpenFolders = 16;
  ::nftw(
      path.c_str(),
      [](const char* found, const struct stat*, int, struct FTW*) {
        static_cast<void>(std::remove(found));
        return 0;
      },
      kOpenFolders, FTW_DEPTH | FTW_PHYS);
}

}  // namespace kakeya
