// SPDX-License-Identifier: Apache-2.0
#include "kakeya/store/provenance.h"

#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "kakeya/version.h"

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

// "klt:bits=3,profile=/a/b.h5" becomes "klt:bits=3,profile=b.h5", where `before` is "="; where it is
// "transformers:", "transformers:/a/b" becomes "transformers:b".
void cut_paths_after(const std::string& before, std::string& argument) {
  for (std::size_t at = 0; (at = argument.find(before + "/", at)) != std::string::npos; ++at) {
    const std::size_t end = std::min(argument.find_first_of(",}", at), argument.size()),
                      begin = at + before.size();
    argument.erase(begin, argument.find_last_of('/', end - 1) + 1 - begin);
  }
}

}  // namespace

std::string describe_device(const std::string& device, const std::string& host) {
  if (!host.empty()) return describe_device(device) + ", " + host;
  if (!device.starts_with("cuda")) return device;
  namespace fs = std::filesystem;
  std::set<std::string> names;  // the driver lists every GPU of the machine
  std::error_code none;
  for (const auto& gpu : fs::directory_iterator("/proc/driver/nvidia/gpus", none)) {
    const std::string name = value_of((gpu.path() / "information").c_str(), "Model", ':');
    if (!name.empty()) names.insert(name);
  }
  return names.size() == 1 ? device + ": " + *names.begin() : device;
}

std::string device_kind(const std::string& device) {
  static const std::regex cpus("cpu(,cpu)*"), gpus("cuda(:[0-9]+)?(,cuda(:[0-9]+)?)*");
  if (std::regex_match(device, cpus)) return "cpu";
  return std::regex_match(device, gpus) ? "cuda" : device;
}

std::string described_kind(const std::string& description) {
  static const std::regex named("^(cpu(,cpu)*(?=$|, )|cuda(:[0-9]+)?(,cuda(:[0-9]+)?)*(?=: ))");
  std::smatch devices;
  if (!std::regex_search(description, devices, named)) return description;
  return device_kind(devices.str()) + devices.suffix().str();
}

Provenance make_provenance(const std::vector<std::string>& arguments, int threads) {
  Provenance made;
  made.version = version();
  made.commit = build_commit();
  made.compiler = build_compiler();
  made.host = describe_host();
  made.threads = threads;
  made.started_utc = utc_now();
  made.command = arguments;
  for (std::string& argument : made.command) {
    if (argument.starts_with('/')) argument = std::filesystem::path(argument).filename().string();
    for (const char* before : {"=", "transformers:"}) cut_paths_after(before, argument);
  }
  if (!made.command.empty()) {
    made.command.front().erase(0, made.command.front().find_last_of('/') + 1);
  }
  return made;
}

}  // namespace kakeya
