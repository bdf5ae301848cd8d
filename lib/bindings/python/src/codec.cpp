// SPDX-License-Identifier: Apache-2.0
#include "kakeya/codec/codec.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <limits>

#include "arrays.h"
#include "bindings.h"
#include "bytes.h"
#include "kakeya/codec/foreign_codec.h"
#include "kakeya/codec/ledger.h"
#include "kakeya/codec/token_codecs.h"
#include "kakeya/core/error.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

// The one shape of the profiles given.
KvShape profile_shape(const std::string& spec, const ProfileShelf& shelf) {
  const auto& entries = shelf.entries();
  if (!is_calibrated(spec) || entries.empty()) {
    throw InputError(spec + ": expected dim, the scalars a vector" +
                     (is_calibrated(spec) ? ", or profile" : ""));
  }
  for (const StoredProfile& entry : entries) {
    if (entry.profile->shape == entries.front().profile->shape) continue;
    throw InputError(spec + ": profiles of caches of different shapes given, expected dim too");
  }
  return entries.front().profile->shape;
}

PyCodec make(const std::string& spec, std::optional<std::size_t> dim, nb::handle profile,
             nb::handle site, const std::optional<std::pair<int, int>>& layers,
             const std::optional<std::string>& tap) {
  const std::shared_ptr<ProfileShelf> shelf = shelf_of(profile);
  if (tap) {
    for (const StoredProfile& entry : shelf->entries()) {
      if (entry.profile->tap == parse_tap(*tap)) continue;
      throw InputError(entry.path + ": calibrated " + std::string(tap_name(entry.profile->tap)) +
                       ", expected one of " + *tap + " keys");
    }
  }
  CodecInput input;
  input.profiles = shelf.get();
  if (!site.is_none()) input.site = site_of(site);
  const VectorScope scope = scope_of(spec);
  if (scope == VectorScope::head && !input.site) {
    throw InputError(spec + ": expected site, where the vectors come from, as (3, 'key', 0)");
  }
  if (scope == VectorScope::token && !is_calibrated(spec)) {
    if (layers) input.layers = LayerRange{layers->first, layers->second};
    if (!dim) throw InputError(spec + ": expected dim, the scalars of all its layers");
  } else if (scope == VectorScope::token) {
    input.layers = layers ? LayerRange{layers->first, layers->second} : all_layers(spec, *shelf);
    if (!dim)
      dim = static_cast<std::size_t>(input.layers->count) * 2 *
            profile_shape(spec, *shelf).part_width();
  } else if (!dim) {
    dim = profile_shape(spec, *shelf).dim();
  }
  input.dim = *dim;
  const Unlocked unlocked;
  return {shelf, make_codec(spec, input)};
}

PyCodec of_frame(nb::handle frame, nb::handle profile) {
  const InputBytes bytes(frame, "frame");
  const std::shared_ptr<ProfileShelf> shelf = shelf_of(profile);
  const Unlocked unlocked;
  const bool none = shelf->entries().empty();  // the library then says what is missing
  return {shelf, codec_of_frame(bytes.bytes(), none ? nullptr : shelf.get())};
}

// The memory of rows, from the first to the last.
std::span<const std::byte> memory_of(Rows<const float> rows) {
  if (rows.values() == 0) return {};
  return std::as_bytes(std::span(rows.data, (rows.count - 1) * rows.stride + rows.dim));
}

nb::object encode_into(const PyCodec& self, nb::handle x, nb::handle out) {
  const InputArray array(x, "x");
  std::optional<InputRows> rows;
  {
    const Unlocked unlocked;
    rows.emplace(array, 1);
  }
  const Rows<const float> given = rows->rows();
  if (given.dim != self.codec->dim()) {  // before a bound is asked for memory
    throw InputError("x: vectors of " + std::to_string(given.dim) + " scalars given, expected " +
                     std::to_string(self.codec->dim()));
  }
  const std::size_t bound = self.codec->encoded_bound(given.count);
  const auto write = [&](std::span<std::byte> to) { return self.codec->encode(given, to); };
  if (out.is_none()) return new_bytes(bound, write);
  const CallersBytes callers(out);
  require_apart(callers.bytes(), memory_of(given), "x");
  return write_bytes(callers, bound, write);
}

