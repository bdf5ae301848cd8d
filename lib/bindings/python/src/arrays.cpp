// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "bytes.h"
#include "kakeya/core/error.h"
#include "kakeya/core/half.h"

namespace kakeya::python {
namespace {

// Modules of Python that stay until the end: never freed, so that nothing runs after the interpreter.
nb::handle numpy_function(const char* name) {
  return nb::object(nb::module_::import_("numpy").attr(name)).release();
}

// "float64", as the array itself calls it; "torch.float64" of torch.
std::string dtype_of(nb::handle array) {
  const nb::object dtype = nb::getattr(array, "dtype", nb::none());
  if (!dtype.is_none()) return nb::cast<std::string>(nb::str(dtype));
  const nb::object format = nb::getattr(array, "format", nb::none());  // of a memoryview
  return format.is_none() ? "another type"
                          : "format '" + nb::cast<std::string>(nb::str(format)) + "'";
}

std::string shape_text(std::span<const std::size_t> shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

constexpr int kCpu = 1, kCuda = 2, kCudaHost = 3, kRocmHost = 11, kCudaManaged = 13;  // of DLPack

void require_host(int device, const std::string& what) {
  if (device == kCpu || device == kCudaHost || device == kRocmHost || device == kCudaManaged)
    return;
  const std::string where = device == kCuda
                                ? "a CUDA device"
                                : "another device (DLPack's number " + std::to_string(device) + ")";
  throw nb::type_error(
      (what + ": an array on " + where +
       " given, expected one in the host's memory (.cpu(), of cupy .get(), of jax numpy.asarray())" +
       (device == kCuda ? "; of the bindings C alone codes on a GPU (kakeya_device.h)" : ""))
          .c_str());
}

// Stride of rows that are dense and evenly spaced, in items; nothing of others. Axes of length 1
// lie anywhere.
bool find_stride(std::span<const std::size_t> shape, std::span<const std::int64_t> strides,
                 std::size_t row_axes, std::size_t& stride) {
  const std::size_t first = shape.size() - row_axes;
  std::int64_t expected = 1;
  for (std::size_t axis = shape.size(); axis-- > first;) {
    if (shape[axis] != 1 && strides[axis] != expected) return false;
    expected *= static_cast<std::int64_t>(shape[axis]);
  }
  stride = static_cast<std::size_t>(expected);
  bool known = false;
  for (std::size_t axis = first; axis-- > 0;) {
    if (shape[axis] == 1) continue;
    if (known ? strides[axis] != expected : strides[axis] < expected) return false;
    if (!known) stride = static_cast<std::size_t>(strides[axis]);
    known = true;
    expected = strides[axis] * static_cast<std::int64_t>(shape[axis]);
  }
  return true;
}

// All items of an array in C order, as floats. `from` need not be aligned.
template <typename Pattern, float (*convert)(Pattern)>
void copy_items(const std::byte* from, std::span<const std::size_t> shape,
                std::span<const std::int64_t> strides, float* to) {
  const std::size_t axes = shape.size(), run = axes == 0 ? 1 : shape[axes - 1];
  const std::int64_t width = sizeof(Pattern), step = axes == 0 ? 1 : strides[axes - 1];
  const auto item = [&](std::int64_t i) {
    Pattern pattern;
    std::memcpy(&pattern, from + i * width, sizeof pattern);
    return convert(pattern);
  };
  std::vector<std::size_t> at(axes, 0);
  while (true) {
    const auto length = static_cast<std::int64_t>(run);
    if (step == 1) {
      for (std::int64_t i = 0; i < length; ++i) to[i] = item(i);
    } else {
      for (std::int64_t i = 0; i < length; ++i) to[i] = item(i * step);
    }
    to += run;
    std::size_t axis = axes < 2 ? 0 : axes - 1;
    while (axis > 0) {  // the next run
      --axis;
      from += strides[axis] * width;
      if (++at[axis] < shape[axis]) break;
      from -= strides[axis] * width * static_cast<std::int64_t>(shape[axis]);
      at[axis] = 0;
      if (axis == 0) return;
    }
    if (axes < 2) return;
  }
}

std::size_t product(std::span<const std::size_t> lengths) {
  std::size_t product = 1;
  for (const std::size_t length : lengths) product *= length;
  return product;
}

bool is_read_only(nb::handle array) {
  Py_buffer view;
  if (PyObject_CheckBuffer(array.ptr()) == 0) return false;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_RECORDS_RO) != 0) {  // not for buffers, as bf16
    PyErr_Clear();
    return false;
  }
  const bool read_only = view.readonly != 0;
  PyBuffer_Release(&view);
  return read_only;
}

// Of an array that no protocol gave: throws where it lies on a device, which is then why.
void require_host(nb::handle array, const char* what) {
  nb::object place;
  try {
    place = nb::getattr(array, "__dlpack_device__", nb::none());
    if (!place.is_none()) place = place();
  } catch (nb::python_error&) {
    return;
  }
  int device = 0;
  if (nb::isinstance<nb::tuple>(place) && nb::len(place) == 2 && nb::try_cast(place[0], device)) {
    require_host(device, what);
  } else if (nb::hasattr(array, "__cuda_array_interface__")) {
    require_host(kCuda, what);
  }
}

template <typename Array>
void take_layout(const Array& array, std::vector<std::size_t>& shape,
                 std::vector<std::int64_t>& strides) {
  for (std::size_t axis = 0; axis < array.ndim(); ++axis) {
    shape.push_back(array.shape(axis));
    strides.push_back(array.stride(axis));
  }
}

}  // namespace

