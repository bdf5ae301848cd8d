// SPDX-License-Identifier: Apache-2.0
// Codecs that are Python classes: kakeya/plugins.py checks what they give, this calls it.
#include "own_codec.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <utility>

#include "arrays.h"
#include "bytes.h"
#include "kakeya/core/error.h"
#include "locked.h"

namespace kakeya::python {
namespace {

PyObject* library_error(const char* name) {
  return PyObject_GetAttrString(nb::module_::import_("kakeya._core").ptr(), name);
}

// Throws what Python raised as an error of the library, with the error of Python within it.
[[noreturn]] void rethrow(const nb::python_error& error) {
  const nb::handle type = error.type();
  const auto is = [&](const char* name) {
    const nb::object known = nb::steal(library_error(name));
    return PyErr_GivenExceptionMatches(type.ptr(), known.ptr()) != 0;
  };
  std::string text;
  try {
    text = nb::cast<std::string>(nb::str(error.value()));
  } catch (const nb::python_error&) {
    text = "(an error without a text)";
  }
  if (is("SpecError")) std::throw_with_nested(SpecError(text));
  if (is("CorruptStream")) std::throw_with_nested(CorruptStream(text));
  if (is("Error")) std::throw_with_nested(InputError(text));
  const auto name = nb::cast<std::string>(type.attr("__name__"));
  std::throw_with_nested(InputError(text.empty() ? name : name + ": " + text));
}

// Calls Python, whether the thread has the GIL or not.
template <typename Call>
auto in_python(const Call& call) {
  const Locked locked;
  try {
    return call();
  } catch (const nb::python_error& error) {
    rethrow(error);
  }
}

// of.method(first, second), the last of which may be null. No object of C++ is made within the call:
// where the interpreter ends meanwhile, Python before 3.14 unwinds the thread, which then stays here.
nb::object call_method(PyObject* of, const nb::str& method, nb::handle first,
                       nb::handle second = {}, nb::handle third = {}) {
  PyObject* made = nullptr;
  try {
    made = PyObject_CallMethodObjArgs(of, method.ptr(), first.ptr(), second.ptr(), third.ptr(),
                                      nullptr);
  } catch (...) {  // no exception of C++ comes out of C
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

// A Coder of kakeya/plugins.py. It goes with the interpreter where that goes first.
class PythonCoder final : public ForeignCoder {
 public:
  // With the GIL.
  explicit PythonCoder(nb::object coder)
      : vector_(nb::cast<std::size_t>(coder.attr("bound_vector"))),
        frame_(nb::cast<std::size_t>(coder.attr("bound_frame"))),
        nominal_(nb::cast<std::optional<double>>(coder.attr("nominal"))),
        coder_(coder.release().ptr()) {}

  ~PythonCoder() override {
    if (Py_IsInitialized() == 0) return;
    const Locked locked;
    Py_DECREF(coder_);
  }
  PythonCoder(const PythonCoder&) = delete;
  PythonCoder& operator=(const PythonCoder&) = delete;

  std::size_t bound(std::size_t count) const override { return vector_ * count + frame_; }

  std::size_t encode(Rows<const float> x, std::span<std::byte> out) const override {
    return in_python([&] {
      const std::size_t shape[] = {x.count, x.dim};
      const OutputArray array = new_array(shape, 1);  // a copy: whoever keeps it may
      for (std::size_t row = 0; row < x.count; ++row) {
        std::copy_n(x[row].begin(), x.dim, array.rows[row].begin());
      }
      const nb::object made = call_method(coder_, nb::str("encode"), array.array);
      const InputBytes bytes(made, "what encode() gave");
      if (bytes.bytes().size() > out.size()) {
        throw InputError("encode() gave " + std::to_string(bytes.bytes().size()) +
                         " bytes, expected at most " + std::to_string(out.size()));
      }
      std::ranges::copy(bytes.bytes(), out.begin());
      return bytes.bytes().size();
    });
  }

  void decode(std::span<const std::byte> in, Rows<float> out) const override {
    in_python([&] {
      const nb::bytes bytes(in.data(), in.size());
      const nb::object made = call_method(coder_, nb::str("decode"), bytes, nb::int_(out.count));
      const InputArray array(made, "what decode() gave");
      const InputRows rows(array, 1);
      if (rows.rows().count != out.count || rows.rows().dim != out.dim) {
        throw CorruptStream("decode() gave " + std::to_string(rows.rows().count) + " vectors of " +
                            std::to_string(rows.rows().dim));
      }
      for (std::size_t row = 0; row < out.count; ++row) {
        std::copy_n(rows.rows()[row].begin(), out.dim, out[row].begin());
      }
    });
  }

  std::optional<double> nominal_bits_per_vector() const override { return nominal_; }

 private:
  std::size_t vector_, frame_;
  std::optional<double> nominal_;
  PyObject* coder_;
};

std::unique_ptr<ForeignCoder> make_coder(nb::handle descriptor, const Spec& spec,
                                         const CodecInput& input) {
  return in_python([&]() -> std::unique_ptr<ForeignCoder> {
    nb::dict settings;
    for (const SpecItem& item : spec.items()) settings[item.key.c_str()] = item.value;
    nb::object site = nb::none();
    if (input.site) {
      site = nb::make_tuple(input.site->layer, input.site->part == Part::key ? "key" : "value",
                            input.site->head);
    }
    return std::make_unique<PythonCoder>(
        call_method(descriptor.ptr(), nb::str("make"), settings, nb::int_(input.dim), site));
  });
}

}  // namespace

ForeignDescriptor foreign_descriptor(nb::object descriptor) {
  ForeignDescriptor made;
  const auto text = [](nb::handle of, const char* name) {
    return nb::cast<std::string>(of.attr(name));
  };
  made.name = text(descriptor, "name");
  made.summary = text(descriptor, "summary");
  made.example = text(descriptor, "example");
  made.paper = text(descriptor, "paper");
  if (text(descriptor, "scope") == "head") made.scope = VectorScope::head;
  for (nb::handle key : descriptor.attr("keys")) {
    made.keys.push_back({text(key, "name"), text(key, "default"), text(key, "help"),
                         nb::cast<bool>(key.attr("rate"))});
  }
  // Never released: a registered codec lives as long as the process, longer than the interpreter.
  PyObject* const kept = descriptor.release().ptr();
  made.make = [kept](const Spec& spec, const CodecInput& input) {
    return make_coder(kept, spec, input);
  };
  return made;
}

void bind_own_codec(nb::module_& module) {
  module.def(
      "register_codec",
      [](nb::object descriptor) { register_codec(foreign_descriptor(std::move(descriptor))); },
      nb::arg("descriptor"), nb::sig("def register_codec(descriptor: typing.Any) -> None"),
      "Registers a kakeya.plugins.Descriptor; kakeya.register_codec() takes a class.\n"
      "Raises SpecError where the name is taken.");
  module.def(
      "unregistered_codec",
      [](nb::object descriptor, const std::string& spec, std::size_t dim, nb::handle site) {
        CodecInput input{.dim = dim};
        if (!site.is_none()) input.site = site_of(site);
        const ForeignDescriptor foreign = foreign_descriptor(std::move(descriptor));
        return PyCodec{std::make_shared<ProfileShelf>(), make_foreign_codec(foreign, spec, input)};
      },
      nb::arg("descriptor"), nb::arg("spec"), nb::arg("dim"), nb::arg("site") = nb::none(),
      nb::sig("def unregistered_codec(descriptor: typing.Any, spec: str, dim: int, site: tuple | "
              "None = None) -> Codec"),
      "The codec of a kakeya.plugins.Descriptor that is not registered, as kakeya.codec() would\n"
      "make it. Raises SpecError, InputError.");
}

}  // namespace kakeya::python
