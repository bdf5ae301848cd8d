// SPDX-License-Identifier: Apache-2.0
#include "kakeya/report/verify/verify_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>

#include "kakeya/core/error.h"
#include "kakeya/core/files.h"
#include "kakeya/store/digest.h"
#include "kakeya/store/result_store.h"
#include "kakeya/store/xz.h"

namespace kakeya {
namespace {

namespace fs = std::filesystem;

constexpr char kDigests[] = "digests.txt";

// Whether a file holds measurements, or numbers made of them.
bool is_evidence(const fs::path& path) {
  const std::string name = path.filename().string(), ending = path.extension().string();
  return name != "figures.csv" && (ending == ".xz" || ending == ".json" || ending == ".csv");
}

std::vector<std::string> evidence_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !is_evidence(entry.path())) continue;
    names.push_back(fs::relative(entry.path(), folder).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string body_of(const fs::path& page) {
  const std::string text = read_text_file(page);
  const std::size_t rule = text.rfind("\n---\n");
  return text.substr(0, rule);
}

}  // namespace

std::size_t write_digests(const std::string& folder) {
  const std::vector<std::string> names = evidence_in(folder);
  std::string text;
  for (const std::string& name : names) {
    text += sha256_path((fs::path(folder) / name).string()) + "  " + name + "\n";
  }
  write_file((fs::path(folder) / kDigests).string(), text);
  return names.size();
}

Verified verify_digests(const std::string& folder) {
  Verified verified{"digests"};
  const fs::path list = fs::path(folder) / kDigests;
  if (!fs::exists(list)) {
    verified.problems.push_back(
        fmt::format("{}: not there, expected the digests of its samples", list.string()));
    return verified;
  }
  std::map<std::string, std::string> expected;
  const std::string text = read_text_file(list);
  for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (line.size() < 67 || line.substr(64, 2) != "  ") {
      throw CorruptStream(fmt::format("{}: \"{}\": expected 64 hex digits, two blanks, a name",
                                      list.string(), line));
    }
    expected[line.substr(66)] = line.substr(0, 64);
  }
  for (const std::string& name : evidence_in(folder)) {
    const auto at = expected.find(name);
    if (at == expected.end()) {
      verified.problems.push_back(fmt::format("{}: not in {}", name, kDigests));
      continue;
    }
    ++verified.checked;
    const std::string digest = sha256_path((fs::path(folder) / name).string());
    if (digest != at->second) {
      verified.problems.push_back(
          fmt::format("{}: sha256 {}, expected {}", name, digest, at->second));
    }
    expected.erase(at);
  }
  for (const auto& [name, digest] : expected) {
    verified.problems.push_back(fmt::format("{}: gone, expected sha256 {}", name, digest));
  }
  return verified;
}

Verified verify_sources(const std::string& folder, const std::vector<std::string>& paths) {
  Verified verified{"sources"};
  std::string named;  // all that provenance and samples say
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_result_file(name)) continue;
    named += name.ends_with(".xz") ? read_xz(entry.path().string()) : read_text_file(entry.path());
  }
  for (const std::string& path : paths) {
    const std::string digest = sha256_path(path);
    ++verified.checked;
    // Specs have the first 16 digits of a profile's digest.
    if (named.find(digest) != std::string::npos ||
        named.find(digest.substr(0, 16)) != std::string::npos) {
      continue;
    }
    verified.problems.push_back(
        fmt::format("{}: sha256 {} stands in no provenance of {}: another model, text or profile",
                    path, digest, folder));
  }
  if (paths.empty()) verified.note = "no model, text or profile given (--have)";
  return verified;
}

Verified compare_reports(const std::string& made, const std::string& committed) {
  Verified verified{"derived"};
  for (const auto& entry : fs::recursive_directory_iterator(made)) {
    const std::string ending = entry.path().extension().string();
    constexpr std::array<std::string_view, 5> kCompared = {".csv", ".dat", ".gp", ".json", ".md"};
    if (!entry.is_regular_file() ||
        std::find(kCompared.begin(), kCompared.end(), ending) == kCompared.end()) {
      continue;
    }
    const fs::path name = fs::relative(entry.path(), made), there = fs::path(committed) / name;
    ++verified.checked;
    if (!fs::exists(there)) {
      verified.problems.push_back(fmt::format("{}: derived, but not there", name.string()));
    } else if (ending == ".md" ? body_of(entry.path()) != body_of(there)
                               : read_text_file(entry.path()) != read_text_file(there)) {
      verified.problems.push_back(fmt::format("{}: not what is derived", name.string()));
    }
  }
  if (verified.checked == 0) verified.problems.push_back("nothing was derived");
  return verified;
}

}  // namespace kakeya
