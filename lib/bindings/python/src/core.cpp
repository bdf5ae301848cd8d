// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include <exception>

#include "bindings.h"
#include "busy.h"
#include "forked.h"
#include "kakeya/codec/codec_list.h"
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

// Raises `type` with the text of `error`, from what Python raised within it (own_codec.cpp), if it
// did. What is no Exception, as KeyboardInterrupt, is raised as it was.
void raise(PyObject* type, const Error& error) {
  std::exception_ptr within;
  if (const auto* nested = dynamic_cast<const std::nested_exception*>(&error)) {
    within = nested->nested_ptr();
  }
  while (within) {
    try {
      std::rethrow_exception(within);
    } catch (nb::python_error& cause) {
      const bool is_exception = cause.matches(PyExc_Exception);
      cause.restore();
      if (is_exception) nb::chain_error(type, "%s", error.what());
      return;
    } catch (const std::exception& next) {
      const auto* nested = dynamic_cast<const std::nested_exception*>(&next);
      within = nested == nullptr ? nullptr : nested->nested_ptr();
    } catch (...) {
      within = nullptr;
    }
  }
  PyErr_SetString(type, error.what());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const SpecError& error) {
    raise(errors.spec, error);
  } catch (const InputError& error) {
    raise(errors.input, error);
  } catch (const CorruptStream& error) {
    raise(errors.corrupt, error);
  } catch (const IoError& error) {
    raise(errors.io, error);
  } catch (const Error& error) {
    raise(errors.base, error);
  }
}

}  // namespace
}  // namespace kakeya::python

NB_MODULE(_core, module) {
  using namespace kakeya::python;
  nb::set_leak_warnings(
      false);  // objects that live when the interpreter ends are no news to a user
  wait_for_busy_threads_at_exit();
  count_forks();
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
  module.def("codec_list_json", &kakeya::codec_list_json,
             "Every codec, as `kakeya-codec list --json` prints them.");
  bind_profile(module);
  bind_codec(module);
  bind_page_writer(module);
  bind_cache(module);
  bind_cache_file(module);
  bind_own_codec(module);
  bind_plugin(module);
}
