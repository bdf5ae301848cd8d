// SPDX-License-Identifier: Apache-2.0
// fuzz_replay TARGET FOLDER LEAST: runs every file of the folder through the target, as libFuzzer
// does, and says how many its decoder accepted. Fails on a finding, and when fewer than LEAST are
// accepted: then a changed layout or check has made kept inputs stale, which test no more than that
// they are refused.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "fuzz/targets.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int replay(const kakeya::fuzz::Target& target, const fs::path& folder, std::size_t least) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::size_t accepted = 0, findings = 0;
  for (const fs::path& path : paths) {
    const auto input = bytes_of(path);
    try {
      accepted += target.run(input) ? 1 : 0;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
      ++findings;
    }
  }
  std::printf("%s: %zu files, %zu accepted, %zu findings\n", target.name.c_str(), paths.size(),
              accepted, findings);
  if (accepted < least) {
    std::fprintf(stderr, "%s: %zu files are accepted, expected at least %zu\n", folder.c_str(),
                 accepted, least);
  }
  return findings == 0 && accepted >= least ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view last = argc == 4 ? argv[3] : "";
  std::size_t least = 0;
  const auto read = std::from_chars(last.data(), last.data() + last.size(), least);
  if (argc != 4 || read.ec != std::errc() || read.ptr != last.data() + last.size() || least == 0) {
    std::fputs("usage: fuzz_replay TARGET FOLDER LEAST (at least 1)\n", stderr);
    return 2;
  }
  try {
    return replay(kakeya::fuzz::target_named(argv[1]), argv[2], least);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_replay: %s\n", error.what());
    return 1;
  }
}
