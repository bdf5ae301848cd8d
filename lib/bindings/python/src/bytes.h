// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace kakeya::python {

namespace nb = nanobind;

/// The name of an object's type, for errors.
std::string type_of(nb::handle object);

/// Bytes of Python: bytes, bytearray, a memoryview, an array of uint8. Throws TypeError on others.
class InputBytes {
 public:
  InputBytes(nb::handle object, const char* what);
  ~InputBytes() { PyBuffer_Release(&view_); }
  InputBytes(const InputBytes&) = delete;
  InputBytes& operator=(const InputBytes&) = delete;

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

 private:
  Py_buffer view_{};
};

/// `out` of the caller, which keeps its place and its length while this lives. Throws TypeError
/// unless it is a writable buffer of single bytes, one after another.
class CallersBytes {
 public:
  explicit CallersBytes(nb::handle out);
  ~CallersBytes() { PyBuffer_Release(&view_); }
  CallersBytes(const CallersBytes&) = delete;
  CallersBytes& operator=(const CallersBytes&) = delete;

  std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }

  /// A memoryview of the first `length` bytes, which keeps `out` alive.
  nb::object first(std::size_t length) const;

 private:
  nb::object out_;
  Py_buffer view_{};
  bool plain_;  // in one dimension, of format B
};

/// Throws InputError naming both where two pieces of memory have a byte in common.
void require_apart(std::span<const std::byte> out, std::span<const std::byte> in, const char* what);

/// Writes a frame to a span of the bound that was asked for, without Python; returns its length.
using WriteBytes = std::function<std::size_t(std::span<std::byte>)>;

/// Bytes that `write` makes of at most `bound`, with the GIL released.
nb::object new_bytes(std::size_t bound, const WriteBytes& write);

/// The same, into `out`: a memoryview of them. Where `out` has less than `bound` they are made apart
/// and copied if they fit; else throws InputError, naming how many they are, and `out` is as it was.
nb::object write_bytes(const CallersBytes& out, std::size_t bound, const WriteBytes& write);

}  // namespace kakeya::python
