// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kakeya::test {

/// Inputs and outputs of the published code: some in the repository (tests/golden/published), more in a
/// folder `shared/golden` beside a checkout, where there is one.
inline std::vector<std::filesystem::path> reference_folders() {
  const std::filesystem::path root = KAKEYA_SOURCE_DIR, more = root / ".." / "shared" / "golden";
  std::vector<std::filesystem::path> folders = {root / "tests" / "golden" / "published"};
  if (std::filesystem::exists(more)) folders.push_back(more);
  return folders;
}

/// Float32 values of a file, little-endian; none where it is not there.
inline std::vector<float> read_floats(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::vector<float> values(std::filesystem::file_size(path) / sizeof(float));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(float)));
  return values;
}

}  // namespace kakeya::test
