// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace kakeya {

/// Where arrays of a message lie in the shared file.
struct SharedPlace {
  std::size_t offset = 0, bytes = 0;

  /// The first offset behind it that an array may have.
  std::size_t end() const;
};

/// The file that a program and its host map both (memfd). It only grows, so what was checked to be
/// there stays there. What it holds is the other side's to change at any time.
class SharedMemory {
 public:
  static constexpr std::size_t kAlign = 64;                      ///< of offsets
  static constexpr std::size_t kLargest = std::size_t{1} << 36;  ///< bytes

  /// Takes over a descriptor of memfd_create(). Seals the file against shrinking. Throws IoError
  /// where it cannot be sealed or mapped.
  explicit SharedMemory(int descriptor);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int descriptor() const { return descriptor_; }

  /// The bytes of a place of our own; the file is made long enough. Throws IoError.
  std::span<std::byte> room(SharedPlace place);

  /// The bytes of a place that the other side named. Throws CorruptStream where the file has none.
  std::span<std::byte> at(SharedPlace place) const;

 private:
  int descriptor_;
  std::byte* base_;  // kLargest bytes of addresses, whatever the file's length: nothing ever moves
};

}  // namespace kakeya
