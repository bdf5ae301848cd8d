// SPDX-License-Identifier: Apache-2.0
// fuzz_seeds TARGET FOLDER: writes the target's seeds, real encodes in its input format, into an
// existing folder.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "fuzz/targets.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fuzz_seeds TARGET FOLDER\n", stderr);
    return 2;
  }
  try {
    const auto seeds = kakeya::fuzz::target_named(argv[1]).seeds();
    const std::filesystem::path folder(argv[2]);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      std::ofstream file(folder / ("seed_" + std::to_string(i)), std::ios::binary);
      file.write(reinterpret_cast<const char*>(seeds[i].data()),
                 static_cast<std::streamsize>(seeds[i].size()));
      if (!file.good()) throw std::runtime_error("cannot write into " + folder.string());
    }
    std::printf("%s: %zu seeds\n", argv[1], seeds.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return 1;
  }
  return 0;
}
