// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "bytes.h"
#include "kakeya/profile/key_bias.h"
#include "unlocked.h"

namespace kakeya::python {
namespace {

nb::dict source_dict(const Source& source) {
  nb::dict dict;
  dict["name"] = source.name;
  dict["sha256"] = source.sha256;
  return dict;
}

}  // namespace

std::string path_of(nb::handle path) {
  const nb::object text = nb::module_::import_("os").attr("fsdecode")(path);  // bytes too
  return nb::cast<std::string>(text);
}

std::shared_ptr<ProfileShelf> shelf_of(nb::handle profile) {
  auto shelf = std::make_shared<ProfileShelf>();
  const auto add = [&](nb::handle one) {
    if (nb::isinstance<StoredProfile>(one)) {
      shelf->add(nb::cast<const StoredProfile&>(one));
    } else {
      shelf->add(path_of(one));
    }
  };
  if (nb::isinstance<nb::list>(profile) || nb::isinstance<nb::tuple>(profile)) {
    for (const nb::handle one : profile) add(one);
  } else if (!profile.is_none()) {
    add(profile);
  }
  return shelf;
}

void bind_profile(nb::module_& module) {
  nb::class_<StoredProfile>(
      module, "Profile",
      "What calibration knows of a model, from a flat profile (.kkp).\n\n"
      "kakeya-calibrate writes one (or `kakeya-calibrate convert`, of an HDF5 "
      "file).\nImmutable; threads may share it.")
      .def(
          "__init__",
          [](StoredProfile* self, nb::handle path) {
            const std::string file = path_of(path);
            const Unlocked unlocked;
            new (self) StoredProfile(load_profile(file));
          },
          nb::arg("path"), nb::sig("def __init__(self, path: str | os.PathLike[str]) -> None"),
          "Reads the file `path`. Raises IoError, and CorruptStream where it is none.")
      .def_static(
          "from_bytes",
          [](nb::handle bytes) {
            const InputBytes file(bytes, "bytes");
            const Unlocked unlocked;
            return parse_profile(file.bytes());
          },
          nb::arg("data"), nb::sig("def from_bytes(data: bytes) -> Profile"),
          "The profile whose file has these bytes. Raises CorruptStream.")
      .def_prop_ro(
          "path", [](const StoredProfile& self) { return self.path; },
          "The file; '' where it came from bytes.")
      .def_prop_ro(
          "kind", [](const StoredProfile& self) { return std::string(self.kind); },
          "What it is for: 'klt', 'kvtc' or 'key-bias'.")
      .def_prop_ro(
          "digest", [](const StoredProfile& self) { return self.profile->digest; },
          "Which profile it is: 64 hexadecimal digits. Frames name it.")
      .def_prop_ro(
          "tap", [](const StoredProfile& self) { return std::string(tap_name(self.profile->tap)); },
          "Where keys were seen: 'pre-rope' or 'post-rope'.")
      .def_prop_ro(
          "model",
          [](const StoredProfile& self) { return source_dict(self.profile->origin.model); },
          nb::sig("def model(self) -> dict[str, str]"),
          "Of which model: name, sha256 ('' where nobody took it).")
      .def_prop_ro(
          "text", [](const StoredProfile& self) { return source_dict(self.profile->origin.text); },
          nb::sig("def text(self) -> dict[str, str]"),
          "The text it was calibrated on: name, sha256.")
      .def_prop_ro("layers", [](const StoredProfile& self) { return self.profile->shape.layers; })
      .def_prop_ro("kv_heads",
                   [](const StoredProfile& self) { return self.profile->shape.kv_heads; })
      .def_prop_ro("head_dim",
                   [](const StoredProfile& self) { return self.profile->shape.head_dim; })
      .def_prop_ro(
          "passages", [](const StoredProfile& self) { return self.profile->passages; },
          "Passages of the text it was calibrated on.")
      .def_prop_ro(
          "context", [](const StoredProfile& self) { return self.profile->context; },
          "Tokens of each.")
      .def_prop_ro(
          "sinks", [](const StoredProfile& self) { return self.profile->sinks; },
          "First tokens of each that were left out.")
      .def_prop_ro(
          "bytes",
          [](const StoredProfile& self) {
            std::vector<std::byte> file;
            if (const auto klt = self.as<Profile>()) file = flat_profile(*klt);
            if (const auto kvtc = self.as<KvtcProfile>()) file = flat_profile(*kvtc);
            if (const auto biases = self.as<KeyBias>()) file = flat_profile(*biases);
            return nb::bytes(file.data(), file.size());
          },
          "Its flat file, which from_bytes() reads.")
      .def("__repr__", [](const StoredProfile& self) {
        return "<kakeya.Profile " + std::string(self.kind) + " of " +
               self.profile->origin.model.name + ", " + self.profile->short_digest() + ">";
      });
}

}  // namespace kakeya::python
