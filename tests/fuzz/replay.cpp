// SPDX-License-Identifier: Apache-2.0
// fuzz_replay TARGET FOLDER: runs every file of the folder through the target, as libFuzzer does,
// and says how many its decoder accepted and refused. Fails on a finding, and when the folder has
// no file, or none that is accepted: then nothing was tested.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/targets.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int replay(const kakeya::fuzz::Target& target, const fs::path& folder) {
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
  if (accepted == 0) std::fprintf(stderr, "%s: no file that is accepted\n", folder.c_str());
  return findings == 0 && accepted != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fuzz_replay TARGET FOLDER\n", stderr);
    return 2;
  }
  try {
    return replay(kakeya::fuzz::target_named(argv[1]), argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_replay: %s\n", error.what());
    return 1;
  }
}