nb::object encode(const PyCodec& self, nb::handle x) { return encode_into(self, x, nb::none()); }

// A new array for `count` rows of `frame` or the caller's, filled by `read` without the GIL.
template <typename Read>
nb::object read_rows(const InputBytes& frame, std::size_t count, std::size_t dim, nb::handle out,
                     const Read& read) {
  const std::size_t shape[] = {count, dim};
  if (out.is_none()) {
    OutputArray made = new_array(shape, 1);
    const Unlocked unlocked;
    read(made.rows);
    return std::move(made.array);
  }
  const CallersArray callers(out, shape, 1);
  require_apart(memory_of(callers.rows()), frame.bytes(), "the frame");
  {
    const Unlocked unlocked;
    read(callers.rows());
  }
  return nb::borrow(out);
}

nb::object decode(const PyCodec& self, nb::handle frame, nb::handle out) {
  const InputBytes bytes(frame, "frame");
  std::size_t count;
  {
    const Unlocked unlocked;
    count = frame_info_of(*self.codec, bytes.bytes()).count;
  }
  return read_rows(bytes, count, self.codec->dim(), out,
                   [&](Rows<float> rows) { self.codec->decode(bytes.bytes(), rows); });
}

nb::object decode_page(const PyCodec& self, nb::handle frame, std::size_t page) {
  const InputBytes bytes(frame, "frame");
  const std::size_t count = frame_info_of(*self.codec, bytes.bytes()).count;
  const std::size_t vectors = self.codec->page_vectors();
  const std::size_t pages = vectors == 0 ? 0 : (count + vectors - 1) / vectors;
  if (page >= pages) {
    throw InputError("page " + std::to_string(page) + " of a frame of " + self.codec->spec() +
                     " that has " + std::to_string(pages) + " pages that decode alone");
  }
  return read_rows(bytes, std::min(vectors, count - page * vectors), self.codec->dim(), nb::none(),
                   [&](Rows<float> rows) { self.codec->decode_page(bytes.bytes(), page, rows); });
}

nb::dict dict_of_info(const FrameInfo& info, std::size_t bytes) {
  nb::dict sections, dict;
  for (const auto& [name, length] : info.sections) sections[name.c_str()] = length;
  dict["spec"] = info.spec;
  dict["dim"] = info.dim;
  dict["vectors"] = info.count;
  dict["bytes"] = bytes;
  dict["format_version"] = info.format_version;
  dict["sections"] = sections;
  return dict;
}

nb::dict info(const PyCodec& self, nb::handle frame) {
  const InputBytes bytes(frame, "frame");
  return dict_of_info(frame_info_of(*self.codec, bytes.bytes()), bytes.bytes().size());
}

nb::object number_or_none(std::optional<double> value) {
  return value ? nb::object(nb::float_(*value)) : nb::none();
}

nb::dict rates(const PyCodec& self) {
  const Rates rates = self.codec->account().rates();
  nb::dict dict;
  dict["nominal"] = number_or_none(rates.nominal_bits_per_vector);
  dict["codebook"] = number_or_none(rates.codebook_bits_per_vector);
  return dict;
}

nb::dict ledger(const PyCodec& self, nb::handle x, nb::handle frame) {
  const InputArray array(x, "x");
  const InputBytes bytes(frame, "frame");
  RateLedger ledger;
  {
    const Unlocked unlocked;
    const InputRows rows(array, 1);
    ledger = ledger_of(*self.codec, rows.rows(), bytes.bytes());
  }
  nb::dict dict;
  dict["vectors"] = ledger.vectors;
  dict["values"] = ledger.values;
  dict["nominal_bits"] = number_or_none(ledger.nominal_bits);
  dict["codebook_bits"] = number_or_none(ledger.codebook_bits);
  dict["entropy_bits"] = number_or_none(ledger.entropy_bits);
  dict["payload_bits"] = ledger.payload_bits;
  dict["scale_bits"] = ledger.scale_bits;
  dict["header_bits"] = ledger.header_bits;
  dict["table_bits"] = ledger.table_bits;
  dict["padding_bits"] = ledger.padding_bits;
  dict["exact_token_bits"] = ledger.exact_token_bits;
  dict["beyond_profile_values"] = ledger.beyond_profile_values;
  dict["written_bits"] = ledger.written_bits();
  return dict;
}

}  // namespace

