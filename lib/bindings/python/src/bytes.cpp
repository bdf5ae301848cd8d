// SPDX-License-Identifier: Apache-2.0
#include "bytes.h"

#include <nanobind/stl/string.h>
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>

#include "kakeya/core/error.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

// Asks for huge pages for memory of many: numpy does so for its arrays. Fresh pages of 4 KiB cost a
// fifth of what encoding costs.
void prefer_huge_pages(void* data, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kMany = std::size_t{4} << 20, kPage = 4096;
  if (bytes < kMany) return;
  const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(data) % kPage) % kPage;
  madvise(static_cast<std::byte*>(data) + before, bytes - before, MADV_HUGEPAGE);  // a hint
#else
  (void)data, (void)bytes;
#endif
}

// Memory to write a frame to before its length is known. The last one stays with the process, so
// that its pages are not fresh every time.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) : block_(kept_.exchange(nullptr)) {
    if (block_ != nullptr && block_->bytes >= bytes) return;
    delete block_;
    block_ = nullptr;
    block_ = new Block{bytes, std::make_unique_for_overwrite<std::byte[]>(bytes)};
    prefer_huge_pages(block_->data.get(), bytes);
  }
  ~Scratch() {
    if (block_->bytes <= kMostKept) block_ = kept_.exchange(block_);
    delete block_;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() const { return block_->data.get(); }

 private:
#ifdef __SANITIZE_ADDRESS__  // which sees no byte too many in a block that is longer than asked for
  static constexpr std::size_t kMostKept = 0;
#else
  static constexpr std::size_t kMostKept = std::size_t{8} << 20;
#endif
  struct Block {
    std::size_t bytes;
    std::unique_ptr<std::byte[]> data;
  };

  static inline std::atomic<Block*> kept_ = nullptr;  // never freed: threads may outlive main()
  Block* block_;
};

// Copies of few bytes are done before another thread had the GIL.
void copy(const std::byte* from, std::size_t length, void* to) {
  constexpr std::size_t kFew = std::size_t{1} << 16;
  std::optional<Unlocked> unlocked;
  if (length > kFew) unlocked.emplace();
  std::memcpy(to, from, length);
}

}  // namespace

std::string type_of(nb::handle object) {
  return nb::cast<std::string>(
      nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr()))).attr("__name__"));
}

InputBytes::InputBytes(nb::handle object, const char* what) {
  if (PyObject_CheckBuffer(object.ptr()) == 0 ||
      PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    throw nb::type_error(
        (std::string(what) + ": " + type_of(object) + " given, expected bytes").c_str());
  }
}

CallersBytes::CallersBytes(nb::handle out) : out_(nb::borrow(out)) {
  const auto refuse = [&](const std::string& given) {
    PyErr_Clear();
    throw nb::type_error(("out: " + given +
                          " given, expected a writable buffer of bytes: a bytearray, a memoryview "
                          "or a numpy array of uint8")
                             .c_str());
  };
  if (PyObject_CheckBuffer(out.ptr()) == 0) refuse(type_of(out));
  if (PyObject_GetBuffer(out.ptr(), &view_, PyBUF_WRITABLE | PyBUF_ND | PyBUF_FORMAT) != 0) {
    refuse(type_of(out) + " that is read-only or has gaps");
  }
  const std::string format = view_.format == nullptr ? "B" : view_.format;
  if (format != "B" && format != "b" && format != "c") {
    PyBuffer_Release(&view_);
    refuse(type_of(out) + " of format '" + format + "'");
  }
  plain_ = format == "B" && view_.ndim == 1;
}

nb::object CallersBytes::first(std::size_t length) const {
  nb::object whole = nb::steal(PyMemoryView_FromObject(out_.ptr()));
  if (!whole.is_valid()) nb::raise_python_error();
  if (!plain_) whole = whole.attr("cast")("B");
  nb::object part = nb::steal(PySequence_GetSlice(whole.ptr(), 0, static_cast<Py_ssize_t>(length)));
  if (!part.is_valid()) nb::raise_python_error();
  return part;
}

void require_apart(std::span<const std::byte> out, std::span<const std::byte> in,
                   const char* what) {
  const auto first = [](std::span<const std::byte> bytes) {
    return reinterpret_cast<std::uintptr_t>(bytes.data());
  };
  if (out.empty() || in.empty() || first(out) >= first(in) + in.size() ||
      first(in) >= first(out) + out.size()) {
    return;
  }
  throw InputError(std::string("out: memory that ") + what +
                   " lies in too given, expected memory of its own");
}

nb::object new_bytes(std::size_t bound, const WriteBytes& write) {
  std::optional<Scratch> scratch;
  std::size_t length;
  {
    const Unlocked unlocked;
    scratch.emplace(bound);
    length = write({scratch->data(), bound});
  }
  nb::object bytes = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(length)));
  if (!bytes.is_valid()) nb::raise_python_error();
  char* const data = PyBytes_AsString(bytes.ptr());  // nobody has seen it yet
  prefer_huge_pages(data, length);
  copy(scratch->data(), length, data);
  return bytes;
}

nb::object write_bytes(const CallersBytes& out, std::size_t bound, const WriteBytes& write) {
  const std::span<std::byte> room = out.bytes();
  std::size_t length;
  {
    const Unlocked unlocked;
    if (room.size() >= bound) {
      length = write(room.first(bound));
    } else {
      const Scratch scratch(bound);
      length = write({scratch.data(), bound});
      if (length <= room.size()) std::memcpy(room.data(), scratch.data(), length);
    }
  }
  if (length > room.size()) {
    throw InputError("out: " + std::to_string(room.size()) + " bytes given, expected " +
                     std::to_string(length) + " (encoded_bound() of as many vectors, " +
                     std::to_string(bound) + ", is always enough)");
  }
  return out.first(length);
}

}  // namespace kakeya::python
