// SPDX-License-Identifier: Apache-2.0
#include "kakeya/core/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace kakeya {
namespace {

namespace fs = std::filesystem;

TEST(Files, RemovesFoldersWithAllThatIsInThem) {
  const fs::path root =
      fs::path(::testing::TempDir()) / ("kakeya-files-" + std::to_string(::getpid()));
  const fs::path folder = root / "folder", kept = root / "kept";
  fs::create_directories(folder / "inner" / "deep");
  fs::create_directories(kept);
  write_file((folder / "a").string(), "a");
  write_file((folder / "inner" / "deep" / "b").string(), "b");
  write_file((kept / "c").string(), "c");
  fs::create_directory_symlink(kept, folder / "link");
  remove_folder(folder.string());
  EXPECT_FALSE(fs::exists(folder));
  EXPECT_EQ(read_text_file((kept / "c").string()), "c") << "what a link points to stays";
  remove_folder(folder.string());  // is not there
  remove_folder((kept / "c").string());
  EXPECT_FALSE(fs::exists(kept / "c"));
  remove_folder(root.string());
  EXPECT_FALSE(fs::exists(root));
}

}  // namespace
}  // namespace kakeya