InputArray::InputArray(nb::handle array, const char* what) {
  nb::object patterns;  // arrays of ml_dtypes.bfloat16, which neither protocol carries
  bool bfloat16 = false;
  // torch's __dlpack__ refuses these, the C exchange that takes its place since torch 2.10 does not.
  // Arrays of numpy are not asked: an attribute that is missing costs as much as a call on few vectors.
  static PyObject* const numpy_array =
      nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
  const bool grad = array.type().ptr() != numpy_array && nb::hasattr(array, "requires_grad") &&
                    nb::cast<bool>(nb::bool_(array.attr("requires_grad")));
  if (grad || !nb::try_cast(array, holder_, false)) {
    if (!grad && nb::hasattr(array, "dtype") && nb::hasattr(array, "view") &&
        dtype_of(array) == "bfloat16") {
      bfloat16 = true;
      patterns = array.attr("view")("uint16");
    }
    if (!bfloat16 || !nb::try_cast(patterns, holder_, false)) {
      if (!grad) require_host(array, what);
      std::string given = type_of(array);
      if (nb::hasattr(array, "dtype")) given += " of " + dtype_of(array);
      throw nb::type_error(
          (std::string(what) + ": " + given + (grad ? " that requires grad" : "") +
           " given, expected an array of float32, float16 or bfloat16, by DLPack or the buffer protocol" +
           (grad ? " (.detach())" : ""))
              .c_str());
    }
  }
  const nb::dlpack::dtype type = holder_.dtype();
  const auto is = [&](nb::dlpack::dtype_code code, int bits) {
    return type.code == static_cast<std::uint8_t>(code) && type.bits == bits && type.lanes == 1;
  };
  if (bfloat16 || is(nb::dlpack::dtype_code::Bfloat, 16)) {
    type_ = Type::bfloat16;
  } else if (is(nb::dlpack::dtype_code::Float, 16)) {
    type_ = Type::float16;
  } else if (!is(nb::dlpack::dtype_code::Float, 32)) {
    throw nb::type_error((std::string(what) + ": " + type_of(array) + " of " + dtype_of(array) +
                          " given, expected float32, float16 or bfloat16")
                             .c_str());
  }
  require_host(holder_.device_type(), what);
  data_ = static_cast<const std::byte*>(static_cast<const void*>(holder_.data()));
  take_layout(holder_, shape_, strides_);
  if (shape_.empty())
    throw InputError(std::string(what) + ": a single number given, expected [..., dim]");
}

