// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/h5_driver.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "kakeya/core/error.h"

namespace kakeya::h5 {
namespace {

constexpr haddr_t kHighestAddress = std::numeric_limits<off_t>::max();

struct KeptWrite {
  haddr_t at;
  std::vector<std::byte> bytes;
};

/// An open file; HDF5 knows it by its base.
struct OpenFile : H5FD_t {
  int descriptor = -1;
  haddr_t allocated = 0, end = 0;  ///< ends of HDF5's address space and of the file
  dev_t device = 0;
  ino_t inode = 0;
  WriteFault* fault = nullptr;
  std::vector<KeptWrite> kept;  ///< from the first failure on, in order
};

OpenFile& of(H5FD_t* file) { return static_cast<OpenFile&>(*file); }
const OpenFile& of(const H5FD_t* file) { return static_cast<const OpenFile&>(*file); }

void note(WriteFault& fault, const char* reason) {
  if (fault.reason.empty()) fault.reason = reason;
}

bool write_all(int descriptor, std::span<const std::byte> bytes, haddr_t at) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    at += static_cast<haddr_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

/// What lies behind the end of the file reads as zeros.
bool read_all(int descriptor, std::span<std::byte> bytes, haddr_t at) {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) std::fill(bytes.begin(), bytes.end(), std::byte{0});
    if (got == 0) return true;
    at += static_cast<haddr_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

/// Copies into `bytes`, which begin at `at`, what `write` covers of them.
void lay_over(std::span<std::byte> bytes, haddr_t at, const KeptWrite& write) {
  const haddr_t begin = std::max(at, write.at),
                end = std::min(at + bytes.size(), write.at + write.bytes.size());
  if (begin >= end) return;
  std::memcpy(bytes.data() + (begin - at), write.bytes.data() + (begin - write.at), end - begin);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  WriteFault& fault = **static_cast<WriteFault* const*>(H5Pget_driver_info(access));
  const int create = (flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0;
  const int descriptor = ::open(name, O_RDWR | O_CLOEXEC | create, 0666);
  if (descriptor < 0) {
    // HDF5 asks for a file that is there before it asks for a new one.
    if (create != 0 || errno != ENOENT) note(fault, std::strerror(errno));
    return nullptr;
  }
  const bool busy = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  struct stat status {};
  if (busy) note(fault, "another process is writing this file");
  if (!busy && (((flags & H5F_ACC_TRUNC) != 0 && ::ftruncate(descriptor, 0) != 0) ||
                ::fstat(descriptor, &status) != 0)) {
    note(fault, std::strerror(errno));
  }
  auto* file = fault.reason.empty() ? new (std::nothrow) OpenFile{} : nullptr;
  if (file == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  file->descriptor = descriptor;
  file->end = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->fault = &fault;
  return file;
}

herr_t close_file(H5FD_t* file) {
  // The last word of a network file system.
  if (::close(of(file).descriptor) != 0) note(*of(file).fault, std::strerror(errno));
  delete &of(file);
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const auto place = [](const H5FD_t* file) { return std::pair(of(file).device, of(file).inode); };
  return place(a) < place(b) ? -1 : place(b) < place(a) ? 1 : 0;
}

/// As "sec2" says, since they decide where things lie in the file.
herr_t query_features(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t allocated_end(const H5FD_t* file, H5FD_mem_t) { return of(file).allocated; }

herr_t set_allocated_end(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  of(file).allocated = address;
  return 0;
}

haddr_t file_end(const H5FD_t* file, H5FD_mem_t) { return of(file).end; }

herr_t read_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer) {
  const std::span bytes(static_cast<std::byte*>(buffer), size);
  if (!read_all(of(file).descriptor, bytes, at)) return -1;
  for (const KeptWrite& write : of(file).kept) lay_over(bytes, at, write);
  return 0;
}

herr_t write_file(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size,
                  const void* buffer) {
  OpenFile& file = of(base);
  const std::span bytes(static_cast<const std::byte*>(buffer), size);
  if (file.fault->reason.empty() && !write_all(file.descriptor, bytes, at)) {
    note(*file.fault, std::strerror(errno));
  }
  file.end = std::max<haddr_t>(file.end, at + size);
  if (file.fault->reason.empty()) return 0;
  try {
    file.kept.push_back({at, {bytes.begin(), bytes.end()}});
  } catch (...) {  // HDF5 is C
    return -1;
  }
  return 0;
}

/// Space that was allocated and never written, at the end of the file, becomes part of it; what
/// lies behind the allocated space is cut off.
herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  OpenFile& file = of(base);
  if (file.allocated == file.end) return 0;
  if (file.fault->reason.empty() &&
      ::ftruncate(file.descriptor, static_cast<off_t>(file.allocated)) != 0) {
    note(*file.fault, std::strerror(errno));
  }
  file.end = file.allocated;
  return 0;
}

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 75);  // of no known driver
#endif
  driver.name = "kakeya";
  driver.maxaddr = kHighestAddress;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(WriteFault*);  // NOLINT(bugprone-sizeof-expression): it is what is kept
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare_files;
  driver.query = query_features;
  driver.get_eoa = allocated_end;
  driver.set_eoa = set_allocated_end;
  driver.get_eof = file_end;
  driver.read = read_file;
  driver.write = write_file;
  driver.truncate = truncate_file;
  const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;  // as "sec2"
  std::copy(std::begin(kinds), std::end(kinds), driver.fl_map);
  return driver;
}

}  // namespace

std::int64_t access_for_writing(WriteFault& fault) {
  static const H5FD_class_t driver = make_driver();
  static const hid_t registered = H5FDregister(&driver);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  WriteFault* const pointer = &fault;
  if (access < 0 || H5Pset_driver(access, registered, &pointer) < 0 ||
      H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0) {
    if (access >= 0) H5Pclose(access);
    throw IoError("HDF5 refuses our file driver");
  }
  return access;
}

}  // namespace kakeya::h5
