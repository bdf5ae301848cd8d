// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "kakeya/codec/descriptor.h"
#include "kakeya/core/error.h"
#include "kakeya/version.h"

namespace kakeya::python {
namespace {

// Kept until the end of the process.
struct Errors {
  PyObject *base, *spec, *input, *corrupt, *io;
} errors;

PyObject* new_error(nb::module_& module, const char* name, const char* doc, PyObject* base,
                    PyObject* other) {
  const nb::object bases =
      other == nullptr ? nb::borrow(base) : nb::make_tuple(nb::borrow(base), nb::borrow(other));
  const std::string full = std::string("kakeya.") + name;
  PyObject* error = PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), nullptr);
  if (error == nullptr) nb::raise_python_error();
  module.attr(name) = nb::borrow(error);
  return error;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const SpecError& error) {
    PyErr_SetString(errors.spec, error.what());
  } catch (const InputError& error) {
    PyErr_SetString(errors.input, error.what());
  } catch (const CorruptStream& error) {
    PyErr_SetString(errors.corrupt, error.what());
  } catch (const IoError& error) {
    PyErr_SetString(errors.io, error.what());
  } catch (const Error& error) {
    PyErr_SetString(errors.base, error.what());
  }
}

nb::str text_of(std::string_view text) { return nb::str(text.data(), text.size()); }

nb::dict key_dict(const CodecKey& key) {
  constexpr const char* kKinds[] = {"whole", "real", "choice", "text"};
  nb::dict dict;
  dict["name"] = text_of(key.name);
  dict["default"] = text_of(key.default_text);
  dict["help"] = text_of(key.help);
  dict["kind"] = kKinds[static_cast<std::size_t>(key.kind)];
  if (key.kind == KeyKind::whole || key.kind == KeyKind::real) {
    dict["lowest"] = key.lowest;
    dict["highest"] = key.highest;
  }
  if (key.kind == KeyKind::choice) {
    nb::list options;
    for (const std::string_view option : key.options) options.append(text_of(option));
    dict["options"] = options;
  }
  return dict;
}

nb::dict codec_dict(const CodecDescriptor& codec) {
  constexpr const char* kFaithful[] = {"own", "exact", "method", "idea"};
  std::string name(codec.name);
  if (!codec.selector.key.empty()) {
    name += ":" + std::string(codec.selector.key) + "=" + std::string(codec.selector.value);
  }
  nb::list keys, sections;
  for (const CodecKey& key : codec.keys) keys.append(key_dict(key));
  for (const CodecSection& section : codec.sections) sections.append(text_of(section.name));
  nb::dict dict;
  dict["name"] = name;
  dict["summary"] = text_of(codec.summary);
  dict["example"] = text_of(codec.example);
  dict["calibrated"] = codec.calibrated();
  dict["keys"] = keys;
  dict["source"] = text_of(codec.source.paper);
  dict["faithful"] = kFaithful[static_cast<std::size_t>(codec.source.faithful)];
  dict["differs"] = text_of(codec.source.differs);
  dict["sections"] = sections;
  return dict;
}

nb::list list() {
  nb::list all;
  for (const CodecDescriptor* codec : builtin_codecs()) all.append(codec_dict(*codec));
  return all;
}

}  // namespace
}  // namespace kakeya::python

NB_MODULE(_core, module) {
  using namespace kakeya::python;
  nb::set_leak_warnings(
      false);  // objects that live when the interpreter ends are no news to a user
  module.doc() = "The library kakeya::codec. Use it through the package kakeya.";
  module.attr("__version__") = std::string(kakeya::version());
  module.attr("build_commit") = std::string(kakeya::build_commit());
  errors.base = new_error(module, "Error", "Everything that the library throws, with its text.",
                          PyExc_RuntimeError, nullptr);
  errors.spec = new_error(
      module, "SpecError",
      "A request that makes no sense: an unknown codec, a misspelt key, a value out of range.",
      errors.base, PyExc_ValueError);
  errors.input = new_error(
      module, "InputError",
      "Data that cannot be worked on: NaN, a wrong shape, a dim that a codec cannot take.",
      errors.base, PyExc_ValueError);
  errors.corrupt =
      new_error(module, "CorruptStream",
                "Bytes that are not what they claim to be: truncated, damaged, of another version.",
                errors.base, PyExc_ValueError);
  errors.io = new_error(module, "IoError",
                        "The operating system refused: no such file, no space, no permission.",
                        errors.base, PyExc_OSError);
  nb::register_exception_translator(translate);
  module.def("list_codecs", &list, nb::sig("def list_codecs() -> list[dict[str, typing.Any]]"),
             "Every codec, as `kakeya-codec list --json` has them.");
  bind_profile(module);
  bind_codec(module);
  bind_page_writer(module);
  bind_cache(module);
  bind_cache_file(module);
}
