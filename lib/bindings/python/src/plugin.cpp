// SPDX-License-Identifier: Apache-2.0
// Codecs of shared libraries (kakeya_plugin.h).
#include "kakeya/plugin/plugin.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bytes.h"
#include "kakeya/codec/foreign_codec.h"
#include "kakeya/codec/spec.h"
#include "kakeya/core/error.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

// What a plugin itself writes and reads, without a frame.
struct PyCoder {
  std::shared_ptr<const ForeignCoder> coder;
  std::size_t dim;
};

PyCoder make(const std::string& spec, std::size_t dim, nb::handle site) {
  CodecInput input{.dim = dim};
  if (!site.is_none()) input.site = site_of(site);
  const Unlocked unlocked;
  return {make_foreign_coder(spec, input), dim};
}

nb::object encode(const PyCoder& self, nb::handle x) {
  const InputArray array(x, "x");
  std::optional<InputRows> rows;
  std::size_t bound = 0;
  {
    const Unlocked unlocked;
    rows.emplace(array, 1);
    if (rows->rows().dim != self.dim) {
      throw InputError("vectors of " + std::to_string(rows->rows().dim) + ", expected " +
                       std::to_string(self.dim));
    }
    bound = self.coder->bound(rows->rows().count);
  }
  return new_bytes(bound,
                   [&](std::span<std::byte> out) { return self.coder->encode(rows->rows(), out); });
}

nb::object decode(const PyCoder& self, nb::handle data, std::size_t count) {
  const InputBytes bytes(data, "data");
  const std::size_t shape[] = {count, self.dim};
  const OutputArray made = new_array(shape, 1);
  {
    const Unlocked unlocked;
    self.coder->decode(bytes.bytes(), made.rows);
  }
  return made.array;
}

}  // namespace

void bind_plugin(nb::module_& module) {
  module.def(
      "load_plugin",
      [](const std::string& path) {
        const Unlocked unlocked;
        return load_plugin(path);
      },
      nb::arg("path"), nb::sig("def load_plugin(path: str) -> list[str]"),
      "Registers the codecs of a shared library; kakeya.load_plugin() takes .py files too. Their\n"
      "names. Raises IoError, SpecError beginning with the path.");
  module.def(
      "rate_key",
      [](const std::string& spec) -> std::optional<std::string> {
        const Spec parsed = Spec::parse(spec);
        const SpecItem* rate = parsed.rate();
        return rate == nullptr ? std::nullopt : std::optional(rate->key);
      },
      nb::arg("spec"), nb::sig("def rate_key(spec: str) -> str | None"),
      "The first key of a spec, where it says the rate.");
  nb::class_<PyCoder>(module, "PluginCoder",
                      "What a codec that was registered writes and reads itself, without a frame.")
      .def(
          "__init__",
          [](PyCoder* self, const std::string& spec, std::size_t dim, nb::handle site) {
            new (self) PyCoder(make(spec, dim, site));
          },
          nb::arg("spec"), nb::arg("dim"), nb::arg("site") = nb::none(),
          nb::sig("def __init__(self, spec: str, dim: int, site: tuple | None = None) -> None"))
      .def_prop_ro(
          "nominal", [](const PyCoder& self) { return self.coder->nominal_bits_per_vector(); },
          "Bits a vector by a published formula, or None.")
      .def(
          "bound", [](const PyCoder& self, std::size_t count) { return self.coder->bound(count); },
          nb::arg("count"), "The most bytes that encode() makes of so many vectors, at least one.")
      .def("encode", &encode, nb::arg("x"), nb::sig("def encode(self, x: typing.Any) -> bytes"),
           "Its bytes of `x`, [count, dim], finite and at least one vector: neither is checked.")
      .def("decode", &decode, nb::arg("data"), nb::arg("count"),
           nb::sig("def decode(self, data: bytes, count: int) -> numpy.ndarray"),
           "float32 [count, dim] of such bytes. What it leaves out is NaN. Raises CorruptStream.");
}

}  // namespace kakeya::python