InputRows::InputRows(const InputArray& array, std::size_t row_axes) {
  const std::span shape = array.shape();
  const std::span<const std::int64_t> strides = array.strides_;
  const std::size_t first = shape.size() - row_axes;
  const std::size_t count = product(shape.first(first)), dim = product(shape.subspan(first));
  std::size_t stride = dim;
  const bool some = count * dim > 0;
  const bool even = some && find_stride(shape, strides, row_axes, stride);
  const bool aligned = reinterpret_cast<std::uintptr_t>(array.data_) % alignof(float) == 0;
  if (!some || (even && aligned && array.type_ == InputArray::Type::float32)) {
    rows_ = {reinterpret_cast<const float*>(array.data_), count, dim, stride};
    return;
  }
  copy_ = std::make_unique_for_overwrite<float[]>(count * dim);
  rows_ = dense_rows<const float>(copy_.get(), count, dim);
  switch (array.type_) {
    case InputArray::Type::float32:
      copy_items<std::uint32_t, float_of>(array.data_, shape, strides, copy_.get());
      break;
    case InputArray::Type::float16:
      copy_items<std::uint16_t, half_to_float>(array.data_, shape, strides, copy_.get());
      break;
    case InputArray::Type::bfloat16:
      copy_items<std::uint16_t, bfloat16_to_float>(array.data_, shape, strides, copy_.get());
      break;
  }
}

OutputArray new_array(std::span<const std::size_t> shape, std::size_t row_axes) {
  static const nb::handle empty = numpy_function("empty"), type = numpy_function("float32");
  nb::list lengths;
  for (const std::size_t length : shape) lengths.append(length);
  OutputArray out{empty(nb::tuple(lengths), type), {}};
  Py_buffer view;
  if (PyObject_GetBuffer(out.array.ptr(), &view, PyBUF_WRITABLE) != 0) nb::raise_python_error();
  const std::size_t first = shape.size() - row_axes;
  out.rows = dense_rows(static_cast<float*>(view.buf), product(shape.first(first)),
                        product(shape.subspan(first)));
  PyBuffer_Release(&view);
  return out;
}

CallersArray::CallersArray(nb::handle out, std::span<const std::size_t> shape,
                           std::size_t row_axes) {
  // DLPack of jax does not say that its arrays never change; the buffer protocol does.
  const bool taken = !is_read_only(out) && nb::try_cast(out, holder_, false);
  if (!taken || holder_.dtype() != nb::dtype<float>()) {
    if (!taken) require_host(out, "out");
    throw nb::type_error(("out: " + type_of(out) +
                          (nb::hasattr(out, "dtype") ? " of " + dtype_of(out) : "") +
                          " given, expected a writable array of float32")
                             .c_str());
  }
  require_host(holder_.device_type(), "out");
  std::vector<std::size_t> own_shape;
  std::vector<std::int64_t> strides;
  take_layout(holder_, own_shape, strides);
  if (!std::equal(own_shape.begin(), own_shape.end(), shape.begin(), shape.end())) {
    throw InputError("out: an array of shape " + shape_text(own_shape) + " given, expected " +
                     shape_text(shape));
  }
  const std::size_t first = shape.size() - row_axes;
  const std::size_t count = product(shape.first(first)), dim = product(shape.subspan(first));
  std::size_t stride = dim;
  if (count * dim > 0 && !find_stride(shape, strides, row_axes, stride)) {
    throw InputError(
        "out: an array whose rows are not dense and evenly spaced given, expected one in C order");
  }
  if (reinterpret_cast<std::uintptr_t>(holder_.data()) % alignof(float) != 0) {
    throw InputError("out: an array that is not aligned given, expected whole float32");
  }
  rows_ = {static_cast<float*>(holder_.data()), count, dim, stride};
}

std::vector<std::int32_t> token_ids_of(nb::handle ids) {
  std::vector<std::int32_t> read;
  for (const nb::handle id : ids) {
    const nb::object whole = nb::steal(PyNumber_Index(id.ptr()));
    if (!whole.is_valid()) nb::raise_python_error();
    const auto value = nb::cast<std::int64_t>(whole);
    if (value < std::numeric_limits<std::int32_t>::min() ||
        value > std::numeric_limits<std::int32_t>::max()) {
      throw InputError("token id " + std::to_string(value) + ": expected 32 bits");
    }
    read.push_back(static_cast<std::int32_t>(value));
  }
  return read;
}

nb::object new_ids(const std::vector<std::int32_t>& ids) {
  nb::list list;
  for (const std::int32_t id : ids) list.append(id);
  return nb::module_::import_("numpy").attr("array")(list, "int32");
}

}  // namespace kakeya::python
