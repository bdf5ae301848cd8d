// SPDX-License-Identifier: Apache-2.0
#include "profile_conversion.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "kakeya/core/error.h"
#include "kakeya/store/profile_files.h"
#include "program.h"

namespace kakeya {
namespace {

struct Conversion {
  std::string from, to;
  bool json = false;
};

void define_conversion(CLI::App& app, Conversion& conversion) {
  app.add_option("FROM", conversion.from, "The profile to read, HDF5 or flat")->required();
  app.add_option("TO", conversion.to,
                 "The file to write: flat where it ends in .kkp, else HDF5; appears when it is "
                 "whole")
      ->required();
  app.add_flag("--json", conversion.json, "One JSON document on stdout");
  app.footer(
      R"(A flat profile needs no HDF5 library to be read: it is for programs that link kakeya::codec. Both
files hold the same profile under the same digest, so frames made with one are read with the other, and
every --profile takes either. An HDF5 file that was made flat comes back byte for byte.

Example:
  kakeya-calibrate convert nano.profile.h5 nano.profile.kkp
  kakeya-codec roundtrip --codec klt:bits=3 --profile nano.profile.kkp --site 0:key:0 --in keys.npy)");
}

void convert(const Conversion& conversion) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::equivalent(conversion.from, conversion.to, ignored)) {
    throw InputError(conversion.to + ": the file to read, expected another name");
  }
  convert_profile(conversion.from, conversion.to);
  const StoredProfile made = read_profile_file(conversion.to);
  const auto bytes = fs::file_size(conversion.to);
  if (conversion.json) {
    nlohmann::ordered_json json;
    json["file"] = conversion.to;
    json["bytes"] = bytes;
    json["codec"] = made.kind;
    json["digest"] = made.profile->digest;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}: profile {} of {}, {} bytes\n", conversion.to, made.profile->short_digest(),
             made.profile->origin.model.name, bytes);
}

}  // namespace

int convert_profile_program(int argc, char** argv) {
  Conversion conversion;
  return run_program(
      argc, argv, "calibrate convert", "A profile from HDF5 to a flat file, or back",
      [&](CLI::App& app) { define_conversion(app, conversion); }, [&] { convert(conversion); });
}

}  // namespace kakeya
