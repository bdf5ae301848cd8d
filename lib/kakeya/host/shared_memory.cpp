// SPDX-License-Identifier: Apache-2.0
#include "kakeya/host/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "kakeya/core/error.h"

namespace kakeya {
namespace {

constexpr std::size_t kGrowth = std::size_t{4} << 20;

[[noreturn]] void refuse(const std::string& what) {
  throw IoError("memory shared with the host: " + what + ": " + std::strerror(errno));
}

std::size_t length_of(int descriptor) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0) refuse("no length");
  return static_cast<std::size_t>(facts.st_size);
}

}  // namespace

std::size_t SharedPlace::end() const {
  constexpr std::size_t kAlign = SharedMemory::kAlign;
  return (offset + bytes + kAlign - 1) / kAlign * kAlign;
}

SharedMemory::SharedMemory(int descriptor) : descriptor_(descriptor), base_(nullptr) {
  const auto seals = [&] { return fcntl(descriptor_, F_GET_SEALS); };
  fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK);
  if (seals() < 0 || (seals() & F_SEAL_SHRINK) == 0) {
    close(descriptor_);
    throw IoError(
        "memory shared with the host: cannot be sealed against shrinking, expected a file of "
        "memfd_create with MFD_ALLOW_SEALING");
  }
  void* const mapped =
      mmap(nullptr, kLargest, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  if (mapped == MAP_FAILED) {
    const int why = errno;
    close(descriptor_);
    errno = why;
    refuse("cannot map " + std::to_string(kLargest >> 30) + " GiB of addresses (ulimit -v?)");
  }
  base_ = static_cast<std::byte*>(mapped);
}

SharedMemory::~SharedMemory() {
  munmap(base_, kLargest);
  close(descriptor_);
}

std::span<std::byte> SharedMemory::room(SharedPlace place) {
  if (place.bytes > kLargest || place.offset > kLargest - place.bytes) {
    throw IoError("memory shared with the host: " + std::to_string(place.bytes) +
                  " bytes at once, expected at most " + std::to_string(kLargest));
  }
  const std::size_t end = place.offset + place.bytes;
  if (length_of(descriptor_) < end) {
    const std::size_t length = (end + kGrowth - 1) / kGrowth * kGrowth;
    if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0) {
      refuse("cannot grow to " + std::to_string(length) + " bytes");
    }
  }
  return {base_ + place.offset, place.bytes};
}

std::span<std::byte> SharedMemory::at(SharedPlace place) const {
  const std::size_t length = std::min(length_of(descriptor_), kLargest);
  if (place.offset % kAlign != 0) {
    throw CorruptStream("an array at byte " + std::to_string(place.offset) +
                        " of the shared memory, expected a multiple of " + std::to_string(kAlign));
  }
  if (place.bytes > 0 && (place.bytes > length || place.offset > length - place.bytes)) {
    throw CorruptStream("an array of " + std::to_string(place.bytes) + " bytes at byte " +
                        std::to_string(place.offset) + " of the shared memory, which has " +
                        std::to_string(length));
  }
  return place.bytes == 0 ? std::span<std::byte>() : std::span(base_ + place.offset, place.bytes);
}

}  // namespace kakeya