KvSite site_of(nb::handle site) {
  if (!nb::isinstance<nb::tuple>(site) || nb::len(site) < 2 || nb::len(site) > 3) {
    throw nb::type_error(
        "site: expected (layer, 'key' or 'value') or (layer, 'key' or 'value', head)");
  }
  try {
    const int head =
        nb::len(site) == 3 && !site[2].is_none() ? nb::cast<int>(site[2]) : KvSite::kAllHeads;
    return {nb::cast<int>(site[0]), part_of(nb::cast<std::string>(site[1])), head};
  } catch (const nb::cast_error&) {
    throw nb::type_error(("site: " + nb::cast<std::string>(nb::repr(site)) +
                          " given, expected whole numbers and a part, as (3, 'key', 0)")
                             .c_str());
  }
}

void bind_codec(nb::module_& module) {
  nb::class_<PyCodec>(module, "Codec",
                      "Vectors to bytes and back. kakeya.codec() makes one. Immutable; threads may "
                      "share it,\nand calls release the GIL.")
      .def_prop_ro(
          "spec", [](const PyCodec& self) { return self.codec->spec(); },
          "Canonical text: kakeya.codec(spec, ...) writes the same bytes.")
      .def_prop_ro(
          "dim", [](const PyCodec& self) { return self.codec->dim(); }, "Scalars a vector.")
      .def_prop_ro(
          "page_vectors", [](const PyCodec& self) { return self.codec->page_vectors(); },
          "Vectors a page, of codecs whose frames consist of pages that decode alone; else 0.")
      .def_prop_ro(
          "side_bytes", [](const PyCodec& self) { return self.codec->account().side_bytes(); },
          "Bytes of tables that a reader needs once, besides the frames.")
      .def_prop_ro(
          "profile_bytes",
          [](const PyCodec& self) { return self.codec->account().profile_bytes(); },
          "Bytes of its profile that a reader needs for these vectors; no rate counts them.")
      .def_prop_ro("rates", &rates, nb::sig("def rates(self) -> dict[str, float | None]"),
                   "Bits a vector: 'nominal', the published formula, and 'codebook', log2 of the\n"
                   "codebook with its scales; None where there is no such number.")
      .def(
          "encode", &encode, nb::arg("x"), nb::sig("def encode(self, x: typing.Any) -> bytes"),
          "One self-describing frame of `x`, [..., dim] of float32, float16 or bfloat16.\n\n"
          "numpy, torch, jax, ml_dtypes: by DLPack or the buffer protocol, in the host's memory\n"
          "(of cupy x.get()). float32 whose rows are dense and evenly spaced is not copied; all\n"
          "else is converted exactly. Raises TypeError on other arrays, InputError on another dim\n"
          "and on what is not finite, naming the vector and the coordinate.")
      .def(
          "encode", &encode_into, nb::arg("x"), nb::arg("out").none(),
          nb::sig(
              "def encode(self, x: typing.Any, out: bytearray | memoryview | numpy.ndarray) -> memoryview"),
          "`out`: where the frame goes instead, a writable buffer of bytes (bytearray, memoryview,\n"
          "numpy array of uint8) apart from `x`. Returns a memoryview of the frame, at its beginning:\n"
          "whatever takes a frame takes it, its len() is the bytes written. encoded_bound() bytes are\n"
          "always enough. With fewer the frame is made apart and copied if it fits; else InputError\n"
          "says its length. Where it raises anything else, `out` is undefined.")
      .def(
          "encoded_bound",
          [](const PyCodec& self, std::size_t vectors) {
            const std::size_t most =
                std::numeric_limits<std::size_t>::max() / 64 / self.codec->dim();
            if (vectors > most) {
              throw InputError(std::to_string(vectors) + " vectors of " +
                               std::to_string(self.codec->dim()) + " given, expected at most " +
                               std::to_string(most));
            }
            return self.codec->encoded_bound(vectors);
          },
          nb::arg("vectors"),
          "The most bytes that encode() makes of so many vectors. Raises InputError where they are\n"
          "more than any memory holds.")
      .def(
          "decode", &decode, nb::arg("frame"), nb::arg("out") = nb::none(),
          nb::sig(
              "def decode(self, frame: bytes | bytearray | memoryview | numpy.ndarray, out: typing.Any = None) -> numpy.ndarray"),
          "The vectors of a frame of this codec, float32 [vectors, dim] (torch.from_numpy() shares\n"
          "them). `out`: where they go instead, a writable float32 array of that shape; it is returned.\n"
          "Raises CorruptStream on any truncation, extra byte or flipped bit; then `out` is undefined.")
      .def(
          "decode_page", &decode_page, nb::arg("frame"), nb::arg("page"),
          nb::sig(
              "def decode_page(self, frame: bytes | bytearray | memoryview | numpy.ndarray, page: int) -> numpy.ndarray"),
          "Page `page` alone: float32 [page_vectors or what is left, dim]. Raises InputError where\n"
          "there is no such page, CorruptStream.")
      .def(
          "info", &info, nb::arg("frame"),
          nb::sig(
              "def info(self, frame: bytes | bytearray | memoryview | numpy.ndarray) -> dict[str, typing.Any]"),
          "What a frame of this codec says of itself, not decoded: spec, dim, vectors, bytes,\n"
          "format_version, sections (name: bytes). Raises CorruptStream.")
      .def(
          "ledger", &ledger, nb::arg("x"), nb::arg("frame"),
          nb::sig(
              "def ledger(self, x: typing.Any, frame: bytes | bytearray | memoryview | numpy.ndarray) -> dict[str, typing.Any]"),
          "What `frame` = encode(x) costs by every counting: totals in bits; the parts of\n"
          "written_bits add up to 8 times the frame's bytes. Raises CorruptStream.")
      .def("__repr__", [](const PyCodec& self) {
        return "<kakeya.Codec " + self.codec->spec() + ", dim " +
               std::to_string(self.codec->dim()) + ">";
      });
  module.def(
      "codec", &make, nb::arg("spec"), nb::arg("dim") = nb::none(), nb::arg("profile") = nb::none(),
      nb::arg("site") = nb::none(), nb::arg("layers") = nb::none(), nb::arg("tap") = nb::none(),
      nb::sig(
          "def codec(spec: str, dim: int | None = None, profile: typing.Any = None, site: tuple | None = None, layers: tuple[int, int] | None = None, tap: str | None = None) -> Codec"),
      "The codec that `spec` names, as 'e8:q=10' (kakeya.list() has all).\n\n"
      "dim: scalars a vector; of calibrated codecs the profile says it. profile: a Profile, the path of\n"
      "one, or a list, of calibrated codecs. site: where the vectors come from, of codecs of single heads\n"
      "(klt, kivi): (layer, 'key' or 'value', head), kakeya.Site. layers: of codecs of whole tokens,\n"
      "(first, count), without it all. tap: 'pre-rope' or 'post-rope', which the profiles are then held\n"
      "to. Raises SpecError naming the offending text, InputError, IoError.");
  module.def(
      "codec_of_frame", &of_frame, nb::arg("frame"), nb::arg("profile") = nb::none(),
      nb::sig(
          "def codec_of_frame(frame: bytes | bytearray | memoryview | numpy.ndarray, profile: typing.Any = None) -> Codec"),
      "The codec that wrote a frame. Raises CorruptStream, and InputError without its profile.");
}

}  // namespace kakeya::python
