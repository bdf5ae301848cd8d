// SPDX-License-Identifier: Apache-2.0
#include "kakeya/io/provenance.h"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>

#include "kakeya/core/version.h"

namespace kakeya {
namespace {

/// The value of the first "key<separator>value" line of a file, quotes and blanks trimmed; empty if
/// there is none.
std::string value_of(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(separator);
    if (at == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
    if (line.find_first_not_of(" \t", key.size()) != at) continue;
    const std::size_t first = line.find_first_not_of(" \t\"", at + 1);
    if (first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\"") - first + 1);
  }
  return {};
}

std::string describe_host() {
  utsname system{};
  uname(&system);  // of which sysname, release and machine are used; nodename is nobody's business
  std::string name = value_of("/etc/os-release", "PRETTY_NAME", '=');
  if (name.empty()) name = std::string(system.sysname) + " " + system.release;
  std::string processor = value_of("/proc/cpuinfo", "model name", ':');
  if (processor.empty()) processor = system.machine;
  return name + ", " + processor;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

Provenance make_provenance(const std::vector<std::string>& arguments, int threads) {
  Provenance made;
  made.version = version();
  made.commit = build_commit();
  made.compiler = build_compiler();
  made.host = describe_host();
  made.threads = threads;
  made.started_utc = utc_now();
  made.command = arguments;
  if (!made.command.empty()) {
    std::string& program = made.command.front();
    program.erase(0, program.find_last_of('/') + 1);
  }
  return made;
}

}  // namespace kakeya
