// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/page_writer.h"

#include <mutex>

#include "arrays.h"
#include "bindings.h"
#include "forked.h"
#include "kakeya/core/error.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

// A writer that several threads may use: one waits for the other, without the GIL.
class PyPageWriter {
 public:
  explicit PyPageWriter(const PyCodec& codec)
      : codec_(codec), writer_(users_, std::make_unique<PageWriter>(*codec.codec)) {}

  template <typename Use>
  auto with(const Use& use) {
    const Unlocked unlocked;
    const Users::Here here(users_, "this PageWriter");
    const std::scoped_lock lock(mutex_);
    return use(*writer_);
  }
  const Codec& codec() const { return *codec_.codec; }

 private:
  PyCodec codec_;
  Users users_;
  Left<PageWriter> writer_;
  std::mutex mutex_;
};

void append(PyPageWriter& self, nb::handle rows) {
  const InputArray array(rows, "rows");
  self.with([&](PageWriter& writer) { writer.append(InputRows(array, 1).rows()); });
}

nb::object decode_page(PyPageWriter& self, std::size_t page) {
  const std::size_t vectors = self.codec().page_vectors();
  const std::size_t rows = self.with([&](PageWriter& writer) {
    if (page < writer.sealed_pages()) return vectors;
    if (page == writer.sealed_pages() && writer.open_vectors() > 0) return writer.open_vectors();
    throw InputError("page " + std::to_string(page) + ": expected one of " +
                     std::to_string(writer.sealed_pages()) + " sealed pages or the open one");
  });
  const std::size_t shape[] = {rows, self.codec().dim()};
  OutputArray out = new_array(shape, 1);
  self.with([&](PageWriter& writer) { writer.decode_page(page, out.rows); });
  return std::move(out.array);
}

nb::object frame(PyPageWriter& self) {
  const std::vector<std::byte> bytes = self.with([](PageWriter& writer) { return writer.frame(); });
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_page_writer(nb::module_& module) {
  nb::class_<PyPageWriter>(
      module, "PageWriter",
      "Writes a frame whose vectors arrive a few at a time. Rows collect in an open "
      "page;\na page seals when it has Codec.page_vectors rows, and its bytes never "
      "change again.")
      .def(
          nb::init<const PyCodec&>(), nb::arg("codec"),
          "A frame without vectors. Raises InputError where the codec's frames do not consist of pages.")
      .def(
          "append", &append, nb::arg("rows"), nb::sig("def append(self, rows: typing.Any) -> None"),
          "Appends vectors, [..., dim] of float32, float16 or bfloat16. Raises as Codec.encode(); then\n"
          "the writer is as it was.")
      .def_prop_ro(
          "vectors",
          [](PyPageWriter& self) {
            return self.with([](PageWriter& writer) { return writer.vectors(); });
          },
          "Vectors so far.")
      .def_prop_ro(
          "sealed_pages",
          [](PyPageWriter& self) {
            return self.with([](PageWriter& writer) { return writer.sealed_pages(); });
          },
          "Pages that are full.")
      .def_prop_ro(
          "sealed_bytes",
          [](PyPageWriter& self) {
            return self.with([](PageWriter& writer) { return writer.sealed_bytes(); });
          },
          "Bytes of a frame of the sealed pages.")
      .def_prop_ro(
          "open_bytes",
          [](PyPageWriter& self) {
            return self.with([](PageWriter& writer) { return writer.open_bytes(); });
          },
          "Bytes that the frame of all vectors takes more. Codes the open page.")
      .def(
          "decode_page", &decode_page, nb::arg("page"),
          nb::sig("def decode_page(self, page: int) -> numpy.ndarray"),
          "A sealed page, or the open one: float32 [vectors, dim]. Raises InputError where there is\n"
          "no such page.")
      .def("frame", &frame, nb::sig("def frame(self) -> bytes"),
           "The frame of all vectors, byte for byte that of Codec.encode(). Appending can go on.");
}

}  // namespace kakeya::python
