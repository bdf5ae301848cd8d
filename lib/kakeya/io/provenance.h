// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kakeya {

/// Who made a number: stored with every dump and every run of a sweep.
struct Provenance {
  std::string version, commit, compiler;
  std::string host;    ///< operating system and processor; never the machine's name
  std::string device;  ///< "cpu" or the GPU's name
  int threads = 0;
  std::string started_utc;  ///< ISO 8601
  std::vector<std::string> command;
};

/// Everything but `device`, which the caller knows. `arguments` is argv; argv[0] is cut to its file
/// name.
Provenance make_provenance(const std::vector<std::string>& arguments, int threads);

/// As a JSON object, and back. Throws InputError on an unknown or missing key.
std::string to_json(const Provenance& provenance);
Provenance provenance_from_json(const std::string& json);

}  // namespace kakeya
